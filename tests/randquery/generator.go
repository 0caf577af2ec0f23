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
