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
	panic(defect("%T for a query", stmt))
}

// selectQuery converts a SELECT, or the one that dialect writes around a set
// operation with clauses.
func (c *converter) selectQuery(s *sqlparser.Select) *Query {
	q := &Query{With: c.with(s.With)}
	name, args := c.head(s)
	switch m := c.placeholder(name).(type) {
	case *dialect.Select:
		q.Pos = Pos(m.Pos)
		q.Body = c.selectBody(s, q.Pos, args)
	case *dialect.Query:
		q.Pos = Pos(m.Pos)
		q.Body = c.arm(c.wrapped(s))
	default:
		panic(defect("%T heads a SELECT", m))
	}
	for _, o := range s.OrderBy {
		q.OrderBy = append(q.OrderBy, c.sortKey(o.Expr))
	}
	if s.Limit != nil {
		c.limit(q, s.Limit)
	}
	return q
}

// head returns the intermediate SQL call that is the first item of each SELECT.
func (c *converter) head(s *sqlparser.Select) (string, []sqlparser.Expr) {
	if len(s.SelectExprs.Exprs) > 0 {
		if item, ok := s.SelectExprs.Exprs[0].(*sqlparser.AliasedExpr); ok {
			if f, ok := item.Expr.(*sqlparser.FuncExpr); ok {
				return f.Name.String(), f.Exprs
			}
		}
	}
	panic(defect("a SELECT without a head"))
}

// wrapped returns the query in the FROM of a SELECT that only carries a placeholder.
func (c *converter) wrapped(s *sqlparser.Select) sqlparser.TableStatement {
	if len(s.From) == 1 {
		if t, ok := s.From[0].(*sqlparser.AliasedTableExpr); ok {
			if d, ok := t.Expr.(*sqlparser.DerivedTable); ok {
				return d.Select
			}
		}
	}
	panic(defect("a wrapped query without FROM"))
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
		panic(defect("%T at the right of a set operation", u.Right))
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
		q := c.query(cte.Subquery)
		write, changes := m.Write.(Change)
		if changes {
			q = nil
		}
		out.CTEs = append(out.CTEs, CTE{Name: ident(m.Name), Columns: idents(m.Columns), Query: q, Write: write, Materialized: m.Materialized})
	}
	return out
}

func (c *converter) limit(q *Query, l *sqlparser.Limit) {
	m, args := takeCall[dialect.Limit](c, l.Rowcount)
	q.Ties = m.Ties
	for _, lock := range m.Locks {
		q.Locks = append(q.Locks, RowLock{Strength: lock.Strength, Of: idents(lock.Of), Wait: lock.Wait, Pos: Pos(lock.Pos)})
	}
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
		panic(defect("%T heads a SELECT", e))
	}
	switch m := c.placeholder(f.Name.String()).(type) {
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
	panic(defect("%q heads a SELECT", f.Name.String()))
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
	panic(defect("%T among select items", e))
}

// convertQuery parses the intermediate SQL of a query.
func convertQuery(intermediate dialect.Intermediate) *Query {
	stmt := intermediateTree(intermediate)
	c := &converter{check: intermediate.Check, placeholders: intermediate.Placeholders, met: make([]bool, len(intermediate.Placeholders))}
	q := c.query(stmt)
	c.finish()
	return q
}

// onlyDual reports whether FROM is what Vitess puts where there is none.
func onlyDual(from []sqlparser.TableExpr) bool {
	if len(from) != 1 {
		return false
	}
	t, ok := from[0].(*sqlparser.AliasedTableExpr)
	if !ok {
		return false
	}
	name, ok := t.Expr.(sqlparser.TableName)
	return ok && name.Name.String() == "dual"
}

// table converts a table, subquery, function, file or join.
func (c *converter) table(t sqlparser.TableExpr) TableExpr {
	switch t := t.(type) {
	case *sqlparser.ParenTableExpr:
		if len(t.Exprs) == 1 {
			return c.table(t.Exprs[0])
		}
	case *sqlparser.JoinTableExpr:
		return c.join(t)
	case *sqlparser.AliasedTableExpr:
		switch e := t.Expr.(type) {
		case sqlparser.TableName:
			return c.named(e, t.As.String())
		case *sqlparser.DerivedTable:
			return c.derived(e, t.As.String())
		}
	}
	panic(defect("%T in FROM", t))
}

