package randquery

import (
	"slices"
	"strings"
)

// grouped adds GROUP BY, items over keys and aggregates, and HAVING at times.
func (g *generator) grouped(q *Query, columns scope, want []Kind, exact, top bool) {
	keys := g.keys(columns)
	q.group = g.groupBy(keys)
	if hasConstruct(q.group) && slices.ContainsFunc(keys, isCondition) {
		q.group = single(keys)
	}
	offered := g.aggregates(columns, exact)
	for _, k := range keys {
		key := k.clone()
		key.column = true
		offered = append(offered, key)
	}
	offered = g.withOuter(offered)
	if hasConstruct(q.group) {
		offered = append(offered, grouping(keys))
		q.distinctSets = g.chance(10)
	}
	over := offered
	if g.chance(15) {
		over = append(offered[:len(offered):len(offered)], g.windows(q, offered, want, "")...)
	}
	g.items(q, over, want, exact)
	for i, k := range want {
		// A key as an item of its own shows the groups.
		if found := scope(keys).of(k); len(found) > 0 && g.chance(40) {
			q.items[i].expr = pick(g.Rand, found...).clone()
		}
	}
	if g.chance(25) {
		q.having = g.expr(offered, Bool, 2)
	}
	if top && hasConstruct(q.group) && !q.distinct && g.chance(25) {
		g.repeat(q, keys)
	}
}

// isCondition reports whether a key is a computed condition. PostgreSQL 15 simplifies
// one in HAVING and not the one in GROUP BY, and then takes it for another.
func isCondition(key *Expr) bool { return key.kind == Bool && len(key.kids) > 0 }

// keys makes one to four different grouping expressions.
func (g *generator) keys(columns scope) []*Expr {
	saved := g.subqueries
	g.subqueries = 0 // equal subqueries are not known to be equal
	defer func() { g.subqueries = saved }()
	var keys []*Expr
	seen := map[string]bool{}
	for range 1 + g.IntN(4) {
		k := pick(g.Rand, columns...)
		if g.chance(25) {
			k = g.expr(columns, pick(g.Rand, g.kinds...), 1)
		}
		if text := k.SQL(); !k.inexact && k.hasColumn() && !foldable(text) && !castByElement(k) && !seen[text] {
			seen[text] = true
			keys = append(keys, k.clone())
		}
	}
	if len(keys) == 0 {
		keys = append(keys, pick(g.Rand, columns...).clone())
	}
	return keys
}

// castByElement reports whether a key is ARRAY[…] of texts that is cast to text[]: PostgreSQL
// casts its elements, those of type varchar to text.
func castByElement(k *Expr) bool {
	return k.kind == Words && strings.HasPrefix(k.parts[0], "CAST(ARRAY[")
}

// foldable reports whether an expression may be a constant although it names a
// column. PostgreSQL 15 shows such a key as the constant, not as NULL, in the
// rows of a set that it is not in, when it stands in a larger expression.
func foldable(text string) bool {
	for _, word := range []string{"CASE", "coalesce", "AND", "OR", "NULL"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// grouping is GROUPING() of some keys; as an aggregate it cannot stand in FILTER.
func grouping(keys []*Expr) *Expr {
	e := &Expr{kind: Int, parts: []string{"grouping("}, column: true, aggregate: true}
	for i, k := range keys {
		if i > 0 {
			e.parts = append(e.parts, ", ")
		}
		e.kids = append(e.kids, k.clone())
	}
	e.parts = append(e.parts, ")")
	return e
}

func hasConstruct(elements []*groupElement) bool {
	for _, e := range elements {
		if e.construct != "" {
			return true
		}
	}
	return false
}

// groupBy makes elements in which every key occurs.
func (g *generator) groupBy(keys []*Expr) []*groupElement {
	if g.chance(40) {
		return single(keys)
	}
	var elements []*groupElement
	for len(keys) > 0 {
		n := 1 + g.IntN(len(keys))
		elements = append(elements, g.groupElement(keys[:n]))
		keys = keys[n:]
	}
	return elements
}

// single makes an element of each key.
func single(keys []*Expr) []*groupElement {
	var elements []*groupElement
	for _, k := range keys {
		elements = append(elements, &groupElement{exprs: []*Expr{k.clone()}})
	}
	return elements
}

func (g *generator) groupElement(keys []*Expr) *groupElement {
	switch g.IntN(5) {
	case 0:
		return &groupElement{exprs: cloneAll(keys), parens: true}
	case 1:
		return &groupElement{construct: "CUBE", elements: g.composites(keys)}
	case 2:
		return &groupElement{construct: "ROLLUP", elements: g.composites(keys)}
	default:
		return &groupElement{construct: "GROUPING SETS", elements: g.sets(keys)}
	}
}

// composites splits keys into elements of CUBE or ROLLUP.
func (g *generator) composites(keys []*Expr) []*groupElement {
	var elements []*groupElement
	for len(keys) > 0 {
		n := 1
		if g.chance(30) {
			n += g.IntN(len(keys))
		}
		elements = append(elements, &groupElement{exprs: cloneAll(keys[:n]), parens: n > 1})
		keys = keys[n:]
	}
	return elements
}

// sets makes the elements of GROUPING SETS; one of them holds all keys.
func (g *generator) sets(keys []*Expr) []*groupElement {
	elements := []*groupElement{{exprs: cloneAll(keys), parens: true}}
	for range g.IntN(3) {
		var some []*Expr
		for _, k := range keys {
			if g.chance(50) {
				some = append(some, k)
			}
		}
		e := &groupElement{exprs: cloneAll(some), parens: true}
		if len(some) > 0 && g.chance(20) {
			e = &groupElement{construct: pick(g.Rand, "CUBE", "ROLLUP"), elements: g.composites(some)}
		}
		elements = append(elements, e)
	}
	g.Shuffle(len(elements), func(i, j int) { elements[i], elements[j] = elements[j], elements[i] })
	return elements
}

// useOrdinals names grouping expressions by the number of the item that they
// are, where there is one.
func (q *Query) useOrdinals() {
	for _, e := range q.group {
		if e.construct != "" || e.parens {
			continue
		}
		key := e.exprs[0].SQL() // before it has a number, which is the text of a constant too
		for i, it := range q.items {
			if text := it.expr.SQL(); text == key && !strings.HasPrefix(text, "grouping(") {
				e.exprs[0].ordinal = i + 1
			}
		}
	}
}

// repeat makes constants and keys of some items, and groups by them by number: each
// is a key of its own, even where another one is equal.
func (g *generator) repeat(q *Query, keys []*Expr) {
	lists := exprLists(q.group)
	for i := range q.items {
		if g.chance(50) {
			continue
		}
		it := &q.items[i]
		it.expr = leaf(it.expr.kind, literal(g.Rand, it.expr.kind))
		if found := scope(keys).of(it.expr.kind); len(found) > 0 && g.chance(70) {
			it.expr = pick(g.Rand, found...).clone()
		}
		key := it.expr.clone()
		key.ordinal = i + 1
		for range 1 + g.IntN(2) {
			list := pick(g.Rand, lists...)
			*list = slices.Insert(*list, g.IntN(len(*list)+1), key.clone())
		}
	}
	q.repeats = true
}

// exprLists are the lists of expressions among elements.
func exprLists(elements []*groupElement) []*[]*Expr {
	var lists []*[]*Expr
	for _, e := range elements {
		if e.construct == "" {
			lists = append(lists, &e.exprs)
		}
		lists = append(lists, exprLists(e.elements)...)
	}
	return lists
}
