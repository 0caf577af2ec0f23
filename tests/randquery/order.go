package randquery

import (
	"slices"
)

// addOrder orders the rows of some queries by all columns, and limits some of
// those. Queries with inexact columns stay as they are, and those with repeated keys,
// of which PostgreSQL 15 takes two equal ones for one when it sorts.
func (g *generator) addOrder(q *Query) {
	columns, sortBy := q.outputs(), q.sortBy
	q.sortBy = nil
	if !g.chance(40) || q.hasInexact() || q.repeats {
		return
	}
	q.sortBy = sortBy
	for _, i := range g.Perm(len(columns)) {
		suffix := pick(g.Rand, "", " ASC", " DESC") + pick(g.Rand, "", "", " NULLS FIRST", " NULLS LAST")
		q.order = append(q.order, orderKey{i + 1, suffix})
	}
	if tiesPrintAlike(columns) && g.chance(50) {
		q.limit, q.fetch = g.IntN(8), g.chance(20)
	}
	if tiesPrintAlike(columns) && g.chance(20) {
		q.offset = g.IntN(4)
	}
	if tiesPrintAlike(columns) && q.op == "" && !q.distinct && q.sortBy == nil && g.chance(25) {
		q.distinctOn = 1 + g.IntN(len(q.order))
	}
}

// sortKey is an expression that some queries are ordered by before their columns.
func (g *generator) sortKey(q *Query, columns scope) *Expr {
	if q.distinct || !g.chance(30) {
		return nil
	}
	key := g.expr(columns, pick(g.Rand, g.kinds...), 2)
	if !key.hasColumn() {
		return nil // a constant could be a column's number
	}
	return key
}

// tiesPrintAlike reports whether rows that tie in all columns are the same rows.
// Numerics can be equal and print differently, and intervals too: a limit then
// leaves one or the other.
func tiesPrintAlike(columns []Column) bool {
	return !slices.ContainsFunc(columns, func(c Column) bool { return c.Kind == Numeric || c.Kind == Interval })
}
