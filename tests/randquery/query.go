package randquery

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Query is a SELECT as a tree that can be made smaller.
type Query struct {
	// Unsafe says that evaluating the query may fail.
	Unsafe bool

	with []*cte

	// A set operation has op and its two sides; another query has the
	// clauses up to having.
	op          string
	left, right *Query

	distinct     bool
	distinctOn   int // the keys of order that DISTINCT ON has, 0 for no such clause
	items        []item
	from         []*source
	where        *Expr
	group        []*groupElement
	distinctSets bool // GROUP BY DISTINCT
	repeats      bool // GROUP BY has equal expressions, or constants, as several keys
	having       *Expr
	windows      []*Expr // definitions of the WINDOW clause

	sortBy        *Expr      // stands before order, or nil
	order         []orderKey // of all columns, or none
	limit, offset int        // -1 for none
	fetch         bool       // spelled FETCH FIRST
}

type cte struct {
	name      string
	query     *Query
	recursive bool
	said      string // MATERIALIZED, NOT MATERIALIZED or nothing
}

// An item is one expression of the select list.
type item struct {
	expr  *Expr
	alias string // empty for none
}

// A source is a table, a derived table, or a join.
type source struct {
	alias string
	table string // also a function or VALUES, with names of their columns
	names string
	query *Query

	join        string // "INNER JOIN" and so on
	left, right *source
	on          *Expr
	using       []string
	natural     bool
	lateral     bool
}

// A groupElement is an element of GROUP BY: an expression, or a construct such
// as CUBE over lists of expressions, or over further elements.
type groupElement struct {
	construct string // "", "CUBE", "ROLLUP", "GROUPING SETS"
	exprs     []*Expr
	elements  []*groupElement
	parens    bool // a list in parentheses: a composite, or the empty set
}

type orderKey struct {
	column int // from 1
	suffix string
}

// Ordered says that the order of the rows is part of the answer.
func (q *Query) Ordered() bool { return q.sortBy != nil || len(q.order) > 0 }

// SQL is the query's text.
func (q *Query) SQL() string {
	var b strings.Builder
	q.write(&b)
	return b.String()
}

func (q *Query) write(b *strings.Builder) {
	for i, w := range q.with {
		recursive := slices.ContainsFunc(q.with, func(c *cte) bool { return c.recursive })
		b.WriteString(pickText(i == 0, pickText(recursive, "WITH RECURSIVE ", "WITH "), ", "))
		fmt.Fprintf(b, "%s AS %s(%s)", w.name, w.said, w.query.SQL())
	}
	if len(q.with) > 0 {
		b.WriteString(" ")
	}
	if q.op != "" {
		fmt.Fprintf(b, "(%s) %s (%s)", q.left.SQL(), q.op, q.right.SQL())
	} else {
		q.writeSelect(b)
	}
	if q.sortBy != nil {
		b.WriteString(" ORDER BY " + q.sortBy.SQL())
	}
	for i, k := range q.order {
		b.WriteString(pickText(i == 0 && q.sortBy == nil, " ORDER BY ", ", "))
		fmt.Fprintf(b, "%d%s", k.column, k.suffix)
	}
	if q.limit >= 0 && !q.fetch {
		fmt.Fprintf(b, " LIMIT %d", q.limit)
	}
	if q.offset >= 0 {
		fmt.Fprintf(b, " OFFSET %d", q.offset)
	}
	if q.limit >= 0 && q.fetch {
		fmt.Fprintf(b, " FETCH FIRST %d ROWS ONLY", q.limit)
	}
}

func pickText(first bool, yes, no string) string {
	if first {
		return yes
	}
	return no
}

func (q *Query) writeSelect(b *strings.Builder) {
	b.WriteString("SELECT ")
	if q.distinct {
		b.WriteString("DISTINCT ")
	}
	for i := range min(q.distinctOn, len(q.order)) {
		fmt.Fprintf(b, "%s%d%s", pickText(i == 0, "DISTINCT ON (", ", "), q.order[i].column, pickText(i+1 == min(q.distinctOn, len(q.order)), ") ", ""))
	}
	for i, it := range q.items {
		b.WriteString(pickText(i == 0, "", ", "))
		it.expr.write(b)
		if it.alias != "" {
			b.WriteString(" AS " + it.alias)
		}
	}
	for i, s := range q.from {
		b.WriteString(pickText(i == 0, " FROM ", ", "))
		s.write(b)
	}
	if q.where != nil {
		b.WriteString(" WHERE " + q.where.SQL())
	}
	for i, e := range q.group {
		b.WriteString(pickText(i == 0, pickText(q.distinctSets, " GROUP BY DISTINCT ", " GROUP BY "), ", "))
		e.write(b)
	}
	if q.having != nil {
		b.WriteString(" HAVING " + q.having.SQL())
	}
	for i, w := range q.windows {
		b.WriteString(pickText(i == 0, " WINDOW ", ", ") + w.SQL())
	}
}

func (s *source) write(b *strings.Builder) {
	switch {
	case s.join != "":
		if s.natural {
			b.WriteString("(")
		}
		s.left.write(b)
		b.WriteString(pickText(s.natural, " NATURAL ", " ") + s.join + " ")
		s.right.write(b)
		switch {
		case len(s.using) > 0:
			fmt.Fprintf(b, " USING (%s)", strings.Join(s.using, ", "))
		case s.on != nil:
			b.WriteString(" ON " + s.on.SQL())
		}
		if s.natural {
			b.WriteString(")")
		}
	case s.query != nil:
		fmt.Fprintf(b, "%s(%s) AS %s", pickText(s.lateral, "LATERAL ", ""), s.query.SQL(), s.alias)
	default:
		fmt.Fprintf(b, "%s AS %s%s", s.table, s.alias, s.names)
	}
}

