package sql

import (
	"vitess.io/vitess/go/vt/sqlparser"

	"github.com/cubeloom/cubeloom/sql/dialect"
)

// query converts a query with its clauses.
func (c *converter) query(stmt sqlparser.TableStatement) *Query {
	switch s := stmt.(type) {
	case *sqlparser.Union:
		op := c.setOp(s)
		return &Query{Body: op, Pos: bodyPos(op)}
	case *sqlparser.ValuesStatement:
		v := c.values(s)
		return &Query{Body: v, Pos: v.Pos}
	case *sqlparser.Select:
		return c.selectQuery(s)
	}
	c.fail("%T for a query", stmt)
	return &Query{Body: &Values{}}
}

// selectQuery converts a SELECT, or the one that dialect writes around a set
// operation with clauses.
func (c *converter) selectQuery(s *sqlparser.Select) *Query {
	q := &Query{With: c.with(s.With)}
	name, args := c.head(s)
	switch m := c.mark(name).(type) {
	case *dialect.Select:
		q.Pos = Pos(m.Pos)
		q.Body = c.selectBody(s, q.Pos, args)
	case *dialect.Query:
		q.Pos = Pos(m.Pos)
		q.Body = c.arm(c.wrapped(s))
	default:
		c.fail("%T heads a SELECT", m)
		return q
	}
	for _, o := range s.OrderBy {
		q.OrderBy = append(q.OrderBy, c.sortKey(o.Expr))
	}
	if s.Limit != nil {
		c.limit(q, s.Limit)
	}
	return q
}

// head gives the intermediate SQL call that is the first item of each SELECT.
func (c *converter) head(s *sqlparser.Select) (string, []sqlparser.Expr) {
	if len(s.SelectExprs.Exprs) > 0 {
		if item, ok := s.SelectExprs.Exprs[0].(*sqlparser.AliasedExpr); ok {
			if f, ok := item.Expr.(*sqlparser.FuncExpr); ok {
				return f.Name.String(), f.Exprs
			}
		}
	}
	c.fail("a SELECT without a head")
	return "", nil
}

// wrapped gives the query in the FROM of a SELECT that only carries a mark.
func (c *converter) wrapped(s *sqlparser.Select) sqlparser.TableStatement {
	if len(s.From) == 1 {
		if t, ok := s.From[0].(*sqlparser.AliasedTableExpr); ok {
			if d, ok := t.Expr.(*sqlparser.DerivedTable); ok {
				return d.Select
			}
		}
	}
	c.fail("a wrapped query without FROM")
	return nil
}

// arm converts a query to the simplest body that it is.
func (c *converter) arm(stmt sqlparser.TableStatement) QueryBody {
	q := c.query(stmt)
	if q.With == nil && q.OrderBy == nil && q.Limit == nil && q.Offset == nil {
		return q.Body
	}
	return q
}

func bodyPos(b QueryBody) Pos {
	switch b := b.(type) {
	case *Select:
		return b.Pos
	case *Values:
		return b.Pos
	case *Query:
		return b.Pos
	case *SetOp:
		for {
			left, ok := b.Left.(*SetOp)
			if !ok {
				return bodyPos(b.Left)
			}
			b = left
		}
	}
	return NoPos
}

func (c *converter) setOp(u *sqlparser.Union) *SetOp {
	op := &SetOp{Left: c.arm(u.Left)}
	right, ok := u.Right.(*sqlparser.Select)
	if !ok {
		c.fail("%T at the right of a set operation", u.Right)
		return op
	}
	name, _ := c.head(right)
	m := take[dialect.SetOp](c, name)
	op.Kind, op.All, op.Pos = m.Kind, m.All, Pos(m.Pos)
	op.Right = c.arm(c.wrapped(right))
	return op
}

func (c *converter) values(s *sqlparser.ValuesStatement) *Values {
	v := &Values{}
	for i, row := range s.Rows {
		if i == 0 && len(row) > 0 {
			m, _ := takeCall[dialect.Values](c, row[0])
			v.Pos = Pos(m.Pos)
			row = row[1:]
		}
		v.Rows = append(v.Rows, c.exprs(row))
	}
	return v
}

func (c *converter) with(w *sqlparser.With) *With {
	if w == nil {
		return nil
	}
	out := &With{Recursive: w.Recursive}
	for _, cte := range w.CTEs {
		m := take[dialect.CTE](c, cte.ID.String())
		out.CTEs = append(out.CTEs, CTE{
			Name:         ident(m.Name),
			Columns:      idents(m.Columns),
			Query:        c.query(cte.Subquery),
			Materialized: m.Materialized,
		})
	}
	return out
}

func (c *converter) limit(q *Query, l *sqlparser.Limit) {
	m, args := takeCall[dialect.Limit](c, l.Rowcount)
	q.Ties = m.Ties
	if len(args) == 1 {
		q.Limit = unlessNull(c.expr(args[0]))
	}
	if l.Offset != nil {
		q.Offset = unlessNull(c.expr(l.Offset))
	}
}

