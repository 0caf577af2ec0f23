package sort

import (
	"fmt"
	"math"

	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// The strategies of sorts. On a device all rows are ordered.
const (
	Top  = "top"  // only the rows that a limit lets through are kept while rows are read
	Full = "full" // all rows are ordered
)

// Strategies are the names of the strategies of sorts.
func Strategies() []string { return []string{Top, Full} }

// maxTop is how many rows a limit lets through at most where only those are kept: they
// are sorted each time as many again have come.
const maxTop = 1 << 20

// offers are what the strategies would cost of a sort with a limit, -1 for none. Keeping
// few rows never costs more, and is taken for all numbers of rows: the estimate may be
// wrong.
func offers(w *operators.Weave, limit, offset int64) []strategy.Offer {
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
	return []strategy.Offer{top, {Strategy: Full, Cost: compared * math.Log2(rows)}}
}
