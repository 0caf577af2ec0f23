package randquery

import "fmt"

// terms makes the two sides of a recursive expression. It joins for one round
// alone, since the number of rows is multiplied by each.
func (g *generator) terms(q *Query, self relation, want []Kind) {
	columns := g.baseTable(q.left)
	g.where(q.left, columns)
	q.left.items = append([]item{{leaf(Int, "0"), "n"}}, g.castItems(columns, want)...)

	from, before := g.named(self)
	round, last := before[0], 4
	columns = before
	if g.chance(50) {
		right, added := g.named(g.anyTable())
		columns = append(before[:len(before):len(before)], added...)
		from = &source{join: "JOIN", left: from, right: right, on: g.condition(before, added, false)}
		last = 1
	}
	q.right.from = []*source{from}
	q.right.where = &Expr{kind: Bool, parts: []string{"(", fmt.Sprintf(" < %d AND ", last), ")"},
		kids: []*Expr{round.clone(), g.expr(columns, Bool, 2)}}
	next := &Expr{kind: Int, parts: []string{"(", " + 1)"}, kids: []*Expr{round.clone()}}
	q.right.items = append([]item{{next, "n"}}, g.castItems(columns, want)...)
}

// castItems makes items of exactly the types of the wanted kinds.
func (g *generator) castItems(s scope, want []Kind) []item {
	var items []item
	for i, k := range want {
		e := &Expr{kind: k, parts: []string{"CAST(", " AS " + k.typeName() + ")"}, kids: []*Expr{g.expr(s, k, 2)}}
		items = append(items, item{e, fmt.Sprintf("c%d", i+1)})
	}
	return items
}
