package randquery

import (
	"fmt"
	"slices"
	"strings"
)

// A window function gives the same for every engine where ties cannot be told
// apart by it: ranks, and aggregates over frames that hold all peers of a row or
// none. The others are asked over a total order: all columns of one table,
// where rows that tie are the same row.

// rankRules are functions of any order, by the kind of their result.
var rankRules = map[Kind][]string{
	Big:   {"rank()", "dense_rank()"},
	Float: {"percent_rank()", "cume_dist()"},
}

// placeRules are functions of a total order.
var placeRules = map[Kind][]string{
	Big: {"row_number()"},
	Int: {"ntile(3)", "ntile(1)"},
}

// valueRules are functions of a total order for every kind.
var valueRules = []string{
	"lag({=})", "lead({=}, {count})", "lag({=}, {count}, {=})", "lead({=}, {leaf int})",
	"first_value({=})", "last_value({=})", "nth_value({=}, 2)",
}

// windows makes a scope of window functions of the wanted kinds over s, for a
// query that may name windows. Where total is not empty it is a total order, which
// those that need one share.
func (g *generator) windows(q *Query, s scope, want []Kind, total string) scope {
	var made scope
	for range 1 + g.IntN(3) {
		k := pick(g.Rand, want...)
		var w *Expr
		if total != "" && g.chance(50) {
			w = g.placed(s, k, total)
		} else {
			w = g.ranked(s, k)
		}
		if g.chance(20) {
			q.nameWindow(w)
		}
		w.column = true
		made = append(made, w)
	}
	return made
}

// nameWindow defines the window of a call in the query's WINDOW clause.
func (q *Query) nameWindow(w *Expr) {
	name := fmt.Sprintf("w%d", len(q.windows)+1)
	text := &Expr{parts: append([]string{name + " AS ("}, w.parts[2:]...), kids: w.kids[1:]}
	q.windows = append(q.windows, text)
	w.parts, w.kids = []string{"", " OVER " + name}, w.kids[:1]
}

// totalOrder is an order of all columns, or nothing where rows that tie in all
// of them may differ.
func (g *generator) totalOrder(q *Query, columns scope) string {
	if len(q.from) != 1 || !slices.ContainsFunc(g.tables, func(r relation) bool { return r.base && r.name == q.from[0].table }) {
		return ""
	}
	var keys []string
	for _, i := range g.Perm(len(columns)) {
		keys = append(keys, columns[i].SQL()+g.direction())
	}
	return strings.Join(keys, ", ")
}

func (g *generator) direction() string {
	return pick(g.Rand, "", "", " DESC") + pick(g.Rand, "", "", " NULLS FIRST", " NULLS LAST")
}

// placed makes a function of a total order.
func (g *generator) placed(s scope, k Kind, total string) *Expr {
	texts := append(append([]string(nil), valueRules...), placeRules[k]...)
	call := g.apply(s, k, parseRule(pick(g.Rand, texts...)), 1)
	for _, kid := range call.kids {
		if strings.HasPrefix(kid.parts[0], "'") { // PostgreSQL gives a constant without a type none here
			kid.parts = []string{"CAST(" + kid.parts[0] + " AS text)"}
		}
	}
	if g.chance(40) {
		call = g.windowAggregate(s, k)
	}
	frame := pick(g.Rand, "", "", g.frame("ROWS", g.rowOffset), g.frame("ROWS", g.rowOffset), g.frame("GROUPS", g.rowOffset))
	return over(call, g.partition(s), " ORDER BY "+total+frame)
}

func (g *generator) rowOffset() string { return fmt.Sprint(g.IntN(4)) }

// ranked makes a function that no tie changes.
func (g *generator) ranked(s scope, k Kind) *Expr {
	var call *Expr
	if texts := rankRules[k]; texts != nil && g.chance(40) {
		call = g.apply(s, k, parseRule(pick(g.Rand, texts...)), 1)
	} else {
		call = g.windowAggregate(s, k)
	}
	var keys []*Expr
	for range g.IntN(3) {
		if key := pick(g.Rand, s...); !key.inexact {
			keys = append(keys, key.clone())
		}
	}
	order := &Expr{parts: []string{""}}
	for i, key := range keys {
		order.parts[i] += pickText(i == 0, " ORDER BY ", ", ")
		order.parts = append(order.parts, g.direction())
		order.kids = append(order.kids, key)
	}
	order.parts[len(order.parts)-1] += g.peerFrame(keys)
	e := over(call, g.partition(s), "")
	e.parts[len(e.parts)-1] = ""
	e.kids = append(e.kids, order)
	e.parts = append(e.parts, ")")
	return e
}

