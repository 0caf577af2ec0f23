package randquery

import (
	"fmt"
	"regexp"
)

// plainColumn is a column as a subquery can name it, whatever its own relations
// are called.
var plainColumn = regexp.MustCompile(`^a[0-9]+\.[a-z0-9]+$`)

// plainColumns are the columns of a scope that subqueries can name: those that
// are not computed.
func plainColumns(s scope) scope {
	var plain scope
	for _, e := range s {
		if e.column && !e.inexact && len(e.kids) == 0 && plainColumn.MatchString(e.parts[0]) {
			plain = append(plain, e)
		}
	}
	return plain
}

// within makes something in which the columns of s can be named besides what
// the queries around offer.
func (g *generator) within(s scope, make func()) {
	saved, pairs := g.outer, g.pairs
	g.outer = append(saved[:len(saved):len(saved)], plainColumns(s)...)
	make()
	g.outer, g.pairs = saved, pairs
}

// withOuter adds the columns of the queries around to a scope.
func (g *generator) withOuter(s scope) scope {
	return append(s[:len(s):len(s)], g.outer...)
}

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

// hasAggregate reports whether an expression has an aggregate of its own query.
func (e *Expr) hasAggregate() bool {
	if e.aggregate {
		return true
	}
	for _, kid := range e.kids {
		if kid.hasAggregate() {
			return true
		}
	}
	return false
}

// withoutAggregates are the leaves that FILTER takes.
func (s scope) withoutAggregates() scope {
	var plain scope
	for _, e := range s {
		if !e.hasAggregate() {
			plain = append(plain, e)
		}
	}
	return plain
}

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

// lateral makes a derived table that can name the columns before it.
func (g *generator) lateral(before scope) (*source, scope) {
	s := &source{alias: g.alias(), lateral: true}
	pairs := 0
	g.within(before, func() {
		s.query = g.query(0, nil, false)
		pairs = g.pairs
	})
	g.pairs = pairs
	return s, qualified(s.alias, s.query.outputs())
}

// wantsLateral decides whether the next source is a lateral one.
func (g *generator) wantsLateral() bool {
	if g.subqueries == 0 || !g.chance(25) {
		return false
	}
	g.subqueries--
	return true
}

// queryText is the subquery of an expression.
func (e *Expr) queryText() string {
	if e.query == nil {
		return ""
	}
	return fmt.Sprintf("(%s)%s", e.query.SQL(), e.after)
}
