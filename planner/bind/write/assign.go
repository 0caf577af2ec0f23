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
	for _, a := range set {
		for _, id := range a.Columns {
			i := find(c.target, id.Name)
			if i < 0 {
				continue
			}
			col := &c.target.Columns[i]
			changed[i] = c.NewColumn(col.Name, col.Type, true)
			sc.Cols[i].Col = changed[i]
		}
	}
	return sc, changed
}

// find returns the position of a column; -1 for none.
func find(r *scope.Relation, name string) int {
	for i := range r.Columns {
		if r.Columns[i].Name == name {
			return i
		}
	}
	return -1
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
	columns := make([]int, len(sources))
	items := make([]algebra.Item, len(sources))
	seen := map[int]bool{}
	for n, s := range sources {
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
			panic(term.NotSupported(s.pos, "DEFAULT of a column of a sequence in UPDATE is"))
		}
		e := assigned(x, &s, column)
		if column.Identity == always {
			panic(errNotDefault(column))
		}
		if seen[i] {
			panic(value.Errorf(value.CodeSyntax, "multiple assignments to same column %q", s.column.Name))
		}
		seen[i] = true
		columns[n] = i
		items[n] = algebra.Item{Column: changed[i], Expr: e}
		items[n].Column.Nullable = algebra.CanBeNull(e)
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
	e, err := sql.ParseExpr(c.Default)
	if err != nil {
		panic(withoutPos(err))
	}
	sql.MoveTo(e, sql.NoPos) // for it is in another text
	return columnDefault(b, e, c)
}

// CheckDefault checks the default of a column of CREATE TABLE or ALTER TABLE, and
// returns its text. As in PostgreSQL it need not fit the column: a value that is too long
// or out of range fails where a row takes it.
func CheckDefault(b *scope.Binder, def *sql.DefaultExpr, c scope.CatalogColumn) string {
	x, e := defaultExpr(b, def.Expr, &c)
	if e.Type().Kind == algebra.Unknown {
		e = convert.Coerce(x, e, unlimited(c.Type), sqltype.Assignment, def.Expr.Position())
	}
	if k, ok := e.(*algebra.Const); ok && k.Val.Kind == value.Null {
		return ""
	}
	return def.Text
}

// unlimited is a type without its length, or precision and scale.
func unlimited(t algebra.Type) algebra.Type {
	if t.Kind == algebra.Decimal {
		return algebra.TNumeric
	}
	if t.Elem == algebra.Decimal {
		t.Elem = algebra.Numeric
	}
	t.Length, t.Precision, t.Scale = 0, 0, 0
	return t
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
	if sqltype.ConversionNeeds(bound.Type(), c.Type) > sqltype.Assignment {
		panic(&value.Error{
			Code: value.CodeDatatypeMismatch, Pos: value.NoPos,
			Message: "column \"" + c.Name + "\" is of type " + sqltype.Name(c.Type) + " but default expression is of type " + sqltype.Name(bound.Type()),
			Hint:    "You will need to rewrite or cast the expression.",
		})
	}
	return x, bound
}

// withoutPos takes the place away that an error has in another text.
func withoutPos(err error) error {
	e, ok := err.(*value.Error)
	if !ok {
		return err
	}
	placed := *e
	placed.Pos = value.NoPos
	return &placed
}
