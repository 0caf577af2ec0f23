package randquery

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// equivalents are other spellings of rules, by their text with ? for operands; {n} is
// operand n.
var equivalents = map[string][]string{
	"(? AND ?)":                  {"(NOT ((NOT {1}) OR (NOT {2})))", "({2} AND {1})", "CASE WHEN {1} THEN {2} WHEN {2} THEN {1} WHEN {1} IS FALSE THEN false ELSE {2} END"},
	"(? OR ?)":                   {"(NOT ((NOT {1}) AND (NOT {2})))", "({2} OR {1})", "({1} OR {2} OR {1})"},
	"(NOT ?)":                    {"({1} = false)", "({1} <> true)", "CASE WHEN {1} THEN false WHEN {1} IS FALSE THEN true END"},
	"(? = ?)":                    {"({2} = {1})", "(NOT ({1} <> {2}))", "({1} IN ({2}))", "({1} <= {2} AND {1} >= {2})"},
	"(? <> ?)":                   {"({2} <> {1})", "(NOT ({1} = {2}))", "({1} < {2} OR {1} > {2})"},
	"(? < ?)":                    {"({2} > {1})", "(NOT ({1} >= {2}))"},
	"(? <= ?)":                   {"({2} >= {1})", "(NOT ({1} > {2}))", "({1} < {2} OR {1} = {2})"},
	"(? > ?)":                    {"({2} < {1})", "(NOT ({1} <= {2}))"},
	"(? >= ?)":                   {"({2} <= {1})", "(NOT ({1} < {2}))"},
	"(? IS NULL)":                {"(NOT ({1} IS NOT NULL))", "(num_nulls({1}) = 1)"},
	"(? IS NOT NULL)":            {"(NOT ({1} IS NULL))", "(num_nonnulls({1}) = 1)"},
	"(? IS TRUE)":                {"coalesce({1}, false)", "({1} IS NOT DISTINCT FROM true)"},
	"(? IS UNKNOWN)":             {"({1} IS NULL)"},
	"(? IS DISTINCT FROM ?)":     {"(NOT ({1} IS NOT DISTINCT FROM {2}))", "({2} IS DISTINCT FROM {1})"},
	"(? IS NOT DISTINCT FROM ?)": {"(coalesce({1} = {2}, false) OR ({1} IS NULL AND {2} IS NULL))", "(NOT ({1} IS DISTINCT FROM {2}))"},
	"(? BETWEEN ? AND ?)":        {"({1} >= {2} AND {1} <= {3})", "(NOT ({1} NOT BETWEEN {2} AND {3}))"},
	"(? NOT BETWEEN ? AND ?)":    {"({1} < {2} OR {1} > {3})"},
	"(? IN (?, ?))":              {"({1} = {2} OR {1} = {3})"},
	"(? NOT IN (?, ?, ?))":       {"({1} <> {2} AND {1} <> {3} AND {1} <> {4})", "(NOT ({1} IN ({4}, {3}, {2})))"},
	"(? + ?)":                    {"({2} + {1})"},
	// A char(n) beside a text becomes one in nullif, but not in CASE.
	"nullif(?, ?)":   {"CASE WHEN {1} = {2} THEN NULL ELSE nullif({1}, {2}) END"},
	"coalesce(?, ?)": {"CASE WHEN {1} IS NOT NULL THEN {1} ELSE {2} END"},
	"CASE WHEN ? THEN ? ELSE ? END": {
		"CASE WHEN {1} IS NOT TRUE THEN {3} ELSE {2} END", "CASE {1} WHEN true THEN {2} ELSE {3} END",
	},
}

// wrappings are expressions that equal e, whatever it is; {p} is a condition.
var wrappings = []string{
	"CASE WHEN {true} THEN {1} ELSE NULL END", "CASE WHEN {false} THEN NULL ELSE {1} END", "CASE WHEN {p} THEN {1} ELSE {1} END",
	"coalesce({1}, {1})", "coalesce(NULL, {1})", "CASE WHEN {false} THEN {1} WHEN {true} THEN {1} END",
	"CASE WHEN {1} IS NULL THEN NULL ELSE {1} END",
}

// boolWrappings are those for conditions.
var boolWrappings = []string{
	"({1} AND {true})", "({1} OR {false})", "(NOT (NOT {1}))", "({true} AND {1})", "({false} OR {1})", "({1} = true)",
	"CASE WHEN {1} THEN true WHEN (NOT {1}) THEN false END", "({1} AND ({p} OR {1}))", "({1} OR ({p} AND {1}))",
}

// scalarWrappings are subqueries.
var scalarWrappings = []string{"(SELECT {1})", "(SELECT x FROM (VALUES ({1})) AS v (x))", "(SELECT x FROM (SELECT {1} AS x OFFSET 0) AS v)"}

