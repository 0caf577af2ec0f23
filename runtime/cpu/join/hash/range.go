package hash

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
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

// widen adds the values of a chunk to the range. NULLs find nothing, and do not count.
func (r *keyRange) widen(c *runtime.Chunk) {
	switch {
	case !r.Known || c.Nulls == c.Rows:
	case c.HasRange:
		r.Lo, r.Hi = min(r.Lo, c.Min), max(r.Hi, c.Max)
	default:
		r.Known = false
	}
}
