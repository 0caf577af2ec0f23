package rewrite

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// A gate is a plan of one row with a column that says whether the guards hold that are the same for all rows.
type gate struct {
	plan  algebra.Node
	holds algebra.Column
}

// behind has what a plan without subqueries computes, and may raise an error, computed only where a gate holds, which
// is joined where it is needed.
func (c *context) behind(n algebra.Node, g gate) algebra.Node {
	return algebra.Transform(n, func(n algebra.Node) algebra.Node {
		inputs := slices.Clone(algebra.Inputs(n))
		if len(inputs) == 0 || !nodeMayRaise(n) {
			return n
		}
		once, of := c.clone(g.plan)
		inputs[0] = &algebra.Join{Kind: algebra.JoinInner, Left: inputs[0], Right: once}
		mapped := algebra.MapExprs(n, func(e algebra.Expr) algebra.Expr {
			if !algebra.MayRaise(e, nil) {
				return e
			}
			return guarded(of.of(g.holds).Ref(), e)
		})
		return withColumns(algebra.WithInputs(mapped, inputs...), n.Columns())
	})
}

func planMayRaise(n algebra.Node) bool {
	raises := false
	algebra.Walk(n, func(n algebra.Node) bool {
		raises = raises || nodeMayRaise(n)
		return !raises
	})
	return raises
}

func nodeMayRaise(n algebra.Node) bool {
	raises := false
	algebra.VisitExprs(n, func(e algebra.Expr) { raises = raises || algebra.MayRaise(e, nil) })
	return raises
}