// unlessNull drops the NULL that stands for no limit.
func unlessNull(e Expr) Expr {
	if l, ok := e.(*Literal); ok && l.Kind == NullLiteral {
		return nil
	}
	return e
}

// selectBody converts a SELECT without the clauses around it; head holds those
// that MySQL has no place for.
func (c *converter) selectBody(s *sqlparser.Select, pos Pos, head []sqlparser.Expr) *Select {
	out := &Select{Distinct: s.Distinct, Pos: pos}
	for _, e := range s.SelectExprs.Exprs[1:] {
		out.Items = append(out.Items, c.item(e))
	}
	if !onlyDual(s.From) {
		for _, t := range s.From {
			out.From = append(out.From, c.table(t))
		}
	}
	if s.Where != nil {
		out.Where = c.expr(s.Where.Expr)
	}
	if s.GroupBy != nil {
		out.GroupBy = c.groupBy(s.GroupBy)
	}
	if s.Having != nil {
		out.Having = c.expr(s.Having.Expr)
	}
	for _, e := range head {
		c.headClause(out, e)
	}
	return out
}

// headClause converts DISTINCT ON, an entry of WINDOW, or QUALIFY.
func (c *converter) headClause(s *Select, e sqlparser.Expr) {
	f, ok := e.(*sqlparser.FuncExpr)
	if !ok {
		c.fail("%T heads a SELECT", e)
		return
	}
	switch m := c.mark(f.Name.String()).(type) {
	case *dialect.Window:
		s.Windows = append(s.Windows, WindowDef{Name: ident(m.Name), Spec: c.window(m, f.Exprs)})
		return
	case *dialect.Clause:
		switch exprs := c.exprs(f.Exprs); {
		case m.Kind == dialect.DistinctOnClause:
			s.DistinctOn = exprs
			return
		case m.Kind == dialect.QualifyClause && len(exprs) == 1:
			s.Qualify = exprs[0]
			return
		}
	}
	c.fail("%q heads a SELECT", f.Name.String())
}

func (c *converter) item(e sqlparser.SelectExpr) SelectItem {
	switch e := e.(type) {
	case *sqlparser.StarExpr:
		m := take[dialect.Star](c, e.TableName.Name.String())
		return SelectItem{Expr: &Star{Qualifier: idents(m.Qualifier), Pos: Pos(m.Pos)}}
	case *sqlparser.AliasedExpr:
		item := SelectItem{Expr: c.expr(e.Expr)}
		if !e.As.IsEmpty() {
			item.Alias = ident(take[dialect.Alias](c, e.As.String()).Name)
		}
		return item
	}
	c.fail("%T among select items", e)
	return SelectItem{Expr: &Default{}}
}

func (c *converter) groupBy(g *sqlparser.GroupBy) *GroupBy {
	if len(g.Exprs) != 1 || g.WithRollup {
		c.fail("GROUP BY of %d", len(g.Exprs))
		return nil
	}
	m, args := takeCall[dialect.GroupBy](c, g.Exprs[0])
	return &GroupBy{
		All:      m.All,
		Distinct: m.Distinct,
		Elements: c.groupElements(args),
		Pos:      Pos(m.Pos),
	}
}

func (c *converter) groupElements(args []sqlparser.Expr) []GroupElement {
	var out []GroupElement
	for _, e := range args {
		out = append(out, c.groupElement(e))
	}
	return out
}

func (c *converter) groupElement(e sqlparser.Expr) GroupElement {
	f, ok := e.(*sqlparser.FuncExpr)
	if !ok {
		return c.groupExprs(e)
	}
	m, ok := c.peek(f).(*dialect.Grouping)
	if !ok {
		return c.groupExprs(e)
	}
	c.mark(f.Name.String())
	pos := Pos(m.Pos)
	switch m.Kind {
	case dialect.GroupCube:
		return &Cube{Elements: c.groupSets(f.Exprs), Pos: pos}
	case dialect.GroupRollup:
		return &Rollup{Elements: c.groupSets(f.Exprs), Pos: pos}
	case dialect.GroupingSets:
		return &GroupingSets{Elements: c.groupElements(f.Exprs), Pos: pos}
	}
	return &GroupExprs{Pos: pos}
}

func (c *converter) groupSets(args []sqlparser.Expr) []*GroupExprs {
	var out []*GroupExprs
	for _, e := range args {
		out = append(out, c.groupExprs(e))
	}
	return out
}

// groupExprs converts one expression, or a row as the composite that it is in
// GROUP BY unless ROW was written.
func (c *converter) groupExprs(e sqlparser.Expr) *GroupExprs {
	if f, ok := e.(*sqlparser.FuncExpr); ok {
		if m, ok := c.peek(f).(*dialect.Row); ok && !m.Explicit {
			c.mark(f.Name.String())
			return &GroupExprs{Exprs: c.exprs(f.Exprs), Pos: Pos(m.Pos)}
		}
	}
	x := c.expr(e)
	return &GroupExprs{Exprs: []Expr{x}, Pos: x.Position()}
}
