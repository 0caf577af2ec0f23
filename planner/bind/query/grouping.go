package query

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql/value"
)

// groupingExpr computes GROUPING(…) from the number of the grouping set: bit
// by bit from the left, one for each argument that the set does not have. Of equal keys an argument means the first in GROUP BY.
func (r *regrouper) groupingExpr(call scope.GroupingCall) algebra.Expr {
	keys := make([]int, len(call.Args))
	for i, arg := range call.Args {
		keys[i] = slices.IndexFunc(r.agg.Keys, func(key algebra.Item) bool { return algebra.Equal(key.Expr, arg) })
		if keys[i] < 0 {
			panic(value.ErrorAt(int(call.Positions[i]), value.CodeGrouping,
				"arguments to GROUPING must be grouping expressions of the associated query level"))
		}
	}
	values := make([]int64, len(r.agg.Sets))
	for i, set := range r.agg.Sets {
		for _, k := range keys {
			values[i] <<= 1
			if !set.Has(k) {
				values[i] |= 1
			}
		}
	}
	return tableLookup(r.agg.GroupingID, values)
}

// tableLookup is an expression that gives values[col]: the column itself, a
// constant, or a CASE with an arm for each value, the most frequent one last
// as its ELSE.
func tableLookup(col algebra.Column, values []int64) algebra.Expr {
	var order []int64
	rows := make(map[int64][]algebra.Expr)
	common, identity := values[0], true
	for i, v := range values {
		if rows[v] == nil {
			order = append(order, v)
		}
		identity = identity && v == int64(i)
		rows[v] = append(rows[v], term.Int32Const(int64(i)))
		if len(rows[v]) > len(rows[common]) {
			common = v
		}
	}
	switch {
	case len(order) == 1:
		return term.Int32Const(common)
	case identity:
		return col.Ref()
	}
	lookup := &algebra.Case{Else: term.Int32Const(common), Typ: algebra.TInt32}
	for _, v := range order {
		if v != common {
			lookup.Whens = append(lookup.Whens, algebra.When{Cond: isOneOf(col, rows[v]), Then: term.Int32Const(v)})
		}
	}
	return lookup
}

func isOneOf(col algebra.Column, consts []algebra.Expr) algebra.Expr {
	if len(consts) == 1 {
		return &algebra.Call{Func: algebra.Eq, Args: []algebra.Expr{col.Ref(), consts[0]}, Typ: algebra.TBool, Pos: value.NoPos}
	}
	args := append([]algebra.Expr{col.Ref()}, consts...)
	return &algebra.Call{Func: algebra.In, Args: args, Typ: algebra.TBool, Pos: value.NoPos}
}
