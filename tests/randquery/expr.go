package randquery

import (
	"strings"
)

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

// withoutExtremes reports whether min and max take no values of a kind.
func withoutExtremes(k Kind) bool { return nests(k) || k == JSONB || k == UUID }

func (g *generator) operand(s scope, k Kind, depth int) *Expr {
	if of, isLeaf := strings.CutPrefix(string(k), "leaf "); isLeaf {
		return g.leaf(s, Kind(of))
	}
	if of, isColumn := strings.CutPrefix(string(k), "column "); isColumn {
		return g.leaf(plainColumns(s), Kind(of))
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
	e := g.apply(s, k, r, g.IntN(2))
	if g.chance(15) {
		call := *e
		e = &Expr{kind: k, inexact: call.inexact, parts: []string{"", " FILTER (WHERE ", ")"},
			kids: []*Expr{&call, g.expr(s, Bool, 2)}}
	}
	return e
}
