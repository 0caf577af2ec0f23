package planner

import (
	"strconv"
	"time"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/estimate"
	"github.com/cubeloom/cubeloom/planner/rewrite"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Options are the settings of one planning.
type Options struct {
	// Params are the values of $1, $2, ….
	Params []Param
	// InferParams plans without values of the parameters: each gets the type
	// that its use asks for, Plan.Params says which, and its value is NULL.
	InferParams bool
	// Disable holds the names of rules that are left out.
	Disable map[string]bool
	// Verify checks the plan after every rule; a failure names the rule.
	Verify bool
	// Trace keeps the plan after every rule in Plan.Steps.
	Trace bool
	// Weigh keeps what the rules chose from by costs in Plan.Steps.
	Weigh bool
	// MayCall fails where a statement may not call a function of a name; nil: it may call
	// all.
	MayCall func(name string) error
	// SQLFunctions finds functions of the embedder; nil: there are none.
	SQLFunctions SQLFunctions
	// Named is called with each name in the statement's own text, not in that of views,
	// that the catalog has a table or view for; nil: nobody wants to know.
	Named func(sql.Name)
	// Now is the time of now() and current_date; the zero Time is the clock's.
	Now time.Time
	// Statement is the time of statement_timestamp(); the zero Time is Now.
	Statement time.Time
	// Zone is the time zone of the session; nil is UTC.
	Zone *time.Location
	// Style is how dates and intervals are read and written.
	Style value.Style
	// Random gives the seeds of random(); nil: any.
	Random func() int64
	// Meter bounds what planning costs: what is computed at once of constants, and the
	// time; nil: nothing bounds it.
	Meter *value.Meter
	// SetSeed does what setseed(), which is called when it is bound, is for; nil:
	// nothing.
	SetSeed func(seed float64)
}

// Param is the value of a parameter. A Type of kind algebra.Unknown with a
// text is an untyped literal, which gets the type that its use asks for.
type Param struct {
	Value value.Value
	Type  algebra.Type
}

// maxParams is how many parameters a statement can have.
const maxParams = 65535

// Plan is an optimized query.
type Plan struct {
	Root algebra.Node
	// Columns are the output columns: those of Root, in order.
	Columns []algebra.Column
	// Declared says which columns are numerics whose precision and scale are ones that
	// somebody gave them.
	Declared []bool
	// Params are the types of the parameters, as far as they are known.
	Params []algebra.Type
	// Bound is the plan as it was bound, before any rule; set with Trace.
	Bound algebra.Node
	// Steps says what each rule did, in order.
	Steps []rewrite.Step
	// Momentary is set where the plan holds what holds for this statement only: its time,
	// seeds of random(), what functions of the embedder said, rows of a relation that is
	// Momentary. Any other plan answers the same text again as long as the catalog and the
	// options are the same.
	Momentary bool
	// Access is what the statement does to relations, in the order in which to check it.
	Access []*Access
	// Estimates are those that the rules went by.
	Estimates *estimate.Estimator
}

// Build binds a query and optimizes it. Errors that the user caused are
// *value.Error.
func Build(q *sql.Query, cat Catalog, opts Options) (*Plan, error) {
	b := newBinder(cat, &opts)
	rel, err := b.query(q, nil, false)
	if err != nil {
		return nil, err
	}
	return b.optimize(rel.node)
}

// optimize runs the rules over a bound plan.
func (b *binder) optimize(node algebra.Node) (*Plan, error) {
	if err := constantErrors(b.opts.Meter, node, 0); err != nil {
		return nil, err
	}
	if err := checkGroups(node); err != nil {
		return nil, err
	}
	if err := b.checkRandoms(node); err != nil {
		return nil, err
	}
	p := &Plan{Columns: node.Columns(), Declared: b.declaredColumns(node), Params: b.params, Access: b.access.checked(), Momentary: b.momentary, Estimates: estimate.New(b.opts.Meter)}
	if b.opts.Trace {
		p.Bound = node
	}
	var err error
	p.Root, p.Steps, err = rewrite.Run(node, rewrite.Options{
		Disable: b.opts.Disable, Verify: b.opts.Verify, Trace: b.opts.Trace, Weigh: b.opts.Weigh, LastID: b.lastID, Estimates: p.Estimates, Meter: b.opts.Meter,
	})
	if err != nil {
		return nil, err
	}
	p.Columns = p.Root.Columns()
	return p, nil
}

// itoa is a number in decimal.
func itoa(n int) string { return strconv.Itoa(n) }
