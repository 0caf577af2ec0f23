package hash

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// noKeys is the range of a key before any row of the table.
var noKeys = keyRange{Lo: math.MaxInt64, Hi: math.MinInt64, Known: true}

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
func (r *keyRange) widen(v *vector.View) {
	switch {
	case !r.Known || v.N == 0:
	case v.Null != nil:
		for i, null := range v.Null[:v.N] {
			if null == 0 {
				x := v.IntAt(i)
				r.add(x, x)
			}
		}
	case v.Form == vector.FormI32:
		r.add(extremesOf(v.I32[:v.N]))
	case v.Form == vector.FormI64:
		r.add(extremesOf(v.I64[:v.N]))
	default:
		r.Known = false
	}
}

func (r *keyRange) add(lo, hi int64) { r.Lo, r.Hi = min(r.Lo, lo), max(r.Hi, hi) }

// extremesOf are the least and the greatest of integers, of which there is one.
func extremesOf[V int32 | int64](vals []V) (lo, hi int64) {
	least, most := vals[0], vals[0]
	for _, x := range vals[1:] {
		least, most = min(least, x), max(most, x)
	}
	return int64(least), int64(most)
}
