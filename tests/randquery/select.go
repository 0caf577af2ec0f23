package randquery

import (
	"fmt"
)

// selectQuery makes a query without a set operation, ORDER BY or LIMIT.
func (g *generator) selectQuery(depth int, want []Kind, top bool) *Query {
	q := &Query{limit: -1, offset: -1}
	columns := g.from(q, depth)
	g.where(q, columns)
	exact := !top || g.chance(70)
	if exact && g.chance(12) {
		q.distinct = true
	}
	if want == nil {
		want = g.randomKinds(4)
	}
	switch {
	case g.chance(40):
		g.grouped(q, columns, want, exact, top)
	case g.chance(12):
		g.items(q, g.withOuter(g.aggregates(columns, exact)), want, exact)
	case g.chance(30):
		g.items(q, append(columns[:len(columns):len(columns)], g.windows(q, columns, want, g.totalOrder(q, columns))...), want, exact)
	default:
		g.items(q, g.withOuter(columns), want, exact)
		q.sortBy = g.sortKey(q, columns)
	}
	if g.chance(12) && len(q.group) > 0 {
		q.useOrdinals()
	}
	unnamed := top && g.chance(10)
	for i := range q.items {
		if !unnamed {
			q.items[i].alias = fmt.Sprintf("c%d", i+1)
		}
	}
	return q
}
