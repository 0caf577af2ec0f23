package check

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// origins says something of the columns of bound plans by what they come from: columns of tables,
// expressions that are no columns and no subqueries, and the columns of both sides of a set operation.
type origins[T any] struct {
	scan func(c algebra.Column) T
	expr func(e algebra.Expr, in algebra.Node) T
	both func(left, right T) T
	// opaque reports whether nothing is said of a column where it is read; nil: of every one something is.
	opaque func(ref *algebra.ColumnRef) bool
}

// column says it of a column of a plan.
func (o *origins[T]) column(n algebra.Node, id algebra.ColumnID) (none T) {
	switch n := n.(type) {
	case *algebra.Scan:
		return o.scan(n.Cols[slices.IndexFunc(n.Cols, func(c algebra.Column) bool { return c.ID == id })])
	case *algebra.Project:
		return o.item(n.Items, n.Input, id)
	case *algebra.Spool:
		col, _ := n.Of(id)
		return o.column(n.Input, col.ID)
	case *algebra.Aggregate:
		return o.item(n.Keys, n.Input, id)
	case *algebra.SetOp:
		i := slices.IndexFunc(n.Cols, func(c algebra.Column) bool { return c.ID == id })
		return o.both(o.column(n.Left, n.Left.Columns()[i].ID), o.column(n.Right, n.Right.Columns()[i].ID))
	}
	for _, in := range algebra.Inputs(n) {
		if algebra.Outputs(in).Has(id) {
			return o.column(in, id)
		}
	}
	return none
}

func (o *origins[T]) item(items []algebra.Item, in algebra.Node, id algebra.ColumnID) (none T) {
	i := slices.IndexFunc(items, func(item algebra.Item) bool { return item.Column.ID == id })
	if i < 0 {
		return none
	}
	return o.of(items[i].Expr, in)
}

// of says it of an expression over a plan's columns.
func (o *origins[T]) of(e algebra.Expr, in algebra.Node) (none T) {
	switch e := e.(type) {
	case *algebra.ColumnRef:
		if o.opaque != nil && o.opaque(e) {
			return none
		}
		if algebra.Outputs(in).Has(e.Column.ID) {
			return o.column(in, e.Column.ID)
		}
		return none
	case *algebra.Subquery:
		if e.Kind == algebra.SubqueryScalar {
			return o.column(e.Plan, e.Plan.Columns()[0].ID)
		}
		return none
	}
	return o.expr(e, in)
}
