package write

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// after is what RETURNING can name: the scope with new columns in the place of
// those that are set. It returns the new columns by their position in the table.
func (c *change) after(set []sql.Assignment) (*scope.Scope, map[int]algebra.Column) {
	sc := &scope.Scope{Rels: c.scope.Rels, Cols: append([]scope.Column(nil), c.scope.Cols...)}
	changed := map[int]algebra.Column{}
	change := func(i int) {
		col := &c.target.Columns[i]
		changed[i] = c.NewColumn(col.Name, col.Type, true)
		sc.Cols[i].Col = changed[i]
	}
	for _, a := range set {
		for _, id := range a.Columns {
			if i := find(c.target, id.Name); i >= 0 {
				change(i)
			}
		}
	}
	c.generated = generatedColumns(c.target, func(name string) bool {
		_, named := changed[find(c.target, name)]
		return named
	})
	for _, i := range c.generated {
		change(i)
	}
	return sc, changed
}

// named are the positions of the columns that SET names, all of which there are.
func (c *change) named(set []sql.Assignment) (columns []int) {
	for _, a := range set {
		for _, id := range a.Columns {
			columns = append(columns, find(c.target, id.Name))
		}
	}
	return columns
}

// generate adds what becomes of generated columns to rows that have what is set, and to the columns
// that are set, with what computes them. After is the scope of the columns as they are then.
func (c *change) generate(after *scope.Scope, set []int, items []algebra.Item) ([]int, []algebra.Item) {
	if len(c.generated) == 0 {
		return set, items
	}
	var row []algebra.Column
	for i := range c.target.Columns {
		row = append(row, after.Cols[i].Col)
	}
	var computed []algebra.Item
	for n, e := range generatedValues(c.Binder, c.target, c.generated, row) {
		if c.guard != nil {
			e = where(c.guard, e, nil)
		}
		computed = append(computed, algebra.Item{Column: row[c.generated[n]], Expr: e})
	}
	c.node = &algebra.Project{Input: c.node, Items: append(term.PassOn(c.node.Columns()), computed...)}
	return append(set, c.generated...), append(items, computed...)
}

// source is what a column is set to.
type source struct {
	column sql.Ident
	field  sql.Ident
	expr   algebra.Expr // nil: DEFAULT
	pos    sql.Pos
}

// assignments binds SET: the positions of the columns that it names, and what
// computes each of them.
func (c *change) assignments(set []sql.Assignment, changed map[int]algebra.Column) ([]int, []algebra.Item) {
	x := &scope.Exprs{Binder: c.Binder, Scope: c.scope, Env: c.env, Clause: "UPDATE"}
	sources := sources(x, set)
	var columns []int
	var items []algebra.Item
	seen := map[int]bool{}
	for _, s := range sources {
		i := find(c.target, s.column.Name)
		if i < 0 {
			panic(value.ErrorAt(int(s.column.Pos), value.CodeUndefinedColumn,
				"column %q of relation %q does not exist", s.column.Name, c.target.Ref.Name))
		}
		if s.field.Name != "" {
			panic(term.NotSupported(s.field.Pos, "a part of a column in UPDATE is"))
		}
		column := &c.target.Columns[i]
		if s.expr == nil && column.Sequence != "" {
			s.expr = c.nextValue(i, s.pos)
		} else if column.Identity == always {
			panic(errNotDefault(column))
		}
		e := assigned(x, &s, column)
		if column.Generated != "" && s.expr != nil {
			panic(errNotDefault(column))
		}
		if seen[i] {
			panic(value.Errorf(value.CodeSyntax, "multiple assignments to same column %q", s.column.Name))
		}
		seen[i] = true
		if column.Generated != "" {
			continue // generate says what it becomes
		}
		item := algebra.Item{Column: changed[i], Expr: e}
		item.Column.Nullable = algebra.CanBeNull(e)
		columns, items = append(columns, i), append(items, item)
	}
	return columns, items
}

// assigned converts what a column is set to.
func assigned(x *scope.Exprs, s *source, c *scope.CatalogColumn) algebra.Expr {
	if s.expr == nil {
		return defaultOf(x.Binder, c)
	}
	return assign(x, s.expr, *c, s.pos)
}

