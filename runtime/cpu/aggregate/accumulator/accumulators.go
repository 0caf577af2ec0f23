package accumulator

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
)

// New makes the accumulator of a spec, whose values are all taken: see package distinct.
func New(s *Spec, mem *exec.Memory) Accumulator {
	var base = presence{mem: mem}
	if s.Sparse {
		base.has = &Flags{Mem: mem}
	}
	switch s.Op {
	case kernel.AccCountStar, kernel.AccCount:
		return &Counter{counters: counters{mem: mem}}
	case kernel.AccSumCount:
		return &sumInt{presence: presence{mem: mem}, counters: counters{mem: mem}, dst: kernel.I64}
	case kernel.AccSum:
		return newSum(s, base)
	case kernel.AccSumSquare:
		if s.Dst[0] == kernel.Num {
			return newSumSquareNum(mem)
		}
		return &sumInt{presence: base, counters: counters{mem: mem}, dst: s.Dst[0], sq: true}
	case kernel.AccMin, kernel.AccMax:
		return newExtreme(s, base)
	case kernel.AccAnd, kernel.AccOr:
		return &boolean{presence: base, or: s.Op == kernel.AccOr}
	case kernel.AccAny:
		return newAny(s, mem)
	case kernel.AccBitAnd, kernel.AccBitOr, kernel.AccBitXor:
		return newBits(s, mem)
	case kernel.AccConcatenate:
		return newConcatenated(s, mem)
	case kernel.AccSketch, kernel.AccMergeSketch:
		return &sketches{mem: mem, typ: s.ArgType[0], join: s.Op == kernel.AccMergeSketch}
	}
	switch row, _ := s.Op.Row(); {
	case row.State != nil:
		return newStates(mem, row)
	case row.AllRows:
		return newGathered(s, mem)
	}
	panic(exec.Internalf("there is no accumulator %q", s.Op))
}
