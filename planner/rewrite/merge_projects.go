package rewrite

import "github.com/cubeloom/cubeloom/planner/algebra"

// mergeProjects makes one project of two, one filter of two, and computes in
// an aggregate or a sort what a project below computes for it. A column that
// is costly and used more than once stays where it is computed once.
//
//	before: project p + 1 over project a + b as p
//	after:  project a + b + 1
//	never:  project p || x, p || y over a costly p: it would be computed twice
func mergeProjects(c *context, n algebra.Node) algebra.Node {
	return c.transform(n, func(n algebra.Node) algebra.Node {
		switch n := n.(type) {
		case *algebra.Project:
			return mergeProject(n)
		case *algebra.Filter:
			if below, ok := n.Input.(*algebra.Filter); ok {
				conds := append(append([]algebra.Expr(nil), below.Conds...), n.Conds...)
				return &algebra.Filter{Input: below.Input, Conds: conds}
			}
		case *algebra.Aggregate:
			return mergeIntoAggregate(n)
		}
		return n
	})
}

func mergeProject(n *algebra.Project) algebra.Node {
	below, ok := n.Input.(*algebra.Project)
	if !ok || !worthInlining(n, below) {
		return n
	}
	by := itemMap(below.Items)
	items := make([]algebra.Item, len(n.Items))
	for i, item := range n.Items {
		items[i] = algebra.Item{Column: item.Column, Expr: algebra.Substitute(item.Expr, by)}
	}
	// A column that was passed on keeps its ID, which is now the computed one's.
	return &algebra.Project{Input: below.Input, Items: items}
}

func itemMap(items []algebra.Item) map[algebra.ColumnID]algebra.Expr {
	by := make(map[algebra.ColumnID]algebra.Expr, len(items))
	for _, item := range items {
		by[item.Column.ID] = item.Expr
	}
	return by
}

// worthInlining reports whether n can compute what below computes without doing
// costly work twice.
func worthInlining(n algebra.Node, below *algebra.Project) bool {
	uses := make(map[algebra.ColumnID]int)
	algebra.VisitExprs(n, func(e algebra.Expr) {
		algebra.WalkExpr(e, func(e algebra.Expr) bool {
			if ref, ok := e.(*algebra.ColumnRef); ok {
				uses[ref.Column.ID]++
			}
			return true
		})
	})
	for _, item := range below.Items {
		if uses[item.Column.ID] > 1 && !isCheap(item.Expr) {
			return false
		}
	}
	return true
}

// isCheap reports whether an expression is a column or a constant.
func isCheap(e algebra.Expr) bool {
	_, isCall := e.(*algebra.Call)
	_, isCase := e.(*algebra.Case)
	return !isCall && !isCase
}

func mergeIntoAggregate(n *algebra.Aggregate) algebra.Node {
	below, ok := n.Input.(*algebra.Project)
	if !ok || !worthInlining(n, below) {
		return n
	}
	by := itemMap(below.Items)
	out := algebra.MapExprs(n, func(e algebra.Expr) algebra.Expr { return algebra.Substitute(e, by) })
	return mapInput(out, below.Input)
}
