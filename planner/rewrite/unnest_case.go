package rewrite

import "github.com/cubeloom/cubeloom/planner/algebra"

// branches returns a CASE without subqueries. One that stands in a result and may raise an error
// is evaluated for the rows that take this result: the conditions are there to guard it.
func (v *valuer) branches(n *algebra.Case) algebra.Expr {
	out := &algebra.Case{Typ: n.Typ}
	outer := v.guards
	defer func() { v.guards = outer }()
	for _, when := range n.Whens {
		before := v.guards
		v.guards = outer
		cond := newCall(algebra.IsTrue, v.expr(when.Cond))
		v.guards = append(before[:len(before):len(before)], cond)
		out.Whens = append(out.Whens, algebra.When{Cond: cond.Args[0], Then: v.expr(when.Then)})
		v.guards = append(before[:len(before):len(before)], newCall(algebra.Not, cond))
	}
	if n.Else != nil {
		out.Else = v.expr(n.Else)
	}
	return out
}

// guarded returns a subquery that is evaluated for the rows that pass the guards alone; false
// where it needs no guards. It has columns of its own, as it may stand in other places too.
func (v *valuer) guarded(sub *algebra.Subquery) (*algebra.Subquery, bool) {
	if !v.isGuarded(sub) {
		return nil, false
	}
	plan, of := v.clone(v.node(sub.Plan))
	own := *sub
	own.Plan = plan
	if sub.Test != nil {
		own.Test = of.expr(sub.Test)
	}
	return &own, true
}

func (v *valuer) isGuarded(sub *algebra.Subquery) bool {
	if len(v.guards) == 0 || !algebra.References(sub).Intersects(algebra.Outputs(v.in)) {
		return false
	}
	for _, cond := range v.guards {
		if firstRandom(cond) != nil {
			return false
		}
	}
	raises := sub.Test != nil && algebra.MayRaise(sub.Test, nil)
	algebra.Walk(sub.Plan, func(n algebra.Node) bool {
		algebra.VisitExprs(n, func(e algebra.Expr) { raises = raises || algebra.MayRaise(e, nil) })
		return !raises
	})
	return raises
}
