package aggregate

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/sql"
)

// sortKeys binds the keys of an order.
func sortKeys(x *scope.Exprs, items []sql.OrderItem) []algebra.SortKey {
	var keys []algebra.SortKey
	for _, item := range items {
		bound := convert.Resolved(x, item.Expr)
		keys = append(keys, expression.SortKey(x.Binder, item, bound))
	}
	return keys
}
