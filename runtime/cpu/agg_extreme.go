package cpu

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
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

func (a *extremeInt) reserve(n int) error {
	had := len(a.vals)
	vals, err := grown(a.mem, a.vals, n)
	if err != nil {
		return err
	}
	a.vals = vals
	if had < n {
		fill(vals[had:], a.worst())
	}
	return a.reservePresence(n)
}

func (a *extremeInt) add(c *cells, args []*view) error {
	if c.n == 0 {
		return nil
	}
	a.note(c)
	vals := args[0].ints(room(&a.buf, c.n))
	dst := a.vals[c.off:]
	switch c.form {
	case formU8:
		extremes(dst, c.u8[:c.n], vals, a.max)
	case formU16:
		extremes(dst, c.u16[:c.n], vals, a.max)
	case formU32:
		extremes(dst, c.u32[:c.n], vals, a.max)
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
	return nil
}

// extremes keeps the better of dst[ks[i]] and vals[i].
func extremes[K groupInt](dst []int64, ks []K, vals []int64, max bool) {
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

func (a *extremeInt) finalize() error { return nil }

func (a *extremeInt) combine(accumulator) error { return nil }

func (a *extremeInt) merge(src accumulator, from, to []uint32) error {
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
	return nil
}

func (a *extremeInt) chunks(groups []uint32) ([]*runtime.Chunk, error) {
	valid, nulls := a.validity(groups)
	return []*runtime.Chunk{narrowGather(a.typ, a.vals, groups, valid, nulls)}, nil
}

func (a *extremeInt) reset() {
	fill(a.vals, a.worst())
	a.resetPresence()
}

func (a *extremeInt) width() int { return 8 }
