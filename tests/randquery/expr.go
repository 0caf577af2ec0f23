package randquery

import (
	"strconv"
	"strings"
)

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

// hasColumn reports whether the value depends on the row.
func (e *Expr) hasColumn() bool {
	for _, kid := range e.kids {
		if kid.hasColumn() {
			return true
		}
	}
	return e.column
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

// expr makes an exact expression of a kind, nested up to depth.
func (g *generator) expr(s scope, k Kind, depth int) *Expr {
	if depth > 0 && g.subqueries > 0 && g.chance(12) {
		g.subqueries--
		return g.subquery(s, k)
	}
	if depth <= 0 || g.chance(25) {
		return g.leaf(s, k)
	}
	return g.apply(s, k, g.exactRule(g.rules.scalar[k]), depth-1)
}

func (g *generator) exactRule(rules []rule) rule {
	for {
		if r := pick(g.Rand, rules...); !r.inexact {
			return r
		}
	}
}

// apply makes the expression of a rule, its operands nested up to depth.
func (g *generator) apply(s scope, k Kind, r rule, depth int) *Expr {
	e := &Expr{kind: k, parts: r.parts, inexact: r.inexact}
	chosen := pick(g.Rand, g.kinds...)
	for nests(chosen) && strings.Contains(strings.Join(r.parts, ""), "ARRAY[") {
		chosen = pick(g.Rand, g.kinds...)
	}
	for _, kid := range r.kids {
		switch kid {
		case "=":
			kid = k
		case "?":
			kid = chosen
		case "last":
			e.kids = append(e.kids, e.kids[len(e.kids)-1].clone())
			continue
		}
		e.kids = append(e.kids, g.operand(s, kid, depth))
	}
	return e
}

// nests reports whether an array of a kind would have two dimensions.
func nests(k Kind) bool { return k == Numbers || k == Words }

func (g *generator) operand(s scope, k Kind, depth int) *Expr {
	if of, isLeaf := strings.CutPrefix(string(k), "leaf "); isLeaf {
		return g.leaf(s, Kind(of))
	}
	if !isType(k) {
		return leaf(k, literal(g.Rand, k))
	}
	return g.expr(s, k, depth)
}

// leaf is a column of the scope, a constant, or a NULL.
func (g *generator) leaf(s scope, k Kind) *Expr {
	if columns := s.of(k); len(columns) > 0 && !g.chance(20) {
		return pick(g.Rand, columns...).clone()
	}
	if g.chance(6) {
		return leaf(k, "CAST(NULL AS "+k.typeName()+")")
	}
	if list := extremes[k]; g.extreme && list != nil && g.chance(10) {
		return leaf(k, "("+pick(g.Rand, list...)+")")
	}
	return leaf(k, literal(g.Rand, k))
}

// aggregate makes an aggregate over the columns of s.
func (g *generator) aggregate(s scope, k Kind, exact bool) *Expr {
	r := pick(g.Rand, g.rules.aggregate[k]...)
	if exact {
		r = g.exactRule(g.rules.aggregate[k])
	}
	if r.ordered() {
		defer func(n int) { g.subqueries = n }(g.subqueries)
		g.subqueries = 0 // Cubeloom refuses them there
	}
	e := g.apply(s, k, r, g.IntN(2))
	if g.chance(15) {
		call := *e
		e = &Expr{kind: k, inexact: call.inexact, parts: []string{"", " FILTER (WHERE ", ")"},
			kids: []*Expr{&call, g.expr(s, Bool, 2)}}
	}
	return e
}
