package rewrite

import "github.com/cubeloom/cubeloom/planner/algebra"

// belowSubqueries moves conditions of a filter under the node below it that computes
// subqueries or is a dependent join, so that these are evaluated for the rows that remain.
// Only conditions move that hold no subquery and name columns that the node passes on. One
// that may raise an error stays behind the conditions that stood before it.
func belowSubqueries(n *algebra.Filter) algebra.Node {
	switch in := n.Input.(type) {
	case *algebra.Project:
		return belowProject(n, in)
	case *algebra.Join:
		return belowJoin(n, in)
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

// belowProject moves conditions on columns that a projection passes on.
func belowProject(n *algebra.Filter, in *algebra.Project) algebra.Node {
	var passed []algebra.Item
	var cols algebra.ColSet
	for _, item := range in.Items {
		if _, ok := item.Expr.(*algebra.ColumnRef); ok {
			passed = append(passed, item)
			cols.Add(item.Column.ID)
		}
	}
	below, above := splitMovable(n.Conds, cols)
	if len(below) == 0 || !isNested(in) {
		return n
	}
	return filter(mapInput(in, filter(in.Input, substituteAll(below, passed))), above)
}

// belowJoin moves conditions to the sides of an inner join that have subqueries or dependent joins.
func belowJoin(n *algebra.Filter, in *algebra.Join) algebra.Node {
	if in.Kind != algebra.JoinInner {
		return n
	}
	conds := n.Conds
	moved := algebra.MapInputs(in, func(side algebra.Node) algebra.Node {
		if !isNested(side) {
			return side
		}
		below, above := splitMovable(conds, algebra.Outputs(side))
		conds = above
		return filter(side, below)
	})
	if len(conds) == len(n.Conds) {
		return n
	}
	return filter(moved, conds)
}

// splitMovable returns the conditions that may move under a node which passes some columns
// on, and the others.
func splitMovable(conds []algebra.Expr, cols algebra.ColSet) (below, above []algebra.Expr) {
	for _, cond := range conds {
		refs := algebra.References(cond)
		guarded := len(above) > 0 && algebra.MayRaise(cond, nil)
		if !refs.Empty() && refs.SubsetOf(cols) && !guarded && !hasSubquery(cond) && firstRandom(cond) == nil {
			below = append(below, cond)
		} else {
			above = append(above, cond)
		}
	}
	return below, above
}
