package accumulator

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// extremeInt is the minimum or the maximum of integers.
type extremeInt struct {
	presence
	typ  kernel.Type
	max  bool
	vals []int64
	buf  []int64
}

// worst is what the value of an empty group is: no value is worse.
func (a *extremeInt) worst() int64 {
	if a.max {
		return math.MinInt64
	}
	return math.MaxInt64
}

func (a *extremeInt) Reserve(n int) {
	had := len(a.vals)
	a.vals = exec.Grown(a.mem, a.vals, n)
	if had < n {
		vector.Fill(a.vals[had:], a.worst())
	}
	a.reservePresence(n)
}

func (a *extremeInt) Add(c *Cells, args []*vector.View) {
	if c.N == 0 {
		return
	}
	a.note(c)
	vals := args[0].Ints(vector.Room(&a.buf, c.N))
	dst := a.vals[c.Off:]
	switch c.Form {
	case vector.FormU8:
		extremes(dst, c.U8[:c.N], vals, a.max)
	case vector.FormU16:
		extremes(dst, c.U16[:c.N], vals, a.max)
	case vector.FormU32:
		extremes(dst, c.U32[:c.N], vals, a.max)
	case vector.FormRuns:
		extremeRuns(dst, c.Ends, vals, a.max)
	default:
		best := dst[0]
		if a.max {
			for _, x := range vals {
				best = max(best, x)
			}
		} else {
			for _, x := range vals {
				best = min(best, x)
			}
		}
		dst[0] = best
	}
}

// extremes keeps the better of dst[ks[i]] and vals[i].
func extremes[K vector.GroupInt](dst []int64, ks []K, vals []int64, max bool) {
	vals = vals[:len(ks)]
	if max {
		for i, k := range ks {
			if vals[i] > dst[k] {
				dst[k] = vals[i]
			}
		}
		return
	}
	for i, k := range ks {
		if vals[i] < dst[k] {
			dst[k] = vals[i]
		}
	}
}

func (a *extremeInt) Finalize() {}

func (a *extremeInt) Combine(Accumulator) {}

func (a *extremeInt) Merge(src Accumulator, from, to []uint32) {
	s := src.(*extremeInt)
	a.mergePresence(&s.presence, from, to)
	for i, f := range from {
		x := s.vals[f]
		if a.max {
			a.vals[to[i]] = max(a.vals[to[i]], x)
		} else {
			a.vals[to[i]] = min(a.vals[to[i]], x)
		}
	}
}

func (a *extremeInt) Chunks(groups []uint32, arrays *spare.Arrays) []*runtime.Chunk {
	valid, nulls := a.validity(groups)
	return []*runtime.Chunk{vector.NarrowGather(a.typ, a.vals, groups, valid, nulls, arrays)}
}

func (a *extremeInt) Reset() {
	vector.Fill(a.vals, a.worst())
	a.resetPresence()
}

func (a *extremeInt) Width() int { return 8 }
