package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// inAnyOrder is what it costs that a block takes places from a global counter for all its rows at
// once.
func (w *writing) inAnyOrder() strategy.Offer {
	if w.s.Ordered {
		return strategy.Offer{Refusal: "the order of the rows means something"}
	}
	return strategy.Offer{Cost: w.written()}
}

// writeInAnyOrder renders that.
func (r *renderer) writeInAnyOrder(s *kernel.Materialize) {
	p := Pass{Name: "materialize", Comment: "writes the rows that remain", Warps: r.packsRows(), Open: (*Entry).openRows, Rows: func(e *Entry) {
		e.whereActive(func() {
			e.placeRows(func() { e.storeAll(s.Cols) })
		})
	}}
	if s.Limit >= 0 {
		p.Open, p.While = (*Entry).openLimited, func(e *Entry) string { return fmt.Sprintf("block_place < %s && ", e.enough()) }
	}
	r.Pass(p)
}

// openLimited is openRows where no more rows are wanted than a limit lets through: a block takes
// no further tile when one of its tiles came behind as many.
func (e *Entry) openLimited() {
	e.openRows()
	e.Line("if (threadIdx.x == 0) block_place = 0;")
	e.Line("__syncthreads();")
}

// enough is the number of rows after which no more are wanted.
func (e *arguments) enough() string {
	return e.Arg(Arg{Kind: ArgEnough}, "u64", "rows after which no more are wanted")
}
