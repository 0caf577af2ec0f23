// Package sort makes the sink that puts rows in order. Rows that come in order already are
// only written: that is no sort by then.
package sort

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/sort/order"
	"github.com/cubeloom/cubeloom/runtime/cpu/sort/top"
)

// New makes the sink of in, by the strategy that was chosen.
func New(r *exec.Run, in *kernel.Sort) exec.Sink {
	if in.Top {
		return top.New(r, in)
	}
	return order.New(r, in)
}
