package rewrite

import "github.com/cubeloom/cubeloom/planner/algebra"

// inlined has the expressions of subqueries without FROM in their places: t.a + 1 for
// (SELECT t.a + 1). A condition with one guards what is behind it, as one without subqueries does.
func inlined(n algebra.Node) algebra.Node {
	return algebra.Transform(n, func(n algebra.Node) algebra.Node {
		return algebra.MapExprs(n, func(e algebra.Expr) algebra.Expr { return algebra.RewriteExpr(e, inlinedSubquery) })
	})
}

// inlinedSubquery is the expression of a subquery without FROM. One that depends on no row stays, as it
// is evaluated once, and so does one whose values differ from one evaluation to the next.
func inlinedSubquery(e algebra.Expr) algebra.Expr {
	sub, ok := e.(*algebra.Subquery)
	if !ok || sub.Kind != algebra.SubqueryScalar {
		return e
	}
	p, ok := sub.Plan.(*algebra.Project)
	if !ok || len(p.Items) != 1 {
		return e
	}
	from, ok := p.Input.(*algebra.Values)
	of := p.Items[0].Expr
	if !ok || len(from.Cols) > 0 || len(from.Rows) != 1 || of.Type() != sub.Typ || algebra.References(of).Empty() || firstRandom(of) != nil {
		return e
	}
	return of
}
