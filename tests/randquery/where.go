package randquery

// where adds a condition to some queries; in subqueries it often compares a
// column with one of the queries around.
func (g *generator) where(q *Query, columns scope) {
	if g.chance(45) {
		q.where = g.expr(g.withOuter(columns), Bool, 3)
	}
	if len(g.outer) == 0 || !g.chance(70) || len(columns) == 0 {
		return
	}
	column := pick(g.Rand, columns...)
	partners := g.outer.of(column.kind)
	if len(partners) == 0 || column.inexact {
		return
	}
	operator := pick(g.Rand, "=", "=", "=", "=", "<>", "<", ">=", "IS NOT DISTINCT FROM")
	cond := &Expr{
		kind: Bool, parts: []string{"(", " " + operator + " ", ")"},
		kids: []*Expr{column.clone(), pick(g.Rand, partners...).clone()},
	}
	if q.where != nil {
		cond = &Expr{kind: Bool, parts: []string{"(", " AND ", ")"}, kids: []*Expr{q.where, cond}}
	}
	q.where = cond
}

// wantsLateral decides whether the next source is a lateral one.
func (g *generator) wantsLateral() bool {
	if g.subqueries == 0 || !g.chance(25) {
		return false
	}
	g.subqueries--
	return true
}
