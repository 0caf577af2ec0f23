package accumulator

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/keytable"
)

// New makes the accumulator of a spec.
func New(s *Spec, mem *exec.Memory) (Accumulator, error) {
	if s.Dist {
		inner := *s
		inner.Dist = false
		return newDistinct(s, &inner, mem)
	}
	var base = presence{mem: mem}
	if s.Sparse {
		base.has = &Flags{Mem: mem}
	}
	switch s.Op {
	case kernel.AccCountStar, kernel.AccCount:
		return &Counter{counters: counters{mem: mem}}, nil
	case kernel.AccSumCount:
		return &sumInt{presence: presence{mem: mem}, counters: counters{mem: mem}, dst: kernel.I64}, nil
	case kernel.AccSum:
		return newSum(s, base)
	case kernel.AccSumSquare:
		if s.Dst[0] == kernel.Num {
			return newSumSquareNum(mem), nil
		}
		return &sumInt{presence: base, counters: counters{mem: mem}, dst: s.Dst[0], sq: true}, nil
	case kernel.AccMin, kernel.AccMax:
		return newExtreme(s, base)
	case kernel.AccAnd, kernel.AccOr:
		return &boolean{presence: base, or: s.Op == kernel.AccOr}, nil
	case kernel.AccAny:
		return newAny(s, mem)
	case kernel.AccBitAnd, kernel.AccBitOr, kernel.AccBitXor:
		return newBits(s, mem), nil
	case kernel.AccPercentile, kernel.AccPercentileDesc:
		return &percentiles{mem: mem, fraction: s.Fraction, desc: s.Op == kernel.AccPercentileDesc}, nil
	case kernel.AccSketch, kernel.AccMergeSketch:
		return &sketches{mem: mem, typ: s.ArgType[0], join: s.Op == kernel.AccMergeSketch}, nil
	}
	if row, _ := s.Op.Row(); row.State != nil {
		return newStates(mem, row), nil
	}
	return nil, exec.Internalf("there is no accumulator %q", s.Op)
}

// newDistinct makes the accumulator of s, of which inner is the spec without
// DISTINCT.
func newDistinct(s, inner *Spec, mem *exec.Memory) (Accumulator, error) {
	if len(s.Args) != 1 {
		return nil, exec.Internalf("DISTINCT of %d arguments", len(s.Args))
	}
	group := kernel.Value{Type: kernel.I64, Range: kernel.Range{Known: true, Hi: math.MaxUint32}}
	arg := kernel.Value{Type: s.ArgType[0], Range: s.ArgRange}
	a := &distinctSet{layout: keytable.NewLayout([]kernel.Value{group, arg}, []bool{false, false}), batch: keytable.Batch{Mem: mem}}
	a.set = keytable.New(a.layout.Kind, mem)
	var err error
	if a.inner, err = New(inner, mem); err != nil {
		return nil, err
	}
	if arg.Type == kernel.Num || arg.Type == kernel.Interval {
		a.shown, err = newAny(inner, mem)
	}
	return a, err
}
