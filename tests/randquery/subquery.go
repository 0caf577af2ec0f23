package randquery

// subquery makes an expression of a kind with a subquery over the columns of s.
func (g *generator) subquery(s scope, k Kind) *Expr {
	e := &Expr{kind: k, parts: []string{""}}
	if k != Bool || g.chance(25) {
		g.within(s, func() { e.query = g.oneRow(k) })
		return e
	}
	if g.chance(40) {
		e.parts[0], e.after = pick(g.Rand, "(EXISTS ", "(NOT EXISTS "), ")"
		g.within(s, func() { e.query = g.query(0, nil, false) })
		return e
	}
	want := []Kind{pick(g.Rand, g.kinds...)}
	operator := pick(g.Rand, " IN ", " NOT IN ", " IN ", " NOT IN ")
	switch {
	case g.chance(30):
		operator = pick(g.Rand, " = ", " <> ", " < ", " <= ", " > ", " >= ") + pick(g.Rand, "ANY ", "ALL ", "SOME ")
	case g.chance(25):
		want = append(want, pick(g.Rand, g.kinds...))
	}
	e.parts, e.after = []string{"("}, ")"
	for i, kind := range want {
		if i > 0 {
			e.parts = append(e.parts, ", ")
		}
		e.kids = append(e.kids, g.expr(s, kind, 1))
	}
	if len(want) > 1 {
		e.parts[0], operator = "((", ")"+operator
	}
	e.parts = append(e.parts, operator)
	g.within(s, func() { e.query = g.query(0, want, false) })
	return e
}

// oneRow makes a query of one column that has one row at most: an aggregation
// of all rows, or the first row.
func (g *generator) oneRow(k Kind) *Query {
	if g.chance(35) {
		q := g.selectQuery(0, []Kind{k}, false)
		q.order = []orderKey{{1, pick(g.Rand, "", " DESC", " NULLS FIRST")}}
		q.limit = 1
		return q
	}
	q := &Query{limit: -1, offset: -1}
	columns := g.from(q, 0)
	g.where(q, columns)
	offered := g.withOuter(g.aggregates(columns, true))
	g.items(q, offered, []Kind{k}, true)
	q.items[0].alias = "c1"
	if g.chance(20) {
		q.having = g.expr(offered, Bool, 1)
	} else if !q.items[0].expr.hasAggregate() {
		q.having = &Expr{kind: Bool, parts: []string{"(count(*) >= 0)"}, aggregate: true} // it is an aggregation all the same
	}
	return q
}