func (c *converter) named(t sqlparser.TableName, as string) TableExpr {
	alias := take[dialect.Alias](c, as)
	name, columns := ident(alias.Name), idents(alias.Columns)
	switch m := c.placeholder(t.Name.String()).(type) {
	case *dialect.Table:
		return &TableName{Name: idents(m.Name), Only: m.Only, Alias: name, Columns: columns}
	case *dialect.File:
		return &TableFile{Path: m.Path, Alias: name, Columns: columns, Pos: Pos(m.Pos)}
	default:
		panic(defect("%T names a table", m))
	}
}

func (c *converter) derived(d *sqlparser.DerivedTable, as string) TableExpr {
	switch m := c.placeholder(as).(type) {
	case *dialect.Derived:
		return &DerivedTable{
			Query:   c.query(d.Select),
			Alias:   ident(m.Alias.Name),
			Columns: idents(m.Alias.Columns),
			Lateral: d.Lateral,
			Pos:     Pos(m.Pos),
		}
	case *dialect.TableFunction:
		calls := c.tableCalls(d.Select)
		t := &TableFunc{
			Call: calls[0], Beside: calls[1:],
			Alias:   ident(m.Alias.Name),
			Columns: idents(m.Alias.Columns),
			Lateral: d.Lateral, Ordinality: m.Ordinality,
		}
		for _, column := range m.Defined {
			t.Defined = append(t.Defined, DefinedColumn{Name: ident(column.Name), Type: typeName(column.Type)})
		}
		return t
	case *dialect.TableSample:
		return c.sample(d.Select, m)
	default:
		panic(defect("%T names a subquery", m))
	}
}

// sample converts the SELECT that dialect writes around a table with TABLESAMPLE.
func (c *converter) sample(stmt sqlparser.TableStatement, m *dialect.TableSample) TableExpr {
	s, ok := stmt.(*sqlparser.Select)
	if !ok || len(s.SelectExprs.Exprs) != 1 || len(s.From) != 1 {
		panic(defect("no table with TABLESAMPLE"))
	}
	t := &TableSample{Table: c.table(s.From[0]), Method: idents(m.Method)}
	if row, ok := c.item(s.SelectExprs.Exprs[0]).Expr.(*Row); ok {
		t.Args = row.Exprs
	}
	if last := len(t.Args) - 1; m.Repeatable && last >= 0 {
		t.Args, t.Repeatable = t.Args[:last], t.Args[last]
	}
	return t
}

// tableCalls converts the SELECT that dialect writes around function calls in FROM.
func (c *converter) tableCalls(stmt sqlparser.TableStatement) (calls []*FuncCall) {
	s, ok := stmt.(*sqlparser.Select)
	if !ok {
		panic(defect("no call in FROM"))
	}
	for _, item := range s.SelectExprs.Exprs {
		call, ok := c.item(item).Expr.(*FuncCall)
		if !ok {
			panic(defect("no call in FROM"))
		}
		calls = append(calls, call)
	}
	return calls
}

func (c *converter) join(t *sqlparser.JoinTableExpr) *JoinExpr {
	left, right := c.table(t.LeftExpr), c.table(t.RightExpr)
	if t.Condition == nil || t.Condition.On == nil {
		panic(defect("a join without a condition"))
	}
	m, args := takeCall[dialect.Join](c, t.Condition.On)
	j := &JoinExpr{
		Kind:    m.Kind,
		Natural: m.Natural,
		Left:    left,
		Right:   right,
		Using:   idents(m.Using),
		Alias:   ident(m.Alias),
		Pos:     Pos(m.Pos),
	}
	if len(args) == 1 {
		j.On = c.expr(args[0])
	}
	return j
}
