package write

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/query"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
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
	if query.HasTableOID(c.Binder, c.target) {
		sc.Cols[len(c.target.Columns)].Col = c.NewColumn(scope.TableOID, algebra.TOID, false)
	}
	return sc, changed
}

// row are the columns of the table in a scope.
func (c *change) row(sc *scope.Scope) []algebra.Column {
	return lists.Map(sc.Cols[:len(c.target.Columns)], func(of scope.Column) algebra.Column { return of.Col })
}

// locate adds in which table rows are that have what is set.
func (c *change) locate(after *scope.Scope) {
	if query.HasTableOID(c.Binder, c.target) {
		c.node = query.WithTableOID(c.Binder, c.target, c.node, c.row(after), after.Cols[len(c.target.Columns)].Col)
	}
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
	row := c.row(after)
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

// assignments binds SET: the positions of the columns that it names, and what
// computes each of them.
func (c *change) assignments(set []sql.Assignment, changed map[int]algebra.Column) ([]int, []algebra.Item) {
	x := &scope.Exprs{Binder: c.Binder, Scope: c.scope, Env: c.env, Clause: "UPDATE"}
	sources := sources(x, set)
	var columns []int
	var items []algebra.Item
	seen := map[int]bool{}
	elements := map[int]algebra.Expr{} // the arrays whose elements are set, by the positions of the columns
	for _, s := range sources {
		i := find(c.target, s.column.Name)
		if i < 0 {
			panic(c.noColumn(s.column))
		}
		if s.field.Name != "" {
			panic(term.NotSupported(s.field.Pos, "a part of a column in UPDATE is"))
		}
		column := &c.target.Columns[i]
		if seen[i] && (s.element == nil || elements[i] == nil) {
			panic(value.Errorf(value.CodeSyntax, "multiple assignments to same column %q", s.column.Name))
		}
		if s.element != nil {
			old := elements[i]
			if old == nil {
				columns, items = append(columns, i), append(items, algebra.Item{Column: changed[i]})
				old = c.scope.Cols[i].Col.Ref()
			}
			elements[i], seen[i] = withElement(x, &s, column, old), true
			item := &items[slices.Index(columns, i)]
			item.Expr, item.Column.Nullable = elements[i], algebra.CanBeNull(elements[i])
			continue
		}
		if s.expr == nil && column.Sequence != "" {
			s.expr = c.nextValue(i, s.pos)
		} else if column.Identity == always {
			panic(errNotDefault(column))
		}
		e := assigned(x, &s, column)
		if column.Generated != "" && s.expr != nil {
			panic(errNotDefault(column))
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

// noColumn is the error of SET with a column that the table does not have, or that nobody sets.
func (c *change) noColumn(id sql.Ident) error {
	if scope.IsSystemColumn(id.Name) {
		return value.ErrorAt(int(id.Pos), value.CodeFeatureNotSupported, "cannot assign to system column %q", id.Name)
	}
	return value.ErrorAt(int(id.Pos), value.CodeUndefinedColumn, "column %q of relation %q does not exist", id.Name, c.target.Ref.Name)
}

// assigned converts what a column is set to.
func assigned(x *scope.Exprs, s *source, c *scope.CatalogColumn) algebra.Expr {
	if s.expr == nil {
		return defaultOf(x.Binder, c)
	}
	return assign(x, s.expr, *c, s.pos)
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
	if k, ok := e.(*algebra.Const); ok && k.Val.Kind == value.Null && c.Domain == nil {
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
