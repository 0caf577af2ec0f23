package rewrite

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// unnest makes joins of subqueries and of dependent joins, so that nothing is
// evaluated once for each row: a condition that a subquery has rows becomes a
// semi join, that it has none an anti join, and a subquery's value a column
// that is joined to the relation that the expression is over. What the subquery
// takes from that relation is brought into the join's conditions where it
// stands in filters (pulled); else the subquery is evaluated for all different
// values at once (domain), as in Neumann and Kemper, Unnesting Arbitrary
// Queries, 2015.
//
//	before: filter EXISTS (u filtered by u.a = t.a) over t
//	after:  t semi join u on t.a = u.a
//	never:  filter b IN (1, 2, 3): a list is no subquery
func unnest(c *context, n algebra.Node) algebra.Node {
	if !isNested(n) {
		return n
	}
	u := &unnester{context: c}
	return withColumns(u.node(inlined(n)), n.Columns())
}

// node returns n without subqueries. The result may have more columns than n.
func (u *unnester) node(n algebra.Node) algebra.Node {
	switch n := n.(type) {
	case *algebra.SetOp: // its operands' columns count by position
		return algebra.MapInputs(n, func(in algebra.Node) algebra.Node { return withColumns(u.node(in), in.Columns()) })
	case *algebra.Apply:
		return u.on(n.Kind, u.node(n.Left), u.node(n.Right), n.Conds)
	case *algebra.Filter:
		if moved := belowSubqueries(n); moved != n {
			return u.node(moved)
		}
	}
	n = algebra.MapInputs(n, u.node)
	if limit, ok := n.(*algebra.Limit); ok {
		return pushLimit(limit) // to the order that it goes by
	}
	if !nodeHasSubquery(n) {
		return n
	}
	switch n := n.(type) {
	case *algebra.Filter:
		return u.filter(n.Input, n.Conds)
	case *algebra.Join:
		return u.on(n.Kind, n.Left, n.Right, n.Residual)
	}
	v := u.over(algebra.Inputs(n)[0])
	n = algebra.MapExprs(n, v.expr)
	return mapInput(n, v.in)
}

// filter keeps the rows for which all conditions hold. Those without subqueries come first, and then those that
// are the same for all rows, as in PostgreSQL: they may guard what a subquery computes.
func (u *unnester) filter(in algebra.Node, conds []algebra.Expr) algebra.Node {
	nested, plain := divide(conds, hasSubquery)
	in = filter(in, plain)
	once, others := divide(nested, isOnce)
	var known guards
	for _, cond := range append(once, others...) {
		in = u.keep(in, cond, known)
		known = known.and(cond)
	}
	return in
}

// keep keeps the rows for which a condition with subqueries holds, where what guards it does.
func (u *unnester) keep(in algebra.Node, cond algebra.Expr, known guards) algebra.Node {
	e, not := cond, false
	if call, ok := cond.(*algebra.Call); ok && call.Func == algebra.Not {
		e, not = call.Args[0], true
	}
	v := u.over(in)
	v.guards.once = known.once
	sub, ok := e.(*algebra.Subquery)
	switch {
	case ok && sub.Kind == algebra.SubqueryExists:
		kind := map[bool]algebra.JoinKind{false: algebra.JoinSemi, true: algebra.JoinAnti}[not]
		return u.apply(kind, in, withoutIdle(v.gated(u.node(sub.Plan))), nil)
	case ok && sub.Kind == algebra.SubqueryAny:
		own := *sub
		own.Test = v.gatedTest(sub.Test)
		plan := v.gated(u.node(sub.Plan))
		test := v.test(&own, plan)
		switch cmp, single := comparisonOf(plan, test); {
		case single && cmp.byExtremes() && algebra.CanBeNull(test):
			e = v.any(plan, test)
			if not {
				e = newCall(algebra.Not, e)
			}
			return filter(v.in, []algebra.Expr{e})
		case not:
			return v.none(plan, test)
		}
		return u.apply(algebra.JoinSemi, v.in, plan, algebra.Conjuncts(test))
	}
	e = v.expr(cond)
	return filter(v.in, algebra.Conjuncts(e))
}

