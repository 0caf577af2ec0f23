package randquery

import (
	"strings"
)

// joinSubject is a query over joined tables, whose last join is that of the law. Often
// its condition says something of one side alone.
func joinSubject(g *generator) *Query {
	q := &Query{limit: -1, offset: -1}
	first, columns := g.named(g.anyBase())
	q.from = []*source{first}
	for range pick(g.Rand, 1, 1, 2) {
		right, added := g.named(g.anyBase())
		s := &source{join: pick(g.Rand, joinWords...), left: q.from[0], right: right}
		full := strings.HasPrefix(s.join, "FULL")
		s.on = g.condition(columns, added, full)
		if !full && g.chance(50) {
			side := pick(g.Rand, columns, added)
			s.on = &Expr{kind: Bool, parts: []string{"(", " AND ", ")"}, kids: []*Expr{s.on, g.expr(side, Bool, 2)}}
		}
		q.from[0], columns = s, append(columns[:len(columns):len(columns)], added...)
	}
	for range 1 + g.IntN(4) {
		q.items = append(q.items, item{expr: pick(g.Rand, columns...).clone()})
	}
	nameItems(q)
	return q
}

// checkJoin holds that an outer join has the rows of the inner join, and with NULLs those
// of a side for which no row of the other side exists; and that the pairs for which
// the condition of an inner join is true, false and NULL are all pairs.
func checkJoin(c *Case, ask Ask) error {
	if len(c.Query.from) != 1 || c.Query.from[0].on == nil || c.Query.where != nil {
		return errNoSubject
	}
	whole, parts := c.Query.clone(), []*Query{}
	kind := strings.Fields(whole.from[0].join)[0]
	if kind == "JOIN" || kind == "INNER" {
		parts = thirds(c.Query, func(q *Query) **Expr { return &q.from[0].on })
		whole.from[0].join, whole.from[0].on = "CROSS JOIN", nil
	} else {
		inner := c.Query.clone()
		inner.from[0].join = "JOIN"
		parts = append(parts, inner)
	}
	if kind == "LEFT" || kind == "FULL" {
		parts = append(parts, c.unmatched(c.Query.from[0].left, c.Query.from[0].right))
	}
	if kind == "RIGHT" || kind == "FULL" {
		parts = append(parts, c.unmatched(c.Query.from[0].right, c.Query.from[0].left))
	}
	want, err := ask(whole.SQL(), false)
	if err != nil {
		return err
	}
	got, err := answers(ask, parts)
	return compare("the parts of the join together", got, want, false, err)
}

// unmatched selects the rows of a side of the join for which the other side has none,
// with NULLs for the columns of that.
func (c *Case) unmatched(side, other *source) *Query {
	q := c.Query.clone()
	inside := &Query{items: []item{{leaf(Int, "1"), "one"}}, from: []*source{other.clone()}, where: c.Query.from[0].on.clone(), limit: -1, offset: -1}
	q.from = []*source{side.clone()}
	q.where = &Expr{kind: Bool, parts: []string{"(NOT EXISTS "}, query: inside, after: ")"}
	types := map[string]string{}
	for _, s := range (&Query{from: []*source{other}}).leaves() {
		for _, t := range c.Tables {
			for _, column := range t.Columns {
				if t.Name == s.table {
					types[s.alias+"."+column.Name] = column.Type
				}
			}
		}
	}
	for i := range q.items {
		q.items[i].expr.visit(func(e *Expr) {
			if typ := types[e.parts[0]]; e.column && typ != "" {
				e.parts = []string{"CAST(NULL AS " + typ + ")"}
			}
		})
	}
	return q
}
