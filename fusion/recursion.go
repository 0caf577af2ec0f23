package fusion

import (
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/recursion"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// recursive adds the source of a recursive expression's rows and weaves the
// programs of its plans, whose results come together with each other and
// with those of other iterations.
func (g *graph) recursive(n *algebra.Recursive) int {
	opts := g.opts
	opts.Tune = false // iterations run on the host
	base := weave(n.Base, opts, operators.Plain)
	loop := &Loop{Base: base, Term: weave(n.Term, opts, operators.Plain)}
	if n.Counted != nil {
		loop.Counted = weave(n.Counted, opts, operators.Plain)
	}
	id := g.add(&recursion.Operator{Node: n}, g.est.Rows(n))
	g.loops[id] = loop
	return id
}
