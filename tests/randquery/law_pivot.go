package randquery

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/tests/reference"
)

// pivotSubject is a query over joined tables that have rows. What its conditions are
// for the chosen rows is not known yet.
func pivotSubject(g *generator) *Query {
	q := &Query{limit: -1, offset: -1}
	all := g.tables
	g.tables = slices.DeleteFunc(slices.Clone(all), func(r relation) bool { return r.rows == 0 })
	if len(g.tables) == 0 {
		return q
	}
	first, columns := g.named(g.anyBase())
	q.from = []*source{first}
	for range pick(g.Rand, 0, 0, 1, 1, 2) {
		if g.full && len(g.tables) == 1 {
			break // the large one again
		}
		right, added := g.named(g.anyBase())
		s := &source{join: pick(g.Rand, joinWords...), left: q.from[0], right: right}
		full := strings.HasPrefix(s.join, "FULL")
		s.on = g.condition(columns, added, full)
		q.from[0], columns = s, append(columns[:len(columns):len(columns)], added...)
	}
	g.tables = all
	if g.chance(85) {
		q.where = g.expr(columns, Bool, 3)
	}
	for range 1 + g.IntN(4) {
		e := pick(g.Rand, columns...).clone()
		if g.chance(25) {
			e = g.expr(columns, pick(g.Rand, g.kinds...), 2)
		}
		q.items = append(q.items, item{expr: e})
	}
	nameItems(q)
	q.distinct = g.chance(25)
	return q
}

// choosePivots picks a row of each table that the subject names.
func (c *Case) choosePivots() {
	c.pivots = map[string]pivot{}
	r := c.rand()
	for _, s := range c.Query.leaves() {
		for _, t := range c.Tables {
			if t.Name == s.table && len(t.Rows) > 0 {
				c.pivots[s.alias] = pivot{t, pick(r, t.Rows...)}
			}
		}
	}
}

// leaves are the sources of FROM that are no joins.
func (q *Query) leaves() []*source {
	var found []*source
	var walk func(s *source)
	walk = func(s *source) {
		if s.join == "" {
			found = append(found, s)
			return
		}
		walk(s.left)
		walk(s.right)
	}
	for _, s := range q.from {
		walk(s)
	}
	return found
}

// atPivot is an expression with the values of the chosen rows in the place of columns.
func (c *Case) atPivot(e *Expr) *Expr {
	e = e.clone()
	e.visit(func(x *Expr) {
		alias, name, qualified := strings.Cut(x.parts[0], ".")
		p, chosen := c.pivots[alias]
		if !x.column || len(x.kids) > 0 || !qualified || !chosen {
			return
		}
		for i, column := range p.table.Columns {
			if column.Name == name {
				x.parts = []string{"CAST(" + p.row[i] + " AS " + column.Type + ")"}
			}
		}
	})
	return e
}

// checkPivot makes the conditions hold for the chosen rows and looks for them in the
// answer. What an expression is for them, a query of constants says, which needs no
// table.
func checkPivot(c *Case, ask Ask) error {
	q := c.Query.clone()
	if q.op != "" || len(q.from) == 0 || slices.ContainsFunc(q.leaves(), func(s *source) bool { _, chosen := c.pivots[s.alias]; return !chosen }) {
		return errNoSubject
	}
	for _, s := range q.from {
		if err := c.rectifyJoins(s, ask); err != nil {
			return err
		}
	}
	if q.where != nil {
		if err := c.rectify(&q.where, ask); err != nil {
			return err
		}
	}
	row := &Query{limit: -1, offset: -1}
	for _, it := range q.items {
		row.items = append(row.items, item{c.atPivot(it.expr), it.alias})
	}
	want, err := ask(row.SQL(), true)
	if err != nil {
		return err
	}
	return c.searchPivot(q, row, want, ask)
}

// rectifyJoins makes the conditions of joins hold. A full join takes equalities only;
// where its own does not hold it becomes another join.
func (c *Case) rectifyJoins(s *source, ask Ask) error {
	if s.join == "" {
		return nil
	}
	if err := c.rectifyJoins(s.left, ask); err != nil || s.on == nil {
		return err
	}
	before := s.on.SQL()
	if err := c.rectify(&s.on, ask); err != nil {
		return err
	}
	if strings.HasPrefix(s.join, "FULL") && s.on.SQL() != before {
		s.join = "LEFT JOIN"
	}
	return nil
}

// rectify changes a condition to one that is true for the chosen rows.
func (c *Case) rectify(condition **Expr, ask Ask) error {
	r, err := ask("SELECT "+c.atPivot(*condition).SQL()+" AS c1", true)
	if err != nil {
		return err
	}
	switch cell := r.Rows[0][0]; {
	case cell.Null:
		*condition = &Expr{kind: Bool, parts: []string{"(", " IS NULL)"}, kids: []*Expr{*condition}}
	case cell.Text != "t":
		*condition = &Expr{kind: Bool, parts: []string{"(NOT ", ")"}, kids: []*Expr{*condition}}
	}
	return nil
}

// searchPivot looks for the row want, which the constants of row make, in the answer to q.
func (c *Case) searchPivot(q, row *Query, want *reference.Result, ask Ask) error {
	var equal []string
	for i, it := range q.items {
		equal = append(equal, fmt.Sprintf("x.%s IS NOT DISTINCT FROM %s", it.alias, row.items[i].expr.SQL()))
	}
	filter := strings.Join(equal, " AND ")
	sql := ""
	switch c.rand().IntN(5) {
	case 0:
		sql = fmt.Sprintf("(%s) INTERSECT (%s)", row.SQL(), q.SQL())
	case 1:
		sql = fmt.Sprintf("SELECT %s FROM (%s) AS x WHERE %s", "x.*", q.SQL(), filter)
	case 2:
		sql = fmt.Sprintf("%s WHERE EXISTS (SELECT 1 FROM (%s) AS x WHERE %s)", row.SQL(), q.SQL(), filter)
	case 3:
		sql = fmt.Sprintf("SELECT %s FROM (SELECT x.*, row_number() OVER (PARTITION BY x.c1) AS place FROM (%s) AS x) AS x WHERE place >= 1", names(q), q.SQL())
	default:
		sql = q.SQL()
	}
	got, err := ask(sql, false)
	if err != nil {
		return err
	}
	text := reference.Line(canonical(want).Rows[0])
	for _, found := range canonical(got).Rows {
		if reference.Line(found) == text {
			return nil
		}
	}
	return violated("the row %s is not in the answer of %d rows", reference.Line(want.Rows[0]), len(got.Rows))
}

func names(q *Query) string {
	var list []string
	for _, it := range q.items {
		list = append(list, it.alias)
	}
	return strings.Join(list, ", ")
}
