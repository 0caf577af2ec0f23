package cpu

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// noKeys is the range of a key before any row of the table.
var noKeys = keyRange{lo: math.MaxInt64, hi: math.MinInt64, known: true}

// newRanges begins the ranges of the keys of a Build.
func newRanges(f *kernel.Func, keys []kernel.Key) []keyRange {
	ranges := make([]keyRange, len(keys))
	for i, k := range keys {
		if t := f.Values[k.Val].Type; (t == kernel.I32 || t == kernel.I64) && !k.NullSafe {
			ranges[i] = noKeys
		}
	}
	return ranges
}

// widen adds values to the range. NULLs find nothing, and do not count.
func (r *keyRange) widen(v *view) {
	switch {
	case !r.known || v.n == 0:
	case v.null != nil:
		for i, null := range v.null[:v.n] {
			if null == 0 {
				x := v.intAt(i)
				r.add(x, x)
			}
		}
	case v.form == formI32:
		r.add(extremesOf(v.i32[:v.n]))
	case v.form == formI64:
		r.add(extremesOf(v.i64[:v.n]))
	default:
		r.known = false
	}
}

func (r *keyRange) add(lo, hi int64) { r.lo, r.hi = min(r.lo, lo), max(r.hi, hi) }

// extremesOf are the least and the greatest of integers, of which there is one.
func extremesOf[V int32 | int64](vals []V) (lo, hi int64) {
	least, most := vals[0], vals[0]
	for _, x := range vals[1:] {
		least, most = min(least, x), max(most, x)
	}
	return int64(least), int64(most)
}
