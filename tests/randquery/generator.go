package randquery

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
)

// A generator makes queries over tables.
type generator struct {
	*rand.Rand
	rules   ruleBook
	kinds   []Kind
	tables  []relation
	aliases int
	// extreme says that some constants are the least or greatest of their type.
	extreme bool
	// full says that the query names a large table already.
	full bool
	// pairs is at most how many rows the tables have together that are named so far, with
	// those of the queries around: the product of theirs.
	pairs int
	// outer are the columns of the queries around the one that is made.
	outer scope
	// subqueries is how many more subqueries may be made.
	subqueries int
}

// A relation is something that FROM can name.
type relation struct {
	name    string
	columns []Column
	base    bool // a table, not a CTE
	large   bool // which a query names once
	rows    int  // at most
}

// A Generator makes queries over the same tables.
type Generator struct {
	rules   ruleBook
	kinds   []Kind
	tables  []relation
	extreme bool
}

// NewWideGenerator prepares queries over tables that WideTables made, with expressions
// of every type of the engine.
func NewWideGenerator(tables []Table) *Generator {
	return newGenerator(tables, wideRules(), wideKinds)
}

var wideRules = sync.OnceValue(func() ruleBook { return newRuleBook(true) })

// NewGenerator prepares queries over tables.
func NewGenerator(tables []Table) *Generator {
	return newGenerator(tables, newRuleBook(false), kinds)
}

func newGenerator(tables []Table, rules ruleBook, kinds []Kind) *Generator {
	g := &Generator{rules: rules, kinds: kinds}
	for _, t := range tables {
		g.tables = append(g.tables, relation{t.Name, t.Columns, true, t.Copies > 0, len(t.Rows) * max(t.Copies, 1)})
		g.extreme = g.extreme || t.Extreme
	}
	return g
}

// start makes what makes one query.
func (from *Generator) start(seed uint64) *generator {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0x7175657279)), rules: from.rules, kinds: from.kinds, tables: from.tables, extreme: from.extreme, pairs: 1}
	g.subqueries = pick(g.Rand, 0, 0, 1, 2, 3)
	if slices.ContainsFunc(from.tables, func(r relation) bool { return r.large }) {
		g.subqueries = min(g.subqueries, 1) // for each row of it, one inside the other takes minutes
	}
	return g
}

// Query makes the query of a seed.
func (from *Generator) Query(seed uint64) *Query {
	g := from.start(seed)
	if g.chance(4) {
		g.subqueries = 0
		return g.unsafeQuery()
	}
	return g.safeQuery()
}

// safeQuery makes a query that does not fail.
func (g *generator) safeQuery() *Query {
	switch {
	case g.chance(10):
		return g.withCTE()
	case g.chance(4):
		return g.withRecursion()
	default:
		return g.query(2, nil, true)
	}
}

// chance is true for percent of the calls.
func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

func (g *generator) alias() string {
	g.aliases++
	return fmt.Sprintf("a%d", g.aliases)
}

// randomKinds are the types of one to n columns.
func (g *generator) randomKinds(n int) []Kind {
	list := make([]Kind, 1+g.IntN(n))
	for i := range list {
		list[i] = pick(g.Rand, g.kinds...)
	}
	return list
}