// on is a join, dependent or not, whose conditions may hold subqueries. Those
// of an inner join are evaluated on its result. Those of an outer join become
// columns of the side that they refer to; where one refers to both sides, the
// join is a dependent one with the rows that pass the conditions.
func (u *unnester) on(kind algebra.JoinKind, left, right algebra.Node, conds []algebra.Expr) algebra.Node {
	switch {
	case kind == algebra.JoinInner:
		nested, plain := divide(conds, hasSubquery)
		return u.filter(u.apply(kind, left, right, plain), nested)
	case !refersToBoth(conds, left, right):
		return u.onSides(kind, left, right, conds)
	case kind == algebra.JoinLeft:
		return u.apply(kind, left, u.filter(right, conds), nil)
	case kind == algebra.JoinRight:
		return u.apply(algebra.JoinLeft, right, u.filter(left, conds), nil)
	}
	u.refuse("FULL JOIN with a subquery that refers to both sides in its condition is")
	return left
}

// refersToBoth reports whether a subquery in conditions, or a CASE that may guard one, refers to both sides.
func refersToBoth(conds []algebra.Expr, left, right algebra.Node) bool {
	found := false
	for _, cond := range conds {
		algebra.WalkExpr(cond, func(e algebra.Expr) bool {
			_, isCase := e.(*algebra.Case)
			_, isSubquery := e.(*algebra.Subquery)
			if isSubquery || isCase && hasSubquery(e) {
				refs := algebra.References(e)
				found = found || refs.Intersects(algebra.Outputs(left)) && refs.Intersects(algebra.Outputs(right))
			}
			return !found
		})
	}
	return found
}

// onSides is an outer join whose subqueries each refer to one side at most.
func (u *unnester) onSides(kind algebra.JoinKind, left, right algebra.Node, conds []algebra.Expr) algebra.Node {
	l, r := u.over(left), u.over(right)
	var side func(e algebra.Expr) algebra.Expr
	side = func(e algebra.Expr) algebra.Expr {
		refs := algebra.References(e)
		switch {
		case !refs.Intersects(algebra.Outputs(right)):
			return l.expr(e)
		case !refs.Intersects(algebra.Outputs(left)):
			return r.expr(e)
		}
		return algebra.MapOperands(e, side)
	}
	mapped := lists.Map(conds, side)
	return u.apply(kind, l.in, r.in, mapped)
}

func (u *unnester) over(in algebra.Node) *valuer {
	return &valuer{unnester: u, in: in, known: make(map[algebra.ColumnID]known)}
}

// expr returns e over v.in without subqueries.
func (v *valuer) expr(e algebra.Expr) algebra.Expr {
	if n, ok := e.(*algebra.Case); ok && hasSubquery(n) {
		return v.branches(n)
	}
	if n, ok := e.(*algebra.Call); ok && (n.Func == algebra.And || n.Func == algebra.Or) && hasSubquery(n) {
		return v.operands(n)
	}
	sub, ok := e.(*algebra.Subquery)
	if !ok {
		return algebra.MapOperands(e, v.expr)
	}
	was, ok := v.known[sub.ID]
	if !ok || !was.guards.among(v.guards) {
		was = v.guarded(sub)
		v.known[sub.ID] = was
	}
	return was.value
}

// branches returns a CASE without subqueries. One that stands in a result and may raise an error
// is evaluated for the rows that take this result: the conditions are there to guard it.
func (v *valuer) branches(n *algebra.Case) algebra.Expr {
	out := &algebra.Case{Typ: n.Typ}
	around := v.guards
	before := around
	for _, when := range n.Whens {
		v.guards = before
		cond := v.expr(when.Cond)
		for _, part := range algebra.Conjuncts(when.Cond) {
			v.guard(part)
		}
		out.Whens = append(out.Whens, algebra.When{Cond: cond, Then: v.expr(when.Then)})
		v.guards = before
		v.guard(newCall(algebra.Not, newCall(algebra.IsTrue, when.Cond)))
		before = v.guards
	}
	if n.Else != nil {
		out.Else = v.expr(n.Else)
	}
	v.guards = around
	return out
}

// operands returns an AND or OR without subqueries. One that may raise an error is evaluated for the
// rows for which the operands before it do not decide.
func (v *valuer) operands(n *algebra.Call) algebra.Expr {
	decides := algebra.IsTrue
	if n.Func == algebra.And {
		decides = algebra.IsFalse
	}
	around := v.guards
	mapped := algebra.MapOperands(n, func(operand algebra.Expr) algebra.Expr {
		out := v.expr(operand)
		v.guard(newCall(algebra.Not, newCall(decides, operand)))
		return out
	})
	v.guards = around
	return mapped
}

