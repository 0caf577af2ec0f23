package rewrite

import (
	"time"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/estimate"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Options are the settings of one run.
type Options struct {
	Disable map[string]bool // names of rules that are left out
	Verify  bool            // verify the plan after every rule
	Trace   bool            // keep the plan after every rule
	Weigh   bool            // keep what rules chose from, also where they could know sooner what to take
	LastID  algebra.ColumnID
	// Estimates are those that the rules go by, and keep for who comes after them.
	Estimates *estimate.Estimator
	Meter     *value.Meter // of what the rules cost; nil bounds nothing
}

// Step says what one rule did.
type Step struct {
	Rule    string
	Time    time.Duration
	Changed bool
	After   algebra.Node // the plan after the rule; set with Trace
	// Decisions are the choices that the rule made by costs; set with Weigh.
	Decisions []strategy.Decision
}

// context is what rules share during one run.
type context struct {
	opts   Options
	lastID algebra.ColumnID
	est    *estimate.Estimator
	err    error // the first refusal
	copied int   // nodes of plans
	// run runs all rules: the rule recursions has plans of its own to run them over.
	run func(algebra.Node, Options) (algebra.Node, []Step, error)
	// through runs the rules of a scope over a plan that Spools read.
	through func(algebra.Node, scope) algebra.Node

	decisions []strategy.Decision // of the rule at hand
}

// scope says over what a rule runs.
type scope int

// The scopes of rules.
const (
	statement scope = iota // the plan of a whole query
	part                   // any plan
	finish                 // any plan, when no rule of scope part changes it any more
)

// refuse says that a construct of the query is not supported; what names it.
// The plan is given up.
func (c *context) refuse(what string) { c.refuseAt(value.NoPos, what) }

// refuseAt is refuse for a construct whose place in the text is known.
func (c *context) refuseAt(pos int, what string) {
	if c.err == nil {
		c.err = value.ErrorAt(pos, value.CodeFeatureNotSupported, "%s not supported", what)
	}
}

// transform is algebra.Transform until the statement is to end.
func (c *context) transform(n algebra.Node, f func(algebra.Node) algebra.Node) algebra.Node {
	return algebra.Transform(n, func(n algebra.Node) algebra.Node {
		c.opts.Meter.Must(nodeWork)
		return f(n)
	})
}

// nodeWork is what a rule costs at a node, in bytes looked at.
const nodeWork = 8 << 10

// newColumn makes a column with a fresh ID.
func (c *context) newColumn(like algebra.Column) algebra.Column {
	c.lastID++
	like.ID = c.lastID
	return like
}
