// Package finalize is the operator that makes the results of SQL aggregates
// from the accumulators of a group. It works on each group alone, so that it is
// woven into whatever comes after the aggregation.
package finalize

import (
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/materialize"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Operator computes aggregates from accumulators.
type Operator struct {
	operators.RowByRow
	Items []Item
}

// Item is one aggregate that is not an accumulator itself: an average of its
// sum and count, a variance or standard deviation of its accumulators, or what a
// routine makes of them.
type Item struct {
	Column algebra.Column
	Func   algebra.AggFunc
	Accs   []algebra.Column
	Text   string // the aggregate as SQL writes it
}

// Traits implements operators.Operator.
func (o *Operator) Traits() operators.Traits {
	texts := lists.Map(o.Items, func(item Item) string { return item.Text + " as " + item.Column.Name })
	return operators.Traits{
		Name: "finalize", Detail: strings.Join(texts, ", "), Passes: true, Result: operators.Thread,
		Needs: operators.Needs{Parts: machine.Parts{Division: 1}},
	}
}

// Columns implements operators.Operator.
func (o *Operator) Columns() []algebra.Column {
	return lists.Map(o.Items, func(item Item) algebra.Column { return item.Column })
}

// Uses implements operators.Operator.
func (o *Operator) Uses() algebra.ColSet {
	var set algebra.ColSet
	for _, item := range o.Items {
		set.AddSet(algebra.SetOf(item.Accs))
	}
	return set
}

// Skeleton implements operators.Operator.
func (o *Operator) Skeleton() operators.Skeleton {
	return operators.Skeleton{Partition: operators.Even, Compute: o.compute, Gather: materialize.Compact}
}

func (o *Operator) compute(w *operators.Weave) {
	for _, item := range o.Items {
		accs := lists.Map(item.Accs, w.Column)
		w.Bind(item.Column, item.result(w, accs))
	}
}

// result emits the aggregate.
func (item *Item) result(w *operators.Weave, accs []kernel.ValueID) kernel.ValueID {
	_, _, statistic := kernel.FindStatistic(string(item.Func))
	switch {
	case item.Func == algebra.Avg:
		return w.Average(accs[0], accs[1], item.Column.Type)
	case !statistic:
		call := &algebra.Call{Func: item.Func.Result(), Typ: item.Column.Type, Pos: value.NoPos}
		for _, c := range item.Accs {
			call.Args = append(call.Args, c.Ref())
		}
		return w.Expr(call)
	case item.Column.Type.Kind == algebra.Float64:
		return w.Statistic(string(item.Func), accs)
	}
	return w.Variance(item.Func, accs)
}
