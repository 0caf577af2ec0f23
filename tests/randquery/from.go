package randquery

import (
	"fmt"
	"strings"
)

// from adds a FROM clause and returns the columns that it offers.
func (g *generator) from(q *Query, depth int) scope {
	var columns scope
	joins := pick(g.Rand, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 3, 4)
	for range pick(g.Rand, 1, 1, 1, 1, 2) {
		s, c := g.nextSource(depth, joins, columns)
		joins = 0
		q.from, columns = append(q.from, s), append(columns, c...)
	}
	if s := q.from[0]; len(q.from) == 1 && (s.natural || len(s.using) > 0) && s.left.join == "" && s.right.join == "" {
		// The merged columns of a join can be named without a table.
		if s.natural || s.using[0] == "k" {
			columns = append(columns, columnLeaf("k", Int))
		}
	}
	return columns
}

// nextSource makes a source behind others, whose columns are before.
func (g *generator) nextSource(depth, joins int, before scope) (*source, scope) {
	if len(before) > 0 && g.wantsLateral() {
		return g.lateral(before)
	}
	return g.source(depth, joins)
}

// maxPairs is how many rows the tables of a query may have together: any condition may
// be tested for each, and everything that stands in the query computed.
const maxPairs = 4_000_000

// crowded reports whether one more table would have too many rows with those before it.
func (g *generator) crowded() bool {
	most := 0
	for _, r := range g.tables {
		if !r.large {
			most = max(most, r.rows)
		}
	}
	return g.pairs*most > maxPairs
}

// anyTable picks a relation, or a few rows of a table where others have many already.
func (g *generator) anyTable() relation {
	if g.crowded() {
		r := g.anyBase()
		r.name, r.base = fmt.Sprintf("(SELECT * FROM %s WHERE k = %d)", r.name, g.IntN(8)), false
		return r
	}
	return g.anyOf(func(relation) bool { return true })
}

// anyBase picks a table.
func (g *generator) anyBase() relation {
	return g.anyOf(func(r relation) bool { return r.base })
}

// anyOf picks one of the relations that suit, and counts its rows.
func (g *generator) anyOf(suits func(relation) bool) relation {
	for {
		r := pick(g.Rand, g.tables...)
		if suits(r) && (!r.large || !g.full) {
			g.full = g.full || r.large
			g.pairs *= max(r.rows, 1)
			return r
		}
	}
}

// baseTable adds one table to FROM.
func (g *generator) baseTable(q *Query) scope {
	s, columns := g.named(g.anyTable())
	q.from = append(q.from, s)
	return columns
}

func columnLeaf(name string, k Kind) *Expr {
	e := leaf(k, name)
	e.column = true
	return e
}

// named refers to a relation under a new alias.
func (g *generator) named(r relation) (*source, scope) {
	s := &source{alias: g.alias(), table: r.name}
	return s, qualified(s.alias, r.columns)
}

func qualified(alias string, columns []Column) scope {
	var s scope
	for _, c := range columns {
		s = append(s, columnLeaf(alias+"."+c.Name, c.Kind))
	}
	return s
}

// source makes a source of the given number of joins.
func (g *generator) source(depth, joins int) (*source, scope) {
	if joins > 0 {
		return g.join(depth, joins)
	}
	if depth > 0 && g.chance(20) {
		query := g.query(depth-1, nil, false)
		s := &source{alias: g.alias(), query: query}
		return s, qualified(s.alias, query.outputs())
	}
	if g.chance(6) {
		return g.rows()
	}
	return g.named(g.anyTable())
}

// rows makes a source of constant rows: VALUES or generate_series.
func (g *generator) rows() (*source, scope) {
	s := &source{alias: g.alias()}
	const most = 14
	g.pairs *= most
	if g.chance(40) {
		s.table, s.names = fmt.Sprintf("generate_series(%d, %d, %d)", g.IntN(5)-2, g.IntN(12), 1+g.IntN(3)), " (x1)"
		return s, qualified(s.alias, []Column{{Name: "x1", Kind: Int}})
	}
	var columns []Column
	var names, rows []string
	for i, k := range g.randomKinds(2) {
		columns = append(columns, Column{Name: fmt.Sprintf("x%d", i+1), Kind: k})
		names = append(names, columns[i].Name)
	}
	for range 1 + g.IntN(3) {
		var row []string
		for _, c := range columns {
			row = append(row, g.leaf(nil, c.Kind).SQL())
		}
		rows = append(rows, "("+strings.Join(row, ", ")+")")
	}
	s.table, s.names = "(VALUES "+strings.Join(rows, ", ")+")", " ("+strings.Join(names, ", ")+")"
	return s, qualified(s.alias, columns)
}

