// Package materialize is the gather stage that writes rows one by one, and the choice of the
// order in which it does.
package materialize

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// Compact is the gather stage of operators that give rows one by one: the rows
// that remain are written one after the other.
func Compact(w *operators.Weave) { CompactRange(w, -1, 0) }

// CompactRange is Compact for limit rows after the first offset; limit -1 is
// all.
func CompactRange(w *operators.Weave, limit, offset int64) {
	cols, d := w.Outputs(), w.Decide(strategy.Preference{}, "materialization", strategies.Offers(w))
	writeRows(w, cols, limit, offset, d.Takes(InOrder))
}

// writeRows ends the kernel by writing limit rows after the first offset.
func writeRows(w *operators.Weave, cols []kernel.ValueID, limit, offset int64, inOrder bool) {
	w.Func.Sink = &kernel.Materialize{Cols: cols, Limit: limit, Offset: offset, Ordered: inOrder}
	for i := range w.Fields {
		w.Fields[i].Ascending = inOrder && w.Ascends(cols[i])
	}
}

// WriteInOrder ends the kernel by writing limit rows, -1 for all, after the first offset, in
// the order in which they come.
func WriteInOrder(w *operators.Weave, limit, offset int64) {
	writeRows(w, w.Outputs(), limit, offset, true)
}

// The strategies of materialization.
const (
	InOrder  = "in order"  // rows stand in the order in which the source has them
	AnyOrder = "any order" // each worker writes where there is room
)

// strategies are all of them.
var strategies = strategy.Table[*operators.Weave]{
	{Name: InOrder, Offer: func(w *operators.Weave) strategy.Offer {
		return offer(w, !w.Ordered, "the rows have no order to keep")
	}},
	{Name: AnyOrder, Offer: func(w *operators.Weave) strategy.Offer {
		return offer(w, w.Ordered, "the order of the rows means something")
	}},
}

// offer is what writing the rows that remain would cost, or why it is refused.
func offer(w *operators.Weave, refused bool, why string) strategy.Offer {
	if refused {
		return strategy.Offer{Refusal: why}
	}
	return strategy.Offer{Cost: w.Machine.Host.Materialized * w.Rows * float64(4*operators.RowRegisters(w.Out))}
}
