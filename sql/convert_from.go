package sql

import (
	"vitess.io/vitess/go/vt/sqlparser"

	"github.com/cubeloom/cubeloom/sql/dialect"
)

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
	c.fail("%T in FROM", t)
	return &TableFile{}
}

func (c *converter) named(t sqlparser.TableName, as string) TableExpr {
	alias := take[dialect.Alias](c, as)
	name, columns := ident(alias.Name), idents(alias.Columns)
	switch m := c.mark(t.Name.String()).(type) {
	case *dialect.Table:
		return &TableName{Name: idents(m.Name), Alias: name, Columns: columns}
	case *dialect.File:
		return &TableFile{Path: m.Path, Alias: name, Columns: columns, Pos: Pos(m.Pos)}
	default:
		c.fail("%T names a table", m)
	}
	return &TableFile{}
}

func (c *converter) derived(d *sqlparser.DerivedTable, as string) TableExpr {
	switch m := c.mark(as).(type) {
	case *dialect.Derived:
		return &DerivedTable{
			Query:   c.query(d.Select),
			Alias:   ident(m.Alias.Name),
			Columns: idents(m.Alias.Columns),
			Lateral: d.Lateral,
			Pos:     Pos(m.Pos),
		}
	case *dialect.TableFunction:
		return &TableFunc{
			Call:    c.tableCall(d.Select),
			Alias:   ident(m.Alias.Name),
			Columns: idents(m.Alias.Columns),
			Lateral: d.Lateral, Ordinality: m.Ordinality,
		}
	default:
		c.fail("%T names a subquery", m)
	}
	return &TableFile{}
}

// tableCall converts the SELECT that dialect writes around a function in FROM.
func (c *converter) tableCall(stmt sqlparser.TableStatement) *FuncCall {
	if s, ok := stmt.(*sqlparser.Select); ok && len(s.SelectExprs.Exprs) == 1 {
		if call, ok := c.item(s.SelectExprs.Exprs[0]).Expr.(*FuncCall); ok {
			return call
		}
	}
	c.fail("no call in FROM")
	return &FuncCall{}
}

func (c *converter) join(t *sqlparser.JoinTableExpr) *JoinExpr {
	left, right := c.table(t.LeftExpr), c.table(t.RightExpr)
	if t.Condition == nil || t.Condition.On == nil {
		c.fail("a join without a condition")
		return &JoinExpr{Left: left, Right: right}
	}
	m, args := takeCall[dialect.Join](c, t.Condition.On)
	j := &JoinExpr{
		Kind:    m.Kind,
		Natural: m.Natural,
		Left:    left,
		Right:   right,
		Using:   idents(m.Using),
		Pos:     Pos(m.Pos),
	}
	if len(args) == 1 {
		j.On = c.expr(args[0])
	}
	return j
}
