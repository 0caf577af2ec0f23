// Package sort is the operator that orders rows.
package sort

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/materialize"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// Operator orders rows by Keys and gives at most Limit of them after the first
// Offset (Limit < 0: all).
type Operator struct {
	Keys          []algebra.SortKey
	Limit, Offset int64
}

// Traits implements operators.Operator.
func (o *Operator) Traits() operators.Traits {
	detail := "by " + operators.SortList(o.Keys)
	if o.Limit >= 0 {
		detail += fmt.Sprintf(" limit %d", o.Limit)
	}
	if o.Offset > 0 {
		detail += fmt.Sprintf(" offset %d", o.Offset)
	}
	return operators.Traits{
		Name: "sort", Detail: detail, Passes: true, Result: operators.Kernel,
		Why:   "the order is known when all rows are there",
		Needs: operators.Needs{Parts: machine.Parts{Sort: 1}, Shared: 16 * operators.BlockThreads}, // a key and a position each
	}
}

// Dependence implements operators.Operator: what is to be ordered is
// compacted block by block.
func (o *Operator) Dependence(int) operators.Dependence { return operators.CTA }

// Columns implements operators.Operator.
func (o *Operator) Columns() []algebra.Column { return nil }

// Uses implements operators.Operator.
func (o *Operator) Uses() algebra.ColSet {
	var set algebra.ColSet
	for _, k := range o.Keys {
		set.AddSet(algebra.References(k.Expr))
	}
	return set
}

// Skeleton implements operators.Operator.
func (o *Operator) Skeleton() operators.Skeleton {
	return operators.Skeleton{Partition: operators.Even, Gather: o.gather}
}

func (o *Operator) gather(w *operators.Weave) {
	keys := w.SortKeys(o.Keys)
	d := w.Decide(w.Sorts, "sort", strategies.Offers(&sorting{w, keys, o.Limit, o.Offset}))
	if d.Takes(InOrder) {
		materialize.WriteInOrder(w, o.Limit, o.Offset)
		return
	}
	sink := &kernel.Sort{Keys: keys, Limit: o.Limit, Offset: o.Offset, Top: d.Takes(Top)}
	sink.Cols = w.Outputs()
	w.Func.Sink = sink
}
