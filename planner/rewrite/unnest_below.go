package rewrite

import "github.com/cubeloom/cubeloom/planner/algebra"

// belowSubqueries moves conditions of a filter under the node below it that computes
// subqueries or is a dependent join, so that these are evaluated for the rows that remain.
// Only conditions move that hold no subquery, cannot raise an error, and name columns that
// the node passes on.
func belowSubqueries(n *algebra.Filter) algebra.Node {
	switch in := n.Input.(type) {
	case *algebra.Project:
		var passed []algebra.Item
		for _, item := range in.Items {
			if _, ok := item.Expr.(*algebra.ColumnRef); ok {
				passed = append(passed, item)
			}
		}
		if len(passed) == 0 || !nodeHasSubquery(in) {
			return n
		}
		var cols algebra.ColSet
		for _, item := range passed {
			cols.Add(item.Column.ID)
		}
		below, above := splitMovable(n.Conds, cols)
		if len(below) == 0 {
			return n
		}
		return filter(mapInput(in, filter(in.Input, substituteAll(below, passed))), above)
	case *algebra.Apply:
		if in.Kind != algebra.JoinInner && !preservesLeft(in.Kind) {
			return n
		}
		below, above := splitMovable(n.Conds, algebra.Outputs(in.Left))
		if len(below) == 0 {
			return n
		}
		moved := *in
		moved.Left = filter(in.Left, below)
		return filter(&moved, above)
	}
	return n
}

// splitMovable returns the conditions that may move under a node which passes some columns
// on, and the others.
func splitMovable(conds []algebra.Expr, cols algebra.ColSet) (below, above []algebra.Expr) {
	for _, cond := range conds {
		refs := algebra.References(cond)
		if !refs.Empty() && refs.SubsetOf(cols) && !algebra.MayRaise(cond, nil) && firstRandom(cond) == nil {
			below = append(below, cond)
		} else {
			above = append(above, cond)
		}
	}
	return below, above
}