// peerFrame is a frame that holds all peers of a row or none, the row itself
// aside.
func (g *generator) peerFrame(keys []*Expr) string {
	exclude := pick(g.Rand, "", "", "", " EXCLUDE CURRENT ROW", " EXCLUDE GROUP", " EXCLUDE TIES", " EXCLUDE NO OTHERS")
	none := func() string { return "" }
	switch {
	case g.chance(30):
		return ""
	case len(keys) > 0 && g.chance(40):
		return g.frame("GROUPS", g.rowOffset) + exclude
	case len(keys) == 1 && g.chance(70):
		if offset := rangeOffsets[keys[0].kind]; offset != nil {
			return g.frame("RANGE", func() string { return pick(g.Rand, offset...) }) + exclude
		}
	}
	return g.frame("RANGE", none) + exclude
}

// rangeOffsets are distances in a range over a key of a kind.
var rangeOffsets = map[Kind][]string{
	Small: {"0", "3", "CAST(2 AS bigint)"}, Int: {"0", "2", "5"}, Big: {"1", "100000000000"},
	Numeric: {"0", "1.5", "30"}, Float: {"0.25", "10"},
	Date:      {"'1 day'", "interval '1 month'", "interval '400 days'"},
	Timestamp: {"'12 hours'", "interval '1 year'"},
	Interval:  {"'1 day'", "interval '1 month'"},
	Real:      {"0.25", "10"}, Time: {"'1 hour'", "interval '90 minutes'"}, Moment: {"'12 hours'", "interval '1 month'"},
}

// frame makes a frame whose bounds may have distances, where offset gives any.
func (g *generator) frame(unit string, offset func() string) string {
	bounds := []string{"UNBOUNDED PRECEDING", offset() + " PRECEDING", "CURRENT ROW", offset() + " FOLLOWING", "UNBOUNDED FOLLOWING"}
	if offset() == "" {
		bounds = []string{"UNBOUNDED PRECEDING", "CURRENT ROW", "UNBOUNDED FOLLOWING"}
	}
	last := len(bounds) - 1
	if g.chance(15) {
		return " " + unit + " " + bounds[g.IntN(last/2+1)]
	}
	from := g.IntN(last)
	to := max(from, 1) + g.IntN(last-max(from, 1)+1)
	if last == 2 && from == to && from == 1 {
		to = 2
	}
	return " " + unit + " BETWEEN " + bounds[from] + " AND " + bounds[to]
}

// windowAggregate makes an exact aggregate without DISTINCT and ORDER BY, a number for
// types that have none.
func (g *generator) windowAggregate(s scope, k Kind) *Expr {
	if withoutExtremes(k) {
		k = Big
	}
	for {
		r := g.exactRule(g.rules.aggregate[k])
		if slices.Contains(r.kids, "distinct") || strings.Contains(r.parts[0], "DISTINCT") || r.ordered() {
			continue
		}
		e := g.apply(s, k, r, 1)
		if g.chance(15) {
			return &Expr{kind: k, parts: []string{"", " FILTER (WHERE ", ")"}, kids: []*Expr{e, g.expr(s.withoutAggregates(), Bool, 1)}}
		}
		return e
	}
}

// partition is PARTITION BY up to two leaves.
func (g *generator) partition(s scope) *Expr {
	e := &Expr{parts: []string{""}}
	for i := range pick(g.Rand, 0, 1, 1, 2) {
		e.parts[i] += pickText(i == 0, "PARTITION BY ", ", ")
		e.kids = append(e.kids, pick(g.Rand, s...).clone())
		e.parts = append(e.parts, "")
	}
	return e
}

// over is a call over a window.
func over(call, partition *Expr, rest string) *Expr {
	return &Expr{kind: call.kind, inexact: call.inexact, parts: []string{"", " OVER (", rest + ")"}, kids: []*Expr{call, partition}}
}
