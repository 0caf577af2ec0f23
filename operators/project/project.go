// Package project is the operator that computes columns.
package project

import (
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/materialize"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Operator computes columns beside those that pass through it.
type Operator struct {
	operators.RowByRow
	Items []algebra.Item
}

// Traits implements operators.Operator.
func (o *Operator) Traits() operators.Traits {
	return operators.Traits{
		Name: "project", Detail: operators.Items(o.Items), Passes: true, Result: operators.Thread,
		Needs: operators.Needs{Parts: operators.ItemOperations(o.Items)},
	}
}

// Columns implements operators.Operator.
func (o *Operator) Columns() []algebra.Column {
	return lists.Map(o.Items, func(item algebra.Item) algebra.Column { return item.Column })
}

// Uses implements operators.Operator.
func (o *Operator) Uses() algebra.ColSet {
	var set algebra.ColSet
	for _, item := range o.Items {
		set.AddSet(algebra.References(item.Expr))
	}
	return set
}

// Skeleton implements operators.Operator.
func (o *Operator) Skeleton() operators.Skeleton {
	return operators.Skeleton{Partition: operators.Even, Compute: o.compute, Gather: materialize.Compact}
}

func (o *Operator) compute(w *operators.Weave) {
	for _, item := range o.Items {
		w.Bind(item.Column, w.Expr(item.Expr))
	}
}
