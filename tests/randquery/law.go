package randquery

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"github.com/cubeloom/cubeloom/tests/reference"
)

// A Law says how the answers to several queries that are made of one query, the subject,
// follow from each other whatever the tables hold.
type Law struct {
	Name string
	// About says in one line what is compared.
	About   string
	subject func(g *generator) *Query
	check   func(c *Case, ask Ask) error
}

// Ask answers a query. With plain it does so in the plainest configuration.
type Ask func(sql string, plain bool) (*reference.Result, error)

// A Violation is an answer that breaks a law.
type Violation struct{ text string }

func (v *Violation) Error() string { return v.text }

func violated(format string, args ...any) error { return &Violation{fmt.Sprintf(format, args...)} }

// A Case is a law with its subject.
type Case struct {
	Law    Law
	Seed   uint64
	Tables []Table
	Query  *Query
	// pivots are the chosen rows of tables by alias.
	pivots map[string]pivot
}

// A pivot is a row of a table.
type pivot struct {
	table Table
	row   []string
}

// Check asks what the law needs and returns a *Violation where it is broken, or the
// error of a query.
func (c *Case) Check(ask Ask) error { return c.Law.check(c, ask) }

// with returns the case with another subject.
func (c *Case) with(q *Query) *Case {
	other := *c
	other.Query = q
	return &other
}

// rand makes the choices of a check, the same for each subject of a seed.
func (c *Case) rand() *rand.Rand { return rand.New(rand.NewPCG(c.Seed, 0x6c6177)) }

// hash is a number that depends on a seed and a text.
func hash(seed uint64, text string) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s", seed, text)
	return h.Sum64() * 0x9e3779b97f4a7c15 >> 16
}

// anySubject is any query that does not fail.
func anySubject(g *generator) *Query { return g.safeQuery() }

// plainSubject is a query without groups, whose WHERE is the condition of a law.
func plainSubject(g *generator) *Query {
	q := &Query{limit: -1, offset: -1}
	columns := g.from(q, 1+g.IntN(2))
	q.where = g.expr(columns, Bool, 3)
	g.items(q, columns, g.randomKinds(3), true)
	nameItems(q)
	q.distinct = g.chance(25)
	return q
}

func nameItems(q *Query) {
	for i := range q.items {
		q.items[i].alias = fmt.Sprintf("c%d", i+1)
	}
}

// groupedSubject is a query with groups, whose HAVING is the condition of a law.
func groupedSubject(g *generator) *Query {
	q := &Query{limit: -1, offset: -1}
	columns := g.from(q, 1)
	g.where(q, columns)
	for q.having == nil || len(q.windows) > 0 || q.hasWindow() {
		q.items, q.group, q.windows, q.having = nil, nil, nil, nil
		g.grouped(q, columns, g.randomKinds(3), true, false)
	}
	nameItems(q)
	q.distinct = g.chance(15)
	return q
}

// hasWindow reports whether an item has a window function.
func (q *Query) hasWindow() bool {
	found := false
	for _, it := range q.items {
		it.expr.visit(func(e *Expr) { found = found || e.isWindow() })
	}
	return found
}

// thirds are the subject with a condition that is true, false and NULL.
func thirds(q *Query, condition func(*Query) **Expr) []*Query {
	var parts []*Query
	for _, texts := range [][]string{{"", ""}, {"(NOT ", ")"}, {"(", " IS NULL)"}} {
		part := q.clone()
		slot := condition(part)
		*slot = &Expr{kind: Bool, parts: texts, kids: []*Expr{*slot}}
		parts = append(parts, part)
	}
	return parts
}

// together is a set operation of several queries.
func together(op string, parts []*Query) *Query {
	q := parts[0]
	for _, part := range parts[1:] {
		q = &Query{op: op, left: q, right: part, limit: -1, offset: -1}
	}
	return q
}

func checkWhere(c *Case, ask Ask) error {
	return checkThirds(c, ask, func(q *Query) **Expr { return &q.where })
}

func checkHaving(c *Case, ask Ask) error {
	return checkThirds(c, ask, func(q *Query) **Expr { return &q.having })
}

func checkThirds(c *Case, ask Ask, condition func(*Query) **Expr) error {
	if c.Query.op != "" || *condition(c.Query) == nil {
		return errNoSubject
	}
	whole := c.Query.clone()
	*condition(whole) = nil
	want, err := ask(whole.SQL(), false)
	if err != nil {
		return err
	}
	parts := thirds(c.Query, condition)
	if c.Query.distinct || c.rand().IntN(2) == 0 {
		op := "UNION ALL"
		if c.Query.distinct {
			op = "UNION"
		}
		got, err := ask(together(op, parts).SQL(), false)
		return compare("the three parts together", got, want, false, err)
	}
	got, err := answers(ask, parts)
	return compare("the three parts together", got, want, false, err)
}

// answers are the rows of several queries with the same columns.
func answers(ask Ask, parts []*Query) (*reference.Result, error) {
	all := &reference.Result{}
	for _, part := range parts {
		got, err := ask(part.SQL(), false)
		if err != nil {
			return nil, err
		}
		all.Columns, all.Rows = got.Columns, append(all.Rows, got.Rows...)
	}
	return all, nil
}

func checkAgreement(c *Case, ask Ask) error {
	want, err := ask(c.Query.SQL(), true)
	if err != nil {
		return err
	}
	got, err := ask(c.Query.SQL(), false)
	return compare("the configuration", got, want, c.Query.Ordered(), err)
}

// Shrink makes the subject smaller, and then the tables, while fails holds. fails learns
// whether the tables are others than those of the call before.
func (c *Case) Shrink(fails func(c *Case, otherRows bool) bool) *Case {
	const budget = 2000
	best := c.with(Shrink(c.Query, budget, func(q *Query) bool { return fails(c.with(q), false) }))
	for i := range best.Tables {
		for at := 0; at < len(best.Tables[i].Rows); {
			smaller := best.without(i, at)
			if smaller != nil && fails(smaller, true) {
				best = smaller
			} else {
				at++
			}
		}
	}
	return best
}

// without returns the case without a row of a table, nil where that is a chosen one.
func (c *Case) without(table, row int) *Case {
	t := c.Tables[table]
	for _, p := range c.pivots {
		if p.table.Name == t.Name && slices.Equal(p.row, t.Rows[row]) {
			return nil
		}
	}
	other := *c
	other.Tables = slices.Clone(c.Tables)
	other.Tables[table].Rows = slices.Delete(slices.Clone(t.Rows), row, row+1)
	return &other
}

// compare is a violation where two answers differ. Values that are equal and print
// differently, as 1.0 and 1.00, are the same: which of them stands for a group is free.
func compare(what string, got, want *reference.Result, ordered bool, err error) error {
	if err != nil {
		return err
	}
	if err := reference.Compare(got, want, ordered); err == nil {
		return nil
	}
	if err := reference.Compare(canonical(got), canonical(want), ordered); err != nil {
		return violated("%s: %v", what, err)
	}
	return nil
}