// sources binds the right sides of SET, column by column.
func sources(x *scope.Exprs, set []sql.Assignment) []source {
	var out []source
	for _, a := range set {
		values := []sql.Expr{a.Value}
		if row, ok := a.Value.(*sql.Row); ok && a.Row {
			values = row.Exprs
		}
		query, isQuery := a.Value.(*sql.Subquery)
		if isQuery = isQuery && a.Row; !isQuery && len(values) != len(a.Columns) {
			panic(errAssignedCount(a.Value.Position()))
		}
		for k, id := range a.Columns {
			s := source{column: id, field: a.Field, pos: a.Value.Position()}
			if isQuery {
				s.expr = subqueryColumn(x, query, k, len(a.Columns))
			} else {
				s.pos = values[k].Position()
				s.expr = valueOrDefault(x, values[k])
			}
			out = append(out, s)
		}
	}
	return out
}

func errAssignedCount(pos sql.Pos) error {
	return value.ErrorAt(int(pos), value.CodeSyntax, "number of columns does not match number of values")
}

// valueOrDefault binds an expression; nil for DEFAULT.
func valueOrDefault(x *scope.Exprs, e sql.Expr) algebra.Expr {
	if _, ok := e.(*sql.Default); ok {
		return nil
	}
	return x.Expr(e)
}

// subqueryColumn is column k of the one row that a query of n columns returns.
func subqueryColumn(x *scope.Exprs, e *sql.Subquery, k, n int) algebra.Expr {
	rel := expression.Subquery(x, e.Query, e.Pos)
	cols := rel.Columns()
	if len(cols) != n {
		panic(errAssignedCount(e.Pos))
	}
	item := algebra.Item{Column: x.NewColumn(cols[k].Name, cols[k].Type, cols[k].Nullable), Expr: cols[k].Ref()}
	plan := &algebra.Project{Input: rel.Node, Items: []algebra.Item{item}}
	return expression.NewSubquery(x.Binder, algebra.SubqueryScalar, plan, cols[k].Type)
}

// defaultOf binds the default of a column: NULL where it has none.
func defaultOf(b *scope.Binder, c *scope.CatalogColumn) algebra.Expr {
	if c.Sequence != "" {
		v := next(b, c.Sequence)
		return assign(&scope.Exprs{Binder: b}, v, *c, sql.NoPos)
	}
	if c.Default == "" {
		return &algebra.Const{Typ: c.Type}
	}
	return columnDefault(b, parsed(c.Default), c)
}

// CheckDefault checks the default of a column of CREATE TABLE or ALTER TABLE, and
// returns its text. As in PostgreSQL it need not fit the column: a value that is too long
// or out of range fails where a row takes it.
func CheckDefault(b *scope.Binder, def *sql.DefaultExpr, c scope.CatalogColumn) string {
	x, e := defaultExpr(b, def.Expr, &c)
	if e.Type().Kind == algebra.Unknown {
		e = convert.Coerce(x, e, sqltype.Unlimited(c.Type), sqltype.Assignment, def.Expr.Position())
	}
	if k, ok := e.(*algebra.Const); ok && k.Val.Kind == value.Null {
		return ""
	}
	return def.Text
}

// DefaultValue is the value that the default of a column has now, of the
// column's type.
func DefaultValue(b *scope.Binder, c scope.CatalogColumn) value.Value {
	e := defaultOf(b, &c)
	return b.Constant(e, value.NoPos).Val
}

// columnDefault binds the expression of a column's default, as a value of the column.
func columnDefault(b *scope.Binder, e sql.Expr, c *scope.CatalogColumn) algebra.Expr {
	x, bound := defaultExpr(b, e, c)
	return assign(x, bound, *c, e.Position())
}

// defaultExpr binds the expression of a column's default, which can name no column and
// hold no query, and whose type the column's is to take.
func defaultExpr(b *scope.Binder, e sql.Expr, c *scope.CatalogColumn) (*scope.Exprs, algebra.Expr) {
	x := &scope.Exprs{Binder: b, Scope: &scope.Scope{}, Clause: "DEFAULT expressions", Alone: expression.InDefault}
	bound := x.Expr(e)
	mustSuit(bound, c)
	return x, bound
}