func (e *groupElement) write(b *strings.Builder) {
	b.WriteString(e.construct)
	if e.construct != "" || e.parens {
		b.WriteString(" (")
	}
	for i, x := range e.exprs {
		b.WriteString(pickText(i == 0, "", ", "))
		x.write(b)
	}
	for i, inner := range e.elements {
		b.WriteString(pickText(i == 0, "", ", "))
		inner.write(b)
	}
	if e.construct != "" || e.parens {
		b.WriteString(")")
	}
}

// An Expr is an expression as text with its operands: parts[0] kids[0]
// parts[1] … parts[len(kids)].
type Expr struct {
	kind    Kind
	parts   []string
	kids    []*Expr
	inexact bool
	column  bool // a leaf that a scope offers
	ordinal int  // from 1: in GROUP BY, written as the number of the item that it is
	// query stands behind the last part, in parentheses, and after behind it.
	query     *Query
	after     string
	aggregate bool
	// combine makes the aggregate of all rows of those of parts of them, in a law.
	combine string
}

// leaf is an expression without operands that can be made smaller.
func leaf(k Kind, text string) *Expr { return &Expr{kind: k, parts: []string{text}} }

// SQL is the expression's text.
func (e *Expr) SQL() string {
	var b strings.Builder
	e.write(&b)
	return b.String()
}

func (e *Expr) write(b *strings.Builder) {
	if e.ordinal > 0 {
		b.WriteString(strconv.Itoa(e.ordinal))
		return
	}
	for i, kid := range e.kids {
		b.WriteString(e.parts[i])
		kid.write(b)
	}
	b.WriteString(e.parts[len(e.kids)])
	b.WriteString(e.queryText())
}

func (e *Expr) clone() *Expr {
	if e == nil {
		return nil
	}
	c := *e
	c.kids = make([]*Expr, len(e.kids))
	for i, kid := range e.kids {
		c.kids[i] = kid.clone()
	}
	c.query = e.query.clone()
	return &c
}

// queryText is the subquery of an expression.
func (e *Expr) queryText() string {
	if e.query == nil {
		return ""
	}
	return fmt.Sprintf("(%s)%s", e.query.SQL(), e.after)
}

// hasColumn reports whether the value depends on the row.
func (e *Expr) hasColumn() bool {
	for _, kid := range e.kids {
		if kid.hasColumn() {
			return true
		}
	}
	return e.column
}

// hasAggregate reports whether an expression has an aggregate of its own query.
func (e *Expr) hasAggregate() bool {
	if e.aggregate {
		return true
	}
	for _, kid := range e.kids {
		if kid.hasAggregate() {
			return true
		}
	}
	return false
}

func (q *Query) clone() *Query {
	if q == nil {
		return nil
	}
	c := *q
	c.left, c.right, c.where, c.having = q.left.clone(), q.right.clone(), q.where.clone(), q.having.clone()
	c.sortBy, c.windows = q.sortBy.clone(), cloneAll(q.windows)
	c.with = make([]*cte, len(q.with))
	for i, w := range q.with {
		c.with[i] = &cte{w.name, w.query.clone(), w.recursive, w.said}
	}
	c.items = make([]item, len(q.items))
	for i, it := range q.items {
		c.items[i] = item{it.expr.clone(), it.alias}
	}
	c.from = make([]*source, len(q.from))
	for i, s := range q.from {
		c.from[i] = s.clone()
	}
	c.group = cloneElements(q.group)
	c.order = append([]orderKey(nil), q.order...)
	return &c
}

func (s *source) clone() *source {
	if s == nil {
		return nil
	}
	c := *s
	c.query, c.left, c.right, c.on = s.query.clone(), s.left.clone(), s.right.clone(), s.on.clone()
	return &c
}

func cloneElements(list []*groupElement) []*groupElement {
	out := make([]*groupElement, len(list))
	for i, e := range list {
		c := *e
		c.exprs, c.elements = cloneAll(e.exprs), cloneElements(e.elements)
		out[i] = &c
	}
	return out
}

func cloneAll(list []*Expr) []*Expr {
	out := make([]*Expr, len(list))
	for i, e := range list {
		out[i] = e.clone()
	}
	return out
}

// outputs are the columns of a query whose items all have aliases.
func (q *Query) outputs() []Column {
	for q.op != "" {
		q = q.left
	}
	columns := make([]Column, len(q.items))
	for i, it := range q.items {
		columns[i] = Column{Name: it.alias, Kind: it.expr.kind}
	}
	return columns
}

func (q *Query) hasInexact() bool {
	for _, it := range q.items {
		if it.expr.inexact {
			return true
		}
	}
	return false
}

// A scope is what an expression can be made of: columns, or grouping keys and
// aggregates.
type scope []*Expr

// of lists the leaves of a kind.
func (s scope) of(k Kind) []*Expr {
	var found []*Expr
	for _, e := range s {
		if e.kind == k && !e.inexact {
			found = append(found, e)
		}
	}
	return found
}

// withoutAggregates are the leaves that FILTER takes.
func (s scope) withoutAggregates() scope {
	var plain scope
	for _, e := range s {
		if !e.hasAggregate() {
			plain = append(plain, e)
		}
	}
	return plain
}
