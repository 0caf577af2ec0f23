package fusion

import (
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/recursion"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// recursive adds the source of a recursive expression's rows and weaves the
// programs of its plans, whose results come together with each other and
// with those of other iterations.
func (g *graph) recursive(n *algebra.Recursive) (int, error) {
	base, err := weave(n.Base, g.opts, operators.Plain)
	if err != nil {
		return 0, err
	}
	term, err := weave(n.Term, g.opts, operators.Plain)
	if err != nil {
		return 0, err
	}
	loop := &Loop{Base: base, Term: term}
	if n.Counted != nil {
		if loop.Counted, err = weave(n.Counted, g.opts, operators.Plain); err != nil {
			return 0, err
		}
	}
	id := g.add(&recursion.Operator{Node: n}, g.est.Rows(n))
	g.loops[id] = loop
	return id, nil
}
