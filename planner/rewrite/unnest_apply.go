package rewrite

import "github.com/cubeloom/cubeloom/planner/algebra"

// apply joins each row of left with the rows that right has for it where all
// conditions hold. Kind is inner, left, semi or anti; others have a right side
// that does not depend on the left one.
func (u *unnester) apply(kind algebra.JoinKind, left, right algebra.Node, conds []algebra.Expr) algebra.Node {
	outer := algebra.Outputs(left)
	if !algebra.FreeColumns(right).Intersects(outer) {
		return &algebra.Join{Kind: kind, Left: left, Right: right, Residual: conds}
	}
	p := u.pull(right, outer)
	elsewhere := algebra.References(algebra.Conjunction(conds)).Minus(algebra.Outputs(right)) // in left, and in queries around both
	only, _ := splitMovable(conds, elsewhere)                                                 // no partner is needed for other rows of left
	source := filter(left, only)
	if p == nil {
		p = u.pullGroups(right, source)
	} else if kind == algebra.JoinLeft && len(only) > 0 {
		p.guard(algebra.Conjunction(only))
	}
	switch {
	case p == nil:
		return u.joinDomain(kind, left, right, conds, source)
	case p.single:
		return u.joinSingle(kind, left, p, conds)
	}
	return u.joinPulled(kind, left, p, conds)
}

// joinPulled joins on what was pulled.
func (u *unnester) joinPulled(kind algebra.JoinKind, left algebra.Node, p *pulled, conds []algebra.Expr) algebra.Node {
	node := p.node
	by := p.exprs()
	conds = append(substituteIn(conds, by), p.conds...)
	if kind == algebra.JoinLeft && len(p.deferred) > 0 {
		// What is computed above the join is NULL in a row that has no partner.
		found := algebra.Item{
			Column: u.newColumn(algebra.Column{Name: "found", Type: algebra.TBool}), Expr: boolConst(true),
		}
		node = &algebra.Project{Input: node, Items: append(passOn(node.Columns()), found)}
		for i := range p.deferred {
			p.deferred[i].Expr = guarded(newCall(algebra.IsTrue, found.Column.Ref()), p.deferred[i].Expr)
		}
	}
	join := &algebra.Join{Kind: kind, Left: left, Right: node, Residual: conds}
	p.deferTo(join)
	if kind == algebra.JoinSemi || kind == algebra.JoinAnti {
		return join
	}
	return compute(join, p.deferred)
}

// guard computes what the conditions compare with columns of the subquery, and may raise an error, where a
// condition on the outer row is true alone.
func (p *pulled) guard(cond algebra.Expr) {
	inner := algebra.Outputs(p.node)
	for i, c := range p.conds {
		if of, _, ok := outerEquals(c, inner); ok && algebra.MayRaise(of, nil) {
			p.conds[i] = algebra.RewriteExpr(c, func(e algebra.Expr) algebra.Expr {
				if e == of {
					return guarded(cond, of)
				}
				return e
			})
		}
	}
}

// guarded is an expression where a condition is true, else NULL.
func guarded(cond, e algebra.Expr) algebra.Expr {
	return &algebra.Case{Whens: []algebra.When{{Cond: cond, Then: e}}, Typ: e.Type()}
}

// joinSingle joins each left row with its one group, or with what an
// aggregation of nothing gives where it has none.
func (u *unnester) joinSingle(kind algebra.JoinKind, left algebra.Node, p *pulled, conds []algebra.Expr) algebra.Node {
	join := &algebra.Join{Kind: algebra.JoinLeft, Left: left, Right: p.node, Residual: p.conds}
	after := append(append([]algebra.Expr(nil), p.after...), substituteIn(conds, p.exprs())...)
	after = substituteIn(after, p.deferTo(join))
	switch kind {
	case algebra.JoinSemi:
		return filter(join, after)
	case algebra.JoinAnti:
		holds := newCall(algebra.IsTrue, algebra.Conjunction(after))
		return filter(join, []algebra.Expr{newCall(algebra.Not, holds)})
	case algebra.JoinLeft:
		if len(after) > 0 {
			for i := range p.deferred {
				p.deferred[i].Expr = guarded(algebra.Conjunction(after), p.deferred[i].Expr)
			}
		}
		return compute(join, p.deferred)
	}
	return compute(filter(join, after), p.deferred)
}

// deferTo makes the deferred columns refer to the columns as a join has them:
// some can be NULL now. It returns those references.
func (p *pulled) deferTo(join *algebra.Join) map[algebra.ColumnID]algebra.Expr {
	refs := make(map[algebra.ColumnID]algebra.Expr)
	for _, c := range join.Columns() {
		refs[c.ID] = c.Ref()
	}
	for i := range p.deferred {
		p.deferred[i].Expr = algebra.Substitute(p.deferred[i].Expr, refs)
	}
	return refs
}
