package cuda

import (
	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
)

// table is what a Build made: its rows' payload, and where the rows of each key
// are. It is a runtime.Output.
type table struct {
	shape cudagen.TableShape
	cols  []column // payload
	rows  int64
}

// sourceRows is the number of places that an Unmatched source goes over.
func (t *table) sourceRows() int64 { return t.rows }

// bind gives the arguments of the table as input i of a kernel.
func (t *table) bind(r *run, i int) {
	r.words[cudagen.Arg{Kind: cudagen.ArgRows, Input: i}] = uint64(t.rows)
}