// guard adds a condition to the guards, but for one on a row of a subquery whose test is at hand: what the test
// computes of the row around the subquery is computed before.
func (v *valuer) guard(cond algebra.Expr) {
	if !algebra.References(cond).Intersects(v.tested) {
		v.guards = v.guards.and(cond)
	}
}

// guarded computes a subquery, for the rows that pass the guards alone where it needs them. Then it
// has columns of its own, as it may stand in other places too.
func (v *valuer) guarded(sub *algebra.Subquery) known {
	around, late := v.guards, v.late
	defer func() { v.guards, v.late = around, late }()
	once, needed := algebra.References(sub).Empty(), v.needed(sub)
	v.guards = needed
	v.late = !around.empty() && once
	if needed.empty() {
		return known{v.value(sub), needed}
	}
	own := *sub
	plan := v.node(sub.Plan)
	if sub.Kind != algebra.SubqueryAny && (once || len(needed.rows) == 0) {
		if e, ok := v.recall(sub, plan); ok { // computed where nothing guards it
			return known{e, guards{}}
		}
	}
	plan, of := v.clone(plan)
	if sub.Test != nil {
		own.Test = v.gatedTest(of.expr(sub.Test))
	}
	v.guards.once = append(slices.Clip(v.guards.once), v.passing(plan)...)
	if once {
		v.guards.rows = nil // it is computed once
	}
	own.Plan = v.gated(plan)
	return known{v.value(&own), needed}
}

// needed are the guards that a subquery needs: none where it raises no error.
func (v *valuer) needed(sub *algebra.Subquery) guards {
	needed := v.guards
	if v.copied > maxCopied/2 { // guards are plans, too
		needed.once = nil
		if algebra.References(sub).Empty() {
			needed.rows = nil
		}
	}
	if needed.empty() || !planMayRaise(sub.Plan) && (sub.Test == nil || !algebra.MayRaise(sub.Test, nil)) {
		return guards{}
	}
	return needed
}

// gated has what a plan without subqueries computes, and may raise an error, computed only where the guards hold that
// are the same for all rows.
func (v *valuer) gated(n algebra.Node) algebra.Node {
	if len(v.guards.once) == 0 || !planMayRaise(n) {
		return n
	}
	holds := v.newColumn(algebra.Column{Name: "guard", Type: algebra.TBool, Nullable: true})
	row := &algebra.Values{Rows: [][]value.Value{{}}}
	plan := v.node(&algebra.Project{Input: row, Items: []algebra.Item{{Column: holds, Expr: algebra.Conjunction(v.guards.once)}}})
	return v.behind(n, gate{withColumns(plan, []algebra.Column{holds}), holds})
}

// gatedTest has what a test computes, and may raise an error, computed only where the guards hold that are the same for
// all rows. Their subqueries are joined to the relation, as the test is of its rows.
func (v *valuer) gatedTest(test algebra.Expr) algebra.Expr {
	if len(v.guards.once) == 0 || !mayRaiseOver(test, v.in) {
		return test
	}
	around := v.guards
	v.guards = guards{}
	holds := v.expr(algebra.Conjunction(around.once))
	v.guards = around
	return operandsWhere(holds, test)
}

// test returns the test of a subquery, whose rows a plan gives, without subqueries.
func (v *valuer) test(sub *algebra.Subquery, plan algebra.Node) algebra.Expr {
	around := v.tested
	defer func() { v.tested = around }()
	v.tested = around.Union(algebra.Outputs(plan))
	return v.expr(sub.Test)
}

func (v *valuer) value(sub *algebra.Subquery) algebra.Expr {
	plan := v.node(sub.Plan)
	if sub.Kind == algebra.SubqueryAny {
		return v.any(plan, v.test(sub, plan))
	}
	if known, ok := v.recall(sub, plan); ok {
		return known
	}
	c := computed{kind: sub.Kind, plan: plan, nodes: countNodes(plan), col: subqueryColumn(sub)}
	if sub.Kind == algebra.SubqueryScalar {
		c.value = v.scalar(plan, c.col)
	} else {
		c.value = v.exists(withoutIdle(plan))
	}
	if c.in = v.in; len(v.guards.rows) == 0 {
		v.computed = append(v.computed, c)
	}
	return c.value
}
