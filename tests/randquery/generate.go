package randquery

import (
	"fmt"
	"slices"
)

// withCTE makes a query over one or two common table expressions besides the
// tables.
func (g *generator) withCTE() *Query {
	var with []*cte
	for i := range 1 + g.IntN(2) {
		c := &cte{name: fmt.Sprintf("w%d", i), query: g.query(1, nil, false), said: pick(g.Rand, "", "", "MATERIALIZED ", "NOT MATERIALIZED ")}
		with = append(with, c)
		g.tables = append(g.tables[:len(g.tables):len(g.tables)], relation{name: c.name, columns: c.query.outputs(), rows: g.pairs})
		g.pairs = 1
	}
	q := g.query(1, nil, true)
	q.with = with
	return q
}

// query makes a query with columns of the given kinds, or of any. Only the top
// query may have inexact columns and columns without a name.
func (g *generator) query(depth int, want []Kind, top bool) *Query {
	var q *Query
	if depth > 0 && g.chance(12) {
		q = g.setOperation(depth, want)
	} else {
		q = g.selectQuery(depth, want, top)
	}
	g.addOrder(q)
	return q
}

func (g *generator) setOperation(depth int, want []Kind) *Query {
	if want == nil {
		want = g.randomKinds(3)
	}
	op := pick(g.Rand, "UNION", "UNION ALL", "INTERSECT", "INTERSECT ALL", "EXCEPT", "EXCEPT ALL")
	q := &Query{op: op, limit: -1, offset: -1}
	before := g.pairs
	q.left = g.query(depth-1, want, false)
	left := g.pairs
	g.pairs = before
	q.right = g.query(depth-1, g.narrower(want), false)
	g.pairs += left
	return q
}

// narrower replaces some kinds by ones that a set operation widens to them.
func (g *generator) narrower(want []Kind) []Kind {
	widened := map[Kind][]Kind{Int: {Small}, Big: {Small, Int}, Numeric: {Int, Big}, Float: {Int, Numeric}, Timestamp: {Date}}
	list := slices.Clone(want)
	for i, k := range list {
		if from := widened[k]; from != nil && g.chance(15) {
			list[i] = pick(g.Rand, from...)
		}
	}
	return list
}
