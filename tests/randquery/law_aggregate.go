package randquery

import (
	"fmt"
	"slices"
	"strings"
)

// A partial is an aggregate whose values for parts of the rows combine to that of all.
type partial struct {
	kind    Kind   // of the aggregate
	text    string // a rule
	combine string // $ stands for the column of the parts
}

// partials are such aggregates; avg is made of sum and count.
var partials = append([]partial{
	{Big, "count(*)", "CAST(sum($) AS bigint)"}, {Big, "count({?})", "CAST(sum($) AS bigint)"},
	{Big, "sum({int})", "CAST(sum($) AS bigint)"}, {Big, "sum({small})", "CAST(sum($) AS bigint)"},
	{Numeric, "sum({big})", "sum($)"}, {Numeric, "sum({numeric})", "sum($)"},
	{Interval, "sum({interval})", "sum($)"},
	{Numeric, "avg({int})", average}, {Numeric, "avg({numeric})", average}, {Numeric, "avg({big})", average},
	{Bool, "bool_and({bool})", "bool_and($)"}, {Bool, "bool_or({bool})", "bool_or($)"},
	{Int, "bit_and({int})", "bit_and($)"}, {Big, "bit_or({big})", "bit_or($)"}, {Int, "bit_xor({int})", "bit_xor($)"},
}, extremePartials()...)

// average combines the sums and the counts of the parts, in two columns.
const average = "sum($) / nullif(sum($n), 0)"

// extremePartials are min and max of every kind that has them.
func extremePartials() []partial {
	var list []partial
	for _, k := range wideKinds {
		if k == Bool || withoutExtremes(k) {
			continue // PostgreSQL has no min of booleans, and Cubeloom none of arrays
		}
		list = append(list, partial{k, "min({" + string(k) + "})", "min($)"}, partial{k, "max({" + string(k) + "})", "max($)"})
	}
	return list
}

// aggregateSubject is a query of keys and aggregates that combine, with or without
// groups; its WHERE is the condition of the law.
func aggregateSubject(g *generator) *Query {
	q := &Query{limit: -1, offset: -1}
	columns := g.from(q, 1+g.IntN(2))
	q.where = g.expr(columns, Bool, 3)
	if g.chance(75) {
		keys := g.keys(columns)
		q.group = g.groupBy(keys)
		for _, k := range keys {
			key := k.clone()
			key.column = true
			q.items = append(q.items, item{expr: key})
		}
		if hasConstruct(q.group) {
			q.items = append(q.items, item{expr: grouping(keys)})
			q.distinctSets = true // a set that stands twice gives its groups twice
		}
	}
	for range 1 + g.IntN(3) {
		p := pick(g.Rand, partials...)
		e := g.apply(columns, p.kind, parseRule(p.text), 1)
		if g.chance(15) {
			e = &Expr{kind: p.kind, parts: []string{"", " FILTER (WHERE ", ")"}, kids: []*Expr{e, g.expr(columns, Bool, 2)}}
		}
		e.column, e.aggregate, e.combine = true, true, p.combine
		q.items = append(q.items, item{expr: e})
	}
	nameItems(q)
	return q
}

// counted is avg as count or sum of the same, with its FILTER.
func (e *Expr) counted(function string) *Expr {
	c := e.clone()
	call := c
	if call.parts[0] == "" {
		call = call.kids[0]
	}
	call.parts = slices.Clone(call.parts)
	call.parts[0] = strings.Replace(call.parts[0], "avg", function, 1)
	return c
}

func checkAggregates(c *Case, ask Ask) error {
	if c.Query.op != "" || c.Query.where == nil || c.Query.having != nil || !c.Query.showsKeys() {
		return errNoSubject
	}
	inner := c.Query.clone()
	inner.items = nil
	var outer, keys []string
	grouped := c.Query.group != nil // or else by an aggregate, which makes one group
	for _, it := range c.Query.items {
		name, e := it.alias, it.expr
		switch {
		case e.combine == "" && !e.column:
			return errNoSubject
		case e.combine == average:
			inner.items = append(inner.items, item{e.counted("sum"), name}, item{e.counted("count"), name + "n"})
		default:
			inner.items = append(inner.items, item{e.clone(), name})
		}
		grouped = grouped || e.aggregate
		if e.combine == "" {
			keys, outer = append(keys, name), append(outer, name)
			continue
		}
		outer = append(outer, strings.ReplaceAll(e.combine, "$", name)+" AS "+name)
	}
	if !grouped {
		return errNoSubject
	}
	whole := c.Query.clone()
	whole.where = nil
	want, err := ask(whole.SQL(), false)
	if err != nil {
		return err
	}
	parts := together("UNION ALL", thirds(inner, func(q *Query) **Expr { return &q.where }))
	sql := fmt.Sprintf("SELECT %s FROM (%s) AS parts", strings.Join(outer, ", "), parts.SQL())
	if len(keys) > 0 {
		sql += " GROUP BY " + strings.Join(keys, ", ")
	}
	got, err := ask(sql, false)
	return compare("the aggregates of the three parts", got, want, false, err)
}

// showsKeys reports whether the items tell the groups apart.
func (q *Query) showsKeys() bool {
	shown := map[string]bool{}
	for _, it := range q.items {
		text := it.expr.SQL()
		shown[text] = true
		shown["grouping"] = shown["grouping"] || strings.HasPrefix(text, "grouping(")
	}
	for _, list := range exprLists(q.group) {
		for _, key := range *list {
			if !shown[key.SQL()] {
				return false
			}
		}
	}
	return !hasConstruct(q.group) || shown["grouping"] && q.distinctSets
}
