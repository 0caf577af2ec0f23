package cpu

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// newAccumulator makes the accumulator of a spec.
func newAccumulator(s *accSpec, mem *memory) (accumulator, error) {
	if s.dist {
		inner := *s
		inner.dist = false
		return newDistinct(s, &inner, mem)
	}
	var base = presence{mem: mem}
	if s.sparse {
		base.has = &flags{mem: mem}
	}
	switch s.op {
	case kernel.AccCountStar, kernel.AccCount:
		return &counter{counters: counters{mem: mem}}, nil
	case kernel.AccSumCount:
		return &sumInt{presence: presence{mem: mem}, counters: counters{mem: mem}, dst: kernel.I64}, nil
	case kernel.AccSum:
		return newSum(s, base)
	case kernel.AccSumSquare:
		if s.dst[0] == kernel.Num {
			return newSumSquareNum(mem), nil
		}
		return &sumInt{presence: base, counters: counters{mem: mem}, dst: s.dst[0], sq: true}, nil
	case kernel.AccMin, kernel.AccMax:
		return newExtreme(s, base)
	case kernel.AccAnd, kernel.AccOr:
		return &boolean{presence: base, or: s.op == kernel.AccOr}, nil
	case kernel.AccAny:
		return newAny(s, mem)
	case kernel.AccBitAnd, kernel.AccBitOr, kernel.AccBitXor:
		return newBits(s, mem), nil
	case kernel.AccPercentile, kernel.AccPercentileDesc:
		return &percentiles{mem: mem, fraction: s.fraction, desc: s.op == kernel.AccPercentileDesc}, nil
	case kernel.AccSketch, kernel.AccMergeSketch:
		return &sketches{mem: mem, typ: s.argType[0], join: s.op == kernel.AccMergeSketch}, nil
	}
	if row, _ := s.op.Row(); row.State != nil {
		return newStates(mem, row), nil
	}
	return nil, internalf("there is no accumulator %q", s.op)
}

// newDistinct makes the accumulator of s, of which inner is the spec without
// DISTINCT.
func newDistinct(s, inner *accSpec, mem *memory) (accumulator, error) {
	if len(s.args) != 1 {
		return nil, internalf("DISTINCT of %d arguments", len(s.args))
	}
	group := kernel.Value{Type: kernel.I64, Range: kernel.Range{Known: true, Hi: math.MaxUint32}}
	arg := kernel.Value{Type: s.argType[0], Range: s.argRange}
	a := &distinctSet{layout: newKeyLayout([]kernel.Value{group, arg}, []bool{false, false}), batch: keyBatch{mem: mem}}
	a.set = newKeyTable(a.layout.kind, mem)
	var err error
	if a.inner, err = newAccumulator(inner, mem); err != nil {
		return nil, err
	}
	if arg.Type == kernel.Num || arg.Type == kernel.Interval {
		a.shown, err = newAny(inner, mem)
	}
	return a, err
}
