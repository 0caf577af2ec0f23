package accumulator

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// states is an accumulator with a kernel.Accumulator.State.
type states struct {
	mem  *exec.Memory
	row  kernel.Accumulator
	vals []float64 // of group k: from k times the number of parts on
	args [][]float64
	part []float64
}

func newStates(mem *exec.Memory, row kernel.Accumulator) *states {
	return &states{mem: mem, row: row, part: make([]float64, len(row.Parts))}
}

func (a *states) Reserve(n int) { a.vals = exec.Grown(a.mem, a.vals, n*len(a.part)) }

func (a *states) Add(c *Cells, args []*vector.View) {
	a.args = a.args[:0]
	for _, arg := range args {
		a.args = append(a.args, arg.F64)
	}
	if !a.row.Merges {
		sqlstate.Check(a.row.State.Add(a.vals, c.List(), a.args))
		return
	}
	for i, k := range c.List() {
		for p := range a.part {
			a.part[p] = a.args[p][i]
		}
		sqlstate.Check(a.row.State.Combine(a.of(k), a.part))
	}
}

// of is the state of a group.
func (a *states) of(k uint32) []float64 {
	n := len(a.part)
	return a.vals[int(k)*n : int(k)*n+n]
}

func (a *states) Finalize() {}

func (a *states) Combine(Accumulator) {}

func (a *states) Merge(src Accumulator, from, to []uint32) {
	s := src.(*states)
	for i, f := range from {
		sqlstate.Check(a.row.State.Combine(a.of(to[i]), s.of(f)))
	}
}

func (a *states) Chunks(groups []uint32, arrays *spare.Arrays) []*runtime.Chunk {
	out := make([]*runtime.Chunk, len(a.part))
	for p := range out {
		c := &runtime.Chunk{Type: kernel.F64, Enc: runtime.EncF64, Rows: len(groups), F64: spare.New[float64](arrays, len(groups))}
		for i, g := range groups {
			c.F64[i] = a.vals[int(g)*len(a.part)+p]
		}
		out[p] = c
	}
	return out
}

func (a *states) Reset() { clear(a.vals) }

func (a *states) Width() int { return 8 * len(a.part) }
