package sort

import (
	"fmt"
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// The strategies of sorts.
const (
	Top  = "top"  // only the rows that a limit lets through are kept while rows are read
	Full = "full" // all rows are ordered
	// InOrder is to write the rows as they come, in the order that is wanted.
	InOrder = "ordered"
)

// Strategies are the names of the strategies of sorts.
func Strategies() []string { return []string{InOrder, Top, Full} }

// maxTop is how many rows a limit lets through at most where only those are kept: they
// are sorted each time as many again have come.
const maxTop = 1 << 20

// offers are what the strategies would cost of a sort with a limit, -1 for none. Keeping
// few rows never costs more, and is taken for all numbers of rows: the estimate may be
// wrong.
func offers(w *operators.Weave, keys []kernel.SortKey, limit, offset int64) []strategy.Offer {
	rows := max(w.Rows, 2)
	compared := w.Machine.Host.Compared * rows
	top := strategy.Offer{Strategy: Top}
	switch end := float64(limit) + float64(offset); {
	case limit < 0:
		top.Refusal = "there is no limit"
	case end > maxTop:
		top.Refusal = fmt.Sprintf("the first %.0f rows are wanted, more than %d", end, maxTop)
	default:
		top.Detail = fmt.Sprintf("the first %.0f rows", end)
		top.Cost = compared * math.Log2(min(rows, 2*max(end, 1)))
	}
	return []strategy.Offer{inOrder(w, keys, limit, offset), top, {Strategy: Full, Cost: compared * math.Log2(rows)}}
}

// inOrder is what writing the rows as they come would cost. With a limit one core reads,
// until it has as many rows.
func inOrder(w *operators.Weave, keys []kernel.SortKey, limit, offset int64) strategy.Offer {
	read := w.SourceRows
	if limit >= 0 {
		read *= min((float64(limit)+float64(offset))/max(w.Rows, 1), 1)
	}
	o := strategy.Offer{Strategy: InOrder, Cost: w.Machine.Host.Row * read}
	o.Refusal = w.InOrder(keys)
	if w.Device && w.Multiplies() {
		o.Refusal = "a device keeps no order of rows that a join multiplies"
	}
	return o
}