var joinWords = []string{"JOIN", "INNER JOIN", "LEFT JOIN", "LEFT OUTER JOIN", "RIGHT JOIN", "FULL JOIN", "FULL OUTER JOIN"}

func (g *generator) join(depth, joins int) (*source, scope) {
	if joins == 1 && !g.crowded() && g.chance(25) {
		return g.namedJoin()
	}
	left, leftColumns := g.source(depth, joins-1)
	if g.wantsLateral() {
		return g.joinLateral(left, leftColumns)
	}
	right, rightColumns := g.source(depth, 0)
	s := &source{join: "CROSS JOIN", left: left, right: right}
	both := append(leftColumns[:len(leftColumns):len(leftColumns)], rightColumns...)
	if g.chance(90) {
		s.join = pick(g.Rand, joinWords...)
		s.on = g.condition(leftColumns, rightColumns, strings.HasPrefix(s.join, "FULL"))
	}
	return s, both
}

// joinLateral joins a source with a derived table that can name its columns.
func (g *generator) joinLateral(left *source, columns scope) (*source, scope) {
	right, rightColumns := g.lateral(columns)
	s := &source{join: pick(g.Rand, "CROSS JOIN", "JOIN", "LEFT JOIN"), left: left, right: right}
	if s.join != "CROSS JOIN" {
		s.on = leaf(Bool, "true")
		if g.chance(40) {
			s.on = g.condition(columns, rightColumns, false)
		}
	}
	return s, append(columns[:len(columns):len(columns)], rightColumns...)
}

// namedJoin joins two tables by the columns that they have in common.
func (g *generator) namedJoin() (*source, scope) {
	left, leftColumns := g.named(g.anyBase())
	right, rightColumns := g.named(g.anyBase())
	s := &source{join: pick(g.Rand, joinWords...), left: left, right: right}
	if s.natural = g.chance(30); !s.natural {
		s.using = pick(g.Rand, []string{"k"}, []string{"s"}, []string{"k", "s"})
	}
	return s, append(leftColumns[:len(leftColumns):len(leftColumns)], rightColumns...)
}

// condition makes a join condition: an equality of columns of both sides, with
// something else besides or alone at times. A full join takes equalities only,
// as PostgreSQL does.
func (g *generator) condition(left, right scope, full bool) *Expr {
	both := append(left[:len(left):len(left)], right...)
	if saved := g.subqueries; full {
		g.subqueries = 0
		defer func() { g.subqueries = saved }()
	}
	var on *Expr
	for range 1 + g.IntN(2) {
		a := pick(g.Rand, left...)
		partners := right.of(a.kind)
		if len(partners) == 0 || a.inexact {
			continue
		}
		equal := &Expr{kind: Bool, parts: []string{"(", " = ", ")"}, kids: []*Expr{a.clone(), pick(g.Rand, partners...).clone()}}
		if on == nil {
			on = equal
		} else {
			on = &Expr{kind: Bool, parts: []string{"(", " AND ", ")"}, kids: []*Expr{on, equal}}
		}
	}
	switch {
	case on == nil && full:
		return leaf(Bool, "true")
	case on == nil || !full && g.chance(10):
		return g.expr(both, Bool, 2)
	case !full && g.chance(25):
		return &Expr{kind: Bool, parts: []string{"(", " AND ", ")"}, kids: []*Expr{on, g.expr(both, Bool, 2)}}
	}
	return on
}

// lateral makes a derived table that can name the columns before it.
func (g *generator) lateral(before scope) (*source, scope) {
	s := &source{alias: g.alias(), lateral: true}
	pairs := 0
	g.within(before, func() {
		s.query = g.query(0, nil, false)
		pairs = g.pairs
	})
	g.pairs = pairs
	return s, qualified(s.alias, s.query.outputs())
}
