package write

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// source is what a column is set to.
type source struct {
	column  sql.Ident
	field   sql.Ident
	element []sql.Bounds // the subscripts of what is set; nil for all of the column
	expr    algebra.Expr // nil: DEFAULT
	pos     sql.Pos
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
			s := source{column: id, field: a.Field, element: a.Element, pos: a.Value.Position()}
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