// Conditions made of the expression itself: true, false and anything.
var (
	truths     = []string{"({1} IS NULL OR {1} IS NOT NULL)", "({1} IS NOT DISTINCT FROM {1})", "(1 = 1)", "({p} OR (NOT {p}) OR {p} IS NULL)", "(({1} = {1}) IS NOT FALSE)"}
	falsehoods = []string{"({1} IS NULL AND {1} IS NOT NULL)", "({1} IS DISTINCT FROM {1})", "(1 = 2)", "({p} AND (NOT {p}) AND {p} IS NOT NULL)", "({1} < {1})"}
	guesses    = []string{"({1} IS NULL)", "({1} > {c})", "({1} = {c})", "({1} <> {c})", "({1} IN ({c}, {1}))"}
)

// expr replaces some of the expressions inside e, and e.
func (w *rewriter) expr(e *Expr) *Expr {
	if e == nil || e.ordinal > 0 || !isType(e.kind) {
		return e
	}
	w.operands(e)
	if e.query != nil {
		return w.existence(e)
	}
	text := e.SQL()
	r, yes := w.chooses(text)
	if !yes || e.inexact || e.kind == Text && e.parts[0] != "" && e.parts[0][0] == '\'' {
		return e // a text constant compares as the other side does, CASE as a text
	}
	if others := equivalents[strings.Join(e.parts, "?")]; len(others) > 0 && !w.keys[text] && r.IntN(3) > 0 {
		return w.spell(r, e, pick(r, others...), e.kids)
	}
	list := wrappings
	switch {
	case !w.plain && r.IntN(6) == 0 && e.isSimple() && !w.hasKey(e):
		list = scalarWrappings
	case e.kind == Bool && r.IntN(2) == 0:
		list = boolWrappings
	}
	return w.spell(r, e, pick(r, list...), []*Expr{e})
}

// operands replaces operands. A key and what an ordered aggregate reads stays, since
// other parts of the query repeat its text.
func (w *rewriter) operands(e *Expr) {
	text := strings.Join(e.parts, "")
	switch {
	case w.keys[e.SQL()], strings.HasPrefix(text, "grouping("), e.column && !e.aggregate && !e.isWindow(),
		strings.Contains(text, " ORDER BY ") && !e.isWindow():
		return
	case e.isWindow():
		w.operands(e.kids[0]) // a call in a window stays a call
		return
	case strings.Contains(text, " FILTER "):
		w.operands(e.kids[0])
		e.kids[1] = w.expr(e.kids[1])
		return
	}
	for i := range e.kids {
		e.kids[i] = w.expr(e.kids[i])
	}
	e.query = w.query(e.query)
}

// existence spells EXISTS as a comparison of a count.
func (w *rewriter) existence(e *Expr) *Expr {
	compared := map[string]string{"(EXISTS ": " > 0)", "(NOT EXISTS ": " = 0)"}[e.parts[0]]
	if _, yes := w.chooses(e.SQL()); !yes || compared == "" || w.plain {
		return e
	}
	count := &Query{items: []item{{leaf(Big, "count(*)"), ""}}, from: []*source{{alias: w.alias(), query: e.query}}, limit: -1, offset: -1}
	return &Expr{kind: Bool, parts: []string{"("}, query: count, after: compared}
}

// isSimple reports whether an expression can stand in a subquery of its own: it has no
// aggregate, window or subquery.
func (e *Expr) isSimple() bool {
	simple := true
	e.visit(func(x *Expr) {
		simple = simple && !x.aggregate && !x.isWindow() && x.query == nil && (!x.column || len(x.kids) == 0) && !strings.Contains(strings.Join(x.parts, ""), "ORDER BY")
	})
	return simple
}

// hasKey reports whether a grouping expression that is not a column is part of e. In a
// subquery it is not taken for the key.
func (w *rewriter) hasKey(e *Expr) bool {
	found := false
	e.visit(func(x *Expr) { found = found || !plainColumn.MatchString(x.SQL()) && w.keys[x.SQL()] })
	return found
}

// spell makes an expression of a text with operands {1}, {2}, …, conditions {true},
// {false} and {p} about the first, with a constant {c} of its kind.
func (w *rewriter) spell(r *rand.Rand, e *Expr, text string, operands []*Expr) *Expr {
	guess := pick(r, guesses...)
	for strings.Contains(text, "{true}") || strings.Contains(text, "{false}") {
		text = strings.Replace(text, "{true}", pick(r, truths...), 1)
		text = strings.Replace(text, "{false}", pick(r, falsehoods...), 1)
	}
	text = strings.ReplaceAll(text, "{p}", guess)
	made := &Expr{kind: e.kind, inexact: e.inexact}
	constant := leaf(operands[0].kind, literal(r, operands[0].kind))
	for {
		before, rest, found := strings.Cut(text, "{")
		made.parts = append(made.parts, before)
		if !found {
			return made
		}
		name, after, _ := strings.Cut(rest, "}")
		text = after
		if name == "c" {
			made.kids = append(made.kids, constant.clone())
			continue
		}
		n := 0
		fmt.Sscan(name, &n)
		made.kids = append(made.kids, operands[n-1].clone())
	}
}
