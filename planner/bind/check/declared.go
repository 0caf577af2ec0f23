package check

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Declared says of each column of a bound plan whether the precision and scale of
// its type are ones that somebody gave it: those of a table's column or of a cast.
// PostgreSQL shows those to clients. Of other numerics the planner knows them by itself.
func Declared(b *scope.Binder, n algebra.Node) []bool {
	cols := n.Columns()
	return lists.Map(cols, func(c algebra.Column) bool { return c.Type.Kind == algebra.Decimal && declaresColumn(b, n, c.ID) })
}

// declaresColumn reports whether a numeric column of a plan has a declared type.
func declaresColumn(b *scope.Binder, n algebra.Node, id algebra.ColumnID) bool {
	switch n := n.(type) {
	case *algebra.Scan:
		return true
	case *algebra.Project:
		return declaresItem(b, n.Items, n.Input, id)
	case *algebra.Spool:
		col, _ := n.Of(id)
		return declaresColumn(b, n.Input, col.ID)
	case *algebra.Aggregate:
		return declaresItem(b, n.Keys, n.Input, id)
	case *algebra.SetOp:
		i := slices.IndexFunc(n.Cols, func(c algebra.Column) bool { return c.ID == id })
		return declaresColumn(b, n.Left, n.Left.Columns()[i].ID) && declaresColumn(b, n.Right, n.Right.Columns()[i].ID)
	}
	for _, in := range algebra.Inputs(n) {
		if algebra.Outputs(in).Has(id) {
			return declaresColumn(b, in, id)
		}
	}
	return false
}

func declaresItem(b *scope.Binder, items []algebra.Item, in algebra.Node, id algebra.ColumnID) bool {
	i := slices.IndexFunc(items, func(item algebra.Item) bool { return item.Column.ID == id })
	return i >= 0 && declaresExpr(b, items[i].Expr, in)
}

// declaresExpr reports whether the numeric type of an expression over a plan's columns
// is declared.
func declaresExpr(b *scope.Binder, e algebra.Expr, in algebra.Node) bool {
	switch e := e.(type) {
	case *algebra.ColumnRef:
		return algebra.Outputs(in).Has(e.Column.ID) && declaresColumn(b, in, e.Column.ID)
	case *algebra.Const:
		return b.Declared[e]
	case *algebra.Call:
		return e.Func == algebra.Cast && e.Typ != sqltype.AsDecimal(e.Args[0].Type())
	case *algebra.Case:
		results := []algebra.Expr{e.Else}
		for _, when := range e.Whens {
			results = append(results, when.Then)
		}
		return !slices.ContainsFunc(results, func(result algebra.Expr) bool {
			return result == nil || result.Type() != e.Typ || !declaresExpr(b, result, in)
		})
	case *algebra.Subquery:
		return e.Kind == algebra.SubqueryScalar && declaresColumn(b, e.Plan, e.Plan.Columns()[0].ID)
	}
	return false
}
