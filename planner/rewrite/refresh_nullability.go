package rewrite

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// refreshNullability notes in every reference and computed column whether it
// can be NULL now: filters and joins that became inner ones have ruled out
// NULLs that the binder had to expect.
//
//	before: project z + 1, z nullable, over what became an inner join
//	after:  project z + 1, z not null
//	never:  b of a table that allows NULL
func refreshNullability(c *context, n algebra.Node) algebra.Node {
	return c.transform(n, refreshNode)
}

func refreshNode(n algebra.Node) algebra.Node {
	var of [][]algebra.Column // of the inputs, when a reference first asks for them
	nullable := func(id algebra.ColumnID) bool {
		if of == nil {
			for _, in := range algebra.Inputs(n) {
				of = append(of, in.Columns())
			}
		}
		for _, cols := range slices.Backward(of) {
			for i := len(cols) - 1; i >= 0; i-- {
				if cols[i].ID == id {
					return cols[i].Nullable
				}
			}
		}
		return false
	}
	n = algebra.MapExprs(n, func(e algebra.Expr) algebra.Expr {
		return algebra.RewriteExpr(e, func(e algebra.Expr) algebra.Expr {
			ref, ok := e.(*algebra.ColumnRef)
			if !ok || ref.Column.Nullable == nullable(ref.Column.ID) {
				return e
			}
			c := ref.Column
			c.Nullable = !c.Nullable
			return c.Ref()
		})
	})
	switch n := n.(type) {
	case *algebra.Project:
		if items := refreshItems(n.Items); items != nil {
			return &algebra.Project{Input: n.Input, Items: items}
		}
	case *algebra.Aggregate:
		if keys := refreshItems(n.Keys); keys != nil {
			c := *n
			c.Keys = keys
			return &c
		}
	}
	return n
}

// refreshItems returns nil where nothing changes.
func refreshItems(items []algebra.Item) []algebra.Item {
	var out []algebra.Item
	for i, item := range items {
		nullable := algebra.CanBeNull(item.Expr)
		if nullable == item.Column.Nullable {
			continue
		}
		if out == nil {
			out = append(out, items...)
		}
		out[i].Column.Nullable = nullable
	}
	return out
}
