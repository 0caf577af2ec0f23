package randquery

import (
	"fmt"
)

// withRecursion makes a query over a recursive common table expression besides the
// tables. Its first column counts the rounds and ends them; the others are cast,
// since the types of both sides have to be the same.
func (g *generator) withRecursion() *Query {
	const rounds = "n"
	want := g.randomKinds(2)
	c := &cte{name: "w0", recursive: true}
	relation := relation{name: c.name, columns: []Column{{Name: rounds, Kind: Int}}}
	for i, k := range want {
		relation.columns = append(relation.columns, Column{Name: fmt.Sprintf("c%d", i+1), Kind: k})
	}
	op := "UNION ALL"
	if tiesPrintAlike(relation.columns) && g.chance(60) {
		op = "UNION"
	}
	c.query = &Query{op: op, limit: -1, offset: -1, left: &Query{limit: -1, offset: -1}, right: &Query{limit: -1, offset: -1}}
	g.terms(c.query, relation, want)
	relation.rows, g.pairs = 5*g.pairs, 1 // of five rounds
	g.tables = append(g.tables[:len(g.tables):len(g.tables)], relation)
	q := g.query(1, nil, true)
	q.with = []*cte{c}
	return q
}

// safeQuery makes a query that does not fail.
func (g *generator) safeQuery() *Query {
	switch {
	case g.chance(10):
		return g.withCTE()
	case g.chance(4):
		return g.withRecursion()
	default:
		return g.query(2, nil, true)
	}
}

// Query makes the query of a seed.
func (from *Generator) Query(seed uint64) *Query {
	g := from.start(seed)
	if g.chance(4) {
		g.subqueries = 0
		return g.unsafeQuery()
	}
	return g.safeQuery()
}

// unsafeQuery computes something that may fail, for the rows of one table.
func (g *generator) unsafeQuery() *Query {
	q := &Query{Unsafe: true, limit: -1, offset: -1}
	columns := g.baseTable(q)
	if g.chance(40) {
		q.where = g.expr(columns, Bool, 2)
	}
	for i := range 1 + g.IntN(2) {
		k := pick(g.Rand, Int, Small, Big, Numeric, Float, Date)
		e := g.apply(columns, k, pick(g.Rand, g.rules.unsafe[k]...), 1)
		for !e.hasColumn() {
			// Of constants alone, it could fail before there are rows.
			e = g.apply(columns, k, pick(g.Rand, g.rules.unsafe[k]...), 1)
		}
		q.items = append(q.items, item{e, fmt.Sprintf("c%d", i+1)})
	}
	return q
}
