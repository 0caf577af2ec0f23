package rewrite

import "github.com/cubeloom/cubeloom/planner/algebra"

// sourceOf is a plan whose rows have the same combinations of the wanted columns as
// those of n, without joins that only add columns. The values of one subquery would else
// be part of the domain of the next, and the plan twice as large with each.
func sourceOf(n algebra.Node, wanted algebra.ColSet) algebra.Node {
	switch n := n.(type) {
	case *algebra.Project:
		if passes(n, wanted) {
			return sourceOf(n.Input, wanted)
		}
	case *algebra.Filter:
		return mapInput(n, sourceOf(n.Input, wanted.Union(referencesOf(n))))
	case *algebra.Join:
		return sourceOfJoin(n, wanted)
	}
	return n
}

// passes reports whether a projection passes the wanted columns on as they are.
func passes(n *algebra.Project, wanted algebra.ColSet) bool {
	for i := range n.Items {
		if item := &n.Items[i]; wanted.Has(item.Column.ID) && !item.PassesOn() {
			return false
		}
	}
	return true
}

func sourceOfJoin(n *algebra.Join, wanted algebra.ColSet) algebra.Node {
	left, right := algebra.Outputs(n.Left), algebra.Outputs(n.Right)
	keepsLeft := n.Kind == algebra.JoinLeft || n.Kind == algebra.JoinInner && len(n.Keys)+len(n.Residual) == 0 && hasOneRow(n.Right)
	switch {
	case keepsLeft && !wanted.Intersects(right):
		return sourceOf(n.Left, wanted)
	case n.Kind == algebra.JoinRight && !wanted.Intersects(left):
		return sourceOf(n.Right, wanted)
	}
	wanted = wanted.Union(referencesOf(n))
	join := *n
	join.Left, join.Right = sourceOf(n.Left, wanted), sourceOf(n.Right, wanted)
	return &join
}

// referencesOf are the columns that the expressions of a node refer to.
func referencesOf(n algebra.Node) algebra.ColSet {
	var refs algebra.ColSet
	algebra.VisitExprs(n, refs.AddReferences)
	return refs
}