// withCTE makes a query over one or two common table expressions besides the
// tables.
func (g *generator) withCTE() *Query {
	var with []*cte
	for i := range 1 + g.IntN(2) {
		c := &cte{name: fmt.Sprintf("w%d", i), query: g.query(1, nil, false)}
		with = append(with, c)
		g.tables = append(g.tables[:len(g.tables):len(g.tables)], relation{name: c.name, columns: c.query.outputs(), rows: g.pairs})
		g.pairs = 1
	}
	q := g.query(1, nil, true)
	q.with = with
	return q
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

// query makes a query with columns of the given kinds, or of any. Only the top
// query may have inexact columns and columns without a name.
func (g *generator) query(depth int, want []Kind, top bool) *Query {
	var q *Query
	if depth > 0 && g.chance(12) {
		q = g.setOperation(depth, want)
	} else {
		q = g.selectQuery(depth, want, top)
	}
	g.addOrder(q)
	return q
}

func (g *generator) setOperation(depth int, want []Kind) *Query {
	if want == nil {
		want = g.randomKinds(3)
	}
	op := pick(g.Rand, "UNION", "UNION ALL", "INTERSECT", "INTERSECT ALL", "EXCEPT", "EXCEPT ALL")
	q := &Query{op: op, limit: -1, offset: -1}
	before := g.pairs
	q.left = g.query(depth-1, want, false)
	left := g.pairs
	g.pairs = before
	q.right = g.query(depth-1, g.narrower(want), false)
	g.pairs += left
	return q
}

// narrower replaces some kinds by ones that a set operation widens to them.
func (g *generator) narrower(want []Kind) []Kind {
	widened := map[Kind][]Kind{Int: {Small}, Big: {Small, Int}, Numeric: {Int, Big}, Float: {Int, Numeric}, Timestamp: {Date}}
	list := slices.Clone(want)
	for i, k := range list {
		if from := widened[k]; from != nil && g.chance(15) {
			list[i] = pick(g.Rand, from...)
		}
	}
	return list
}

// addOrder orders the rows of some queries by all columns, and limits some of
// those. Queries with inexact columns stay as they are, and those with repeated keys,
// of which PostgreSQL 15 takes two equal ones for one when it sorts.
func (g *generator) addOrder(q *Query) {
	columns, sortBy := q.outputs(), q.sortBy
	q.sortBy = nil
	if !g.chance(40) || q.hasInexact() || q.repeats {
		return
	}
	q.sortBy = sortBy
	for _, i := range g.Perm(len(columns)) {
		suffix := pick(g.Rand, "", " ASC", " DESC") + pick(g.Rand, "", "", " NULLS FIRST", " NULLS LAST")
		q.order = append(q.order, orderKey{i + 1, suffix})
	}
	if tiesPrintAlike(columns) && g.chance(50) {
		q.limit, q.fetch = g.IntN(8), g.chance(20)
	}
	if tiesPrintAlike(columns) && g.chance(20) {
		q.offset = g.IntN(4)
	}
	if tiesPrintAlike(columns) && q.op == "" && !q.distinct && q.sortBy == nil && g.chance(25) {
		q.distinctOn = 1 + g.IntN(len(q.order))
	}
}

// sortKey is an expression that some queries are ordered by before their columns.
func (g *generator) sortKey(q *Query, columns scope) *Expr {
	if q.distinct || !g.chance(30) {
		return nil
	}
	key := g.expr(columns, pick(g.Rand, g.kinds...), 2)
	if !key.hasColumn() {
		return nil // a constant could be a column's number
	}
	return key
}

// tiesPrintAlike reports whether rows that tie in all columns are the same rows.
// Numerics can be equal and print differently, and intervals too: a limit then
// leaves one or the other.
func tiesPrintAlike(columns []Column) bool {
	return !slices.ContainsFunc(columns, func(c Column) bool { return c.Kind == Numeric || c.Kind == Interval })
}

func (q *Query) hasInexact() bool {
	for _, it := range q.items {
		if it.expr.inexact {
			return true
		}
	}
	return false
}

// selectQuery makes a query without a set operation, ORDER BY or LIMIT.
func (g *generator) selectQuery(depth int, want []Kind, top bool) *Query {
	q := &Query{limit: -1, offset: -1}
	columns := g.from(q, depth)
	g.where(q, columns)
	exact := !top || g.chance(70)
	if exact && g.chance(12) {
		q.distinct = true
	}
	if want == nil {
		want = g.randomKinds(4)
	}
	switch {
	case g.chance(40):
		g.grouped(q, columns, want, exact, top)
	case g.chance(12):
		g.items(q, g.withOuter(g.aggregates(columns, exact)), want, exact)
	case g.chance(30):
		g.items(q, append(columns[:len(columns):len(columns)], g.windows(q, columns, want, g.totalOrder(q, columns))...), want, exact)
	default:
		g.items(q, g.withOuter(columns), want, exact)
		q.sortBy = g.sortKey(q, columns)
	}
	if g.chance(12) && len(q.group) > 0 {
		q.useOrdinals()
	}
	unnamed := top && g.chance(10)
	for i := range q.items {
		if !unnamed {
			q.items[i].alias = fmt.Sprintf("c%d", i+1)
		}
	}
	return q
}

// items adds an item of each wanted kind, made of the leaves in s.
func (g *generator) items(q *Query, s scope, want []Kind, exact bool) {
	for _, k := range want {
		q.items = append(q.items, item{expr: g.item(s, k, exact)})
	}
}

func (g *generator) item(s scope, k Kind, exact bool) *Expr {
	if !exact && k == Float {
		for _, e := range s {
			if e.inexact && g.chance(60) {
				return e.clone()
			}
		}
		return g.apply(s, k, pick(g.Rand, g.rules.scalar[k]...), 1)
	}
	return g.expr(s, k, 3)
}

// aggregates makes a scope of aggregates over the columns of s.
func (g *generator) aggregates(s scope, exact bool) scope {
	var made scope
	// An aggregate of columns of the queries around alone would be one of theirs.
	defer func(outer scope) { g.outer = outer }(g.outer)
	g.outer = nil
	for range 2 + g.IntN(4) {
		k := pick(g.Rand, g.kinds...)
		for len(g.rules.aggregate[k]) == 0 {
			k = pick(g.Rand, g.kinds...)
		}
		a := g.aggregate(s, k, exact)
		a.column, a.aggregate = true, true
		made = append(made, a)
	}
	return made
}

// unsafeQuery computes something that may fail, for the rows of one table.
func (g *generator) unsafeQuery() *Query {
	q := &Query{Unsafe: true, limit: -1, offset: -1}
	columns := g.baseTable(q)
	if g.chance(40) {
		q.where = g.expr(columns, Bool, 2)
	}
	for i := range 1 + g.IntN(2) {
		k := pick(g.Rand, Int, Small, Big, Numeric, Float, Date)
		e := g.apply(columns, k, pick(g.Rand, g.rules.unsafe[k]...), 1)
		for !e.hasColumn() {
			// Of constants alone, it could fail before there are rows.
			e = g.apply(columns, k, pick(g.Rand, g.rules.unsafe[k]...), 1)
		}
		q.items = append(q.items, item{e, fmt.Sprintf("c%d", i+1)})
	}
	return q
}
