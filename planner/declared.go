package planner

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
)

// declaredColumns says of each column of a bound plan whether the precision and scale of
// its type are ones that somebody gave it: those of a table's column or of a cast.
// PostgreSQL shows those to clients. Of other numerics the planner knows them by itself.
func (b *binder) declaredColumns(n algebra.Node) []bool {
	cols := n.Columns()
	declared := make([]bool, len(cols))
	for i, c := range cols {
		declared[i] = c.Type.Kind == algebra.Decimal && b.declaresColumn(n, c.ID)
	}
	return declared
}

// declaresColumn reports whether a numeric column of a plan has a declared type.
func (b *binder) declaresColumn(n algebra.Node, id algebra.ColumnID) bool {
	switch n := n.(type) {
	case *algebra.Scan:
		return true
	case *algebra.Project:
		return b.declaresItem(n.Items, n.Input, id)
	case *algebra.Aggregate:
		return b.declaresItem(n.Keys, n.Input, id)
	case *algebra.SetOp:
		i := slices.IndexFunc(n.Cols, func(c algebra.Column) bool { return c.ID == id })
		return b.declaresColumn(n.Left, n.Left.Columns()[i].ID) && b.declaresColumn(n.Right, n.Right.Columns()[i].ID)
	}
	for _, in := range algebra.Inputs(n) {
		if algebra.Outputs(in).Has(id) {
			return b.declaresColumn(in, id)
		}
	}
	return false
}

func (b *binder) declaresItem(items []algebra.Item, in algebra.Node, id algebra.ColumnID) bool {
	i := slices.IndexFunc(items, func(item algebra.Item) bool { return item.Column.ID == id })
	return i >= 0 && b.declaresExpr(items[i].Expr, in)
}

// declaresExpr reports whether the numeric type of an expression over a plan's columns
// is declared.
func (b *binder) declaresExpr(e algebra.Expr, in algebra.Node) bool {
	switch e := e.(type) {
	case *algebra.ColumnRef:
		return algebra.Outputs(in).Has(e.Column.ID) && b.declaresColumn(in, e.Column.ID)
	case *algebra.Const:
		return b.declared[e]
	case *algebra.Call:
		return e.Func == algebra.Cast && e.Typ != sqltype.AsDecimal(e.Args[0].Type())
	case *algebra.Case:
		results := []algebra.Expr{e.Else}
		for _, when := range e.Whens {
			results = append(results, when.Then)
		}
		return !slices.ContainsFunc(results, func(result algebra.Expr) bool {
			return result == nil || result.Type() != e.Typ || !b.declaresExpr(result, in)
		})
	case *algebra.Subquery:
		return e.Kind == algebra.SubqueryScalar && b.declaresColumn(e.Plan, e.Plan.Columns()[0].ID)
	}
	return false
}
