package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/check"
	"github.com/cubeloom/cubeloom/planner/bind/query"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/estimate"
	"github.com/cubeloom/cubeloom/planner/rewrite"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Plan is an optimized query.
type Plan struct {
	Root algebra.Node
	// Columns are the output columns: those of Root, in order.
	Columns []algebra.Column
	// Declared says which columns are numerics whose precision and scale are ones that
	// somebody gave them.
	Declared []bool
	// Domains says of which domains columns are, nil for none; it is nil where no column is of one.
	Domains []*algebra.Domain
	// Params are the types of the parameters, as far as they are known.
	Params []algebra.Type
	// Bound is the plan as it was bound, before any rule; set with Trace.
	Bound   algebra.Node
	located algebra.ColSet // the columns tableoid of it
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

// optimize runs the rules over a bound plan.
func optimize(b *scope.Binder, node algebra.Node) (_ *Plan, err error) {
	defer sqlstate.Catch(&err)
	node = query.InlineSpools(b, node)
	sqlstate.Check(check.Constants(b.Opts.Meter, node, 0))
	node = sqlstate.Must(checked(b, node, make(map[algebra.ColumnID]algebra.Node)))
	p := &Plan{Columns: node.Columns(), Declared: check.Declared(b, node), Domains: check.Domains(b, node), Params: b.Params, Access: b.Access.Checked(), Momentary: b.Momentary, Estimates: estimate.New(b.Opts.Meter)}
	if b.Opts.Trace {
		p.Bound, p.located = node, b.Located
	}
	p.Root, p.Steps, err = rewrite.Run(node, rewrite.Options{
		Disable: b.Opts.Disable, Verify: b.Opts.Verify, Trace: b.Opts.Trace, Weigh: b.Opts.Weigh, LastID: b.LastID, Estimates: p.Estimates, Meter: b.Opts.Meter,
	})
	sqlstate.Check(err)
	p.Columns = p.Root.Columns()
	return p, nil
}

// Computing is Options.Compute for those who can run a plan of one value.
func Computing(run func(*Plan) (value.Value, error)) scope.Compute {
	return func(b *scope.Binder, n algebra.Node) (value.Value, error) {
		plan, err := optimize(b, n)
		if err != nil {
			return value.Value{}, err
		}
		return run(plan)
	}
}

// checked is a bound plan that satisfies what check asks for, with the plans of its Spools,
// which spooled keeps.
func checked(b *scope.Binder, node algebra.Node, spooled map[algebra.ColumnID]algebra.Node) (algebra.Node, error) {
	node, err := check.Groups(b, node)
	if err == nil {
		err = check.Randoms(b, node)
	}
	if b.Spools == 0 || err != nil {
		return node, err
	}
	node = algebra.MapSpools(node, func(s *algebra.Spool) algebra.Node {
		if _, ok := spooled[s.ID]; !ok && err == nil {
			spooled[s.ID], err = checked(b, s.Input, spooled)
		}
		c := *s
		c.Input = spooled[s.ID]
		return &c
	})
	return node, err
}
