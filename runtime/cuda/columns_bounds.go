package cuda

import (
	"math"

	"github.com/cubeloom/cubeloom/runtime"
)

// bounds returns the minimum and the maximum of a chunk, whose values have 64
// bits at most; the minimum is above the maximum where every row is NULL.
func bounds(c *runtime.Chunk) (lo, hi int64) {
	switch {
	case c.HasRange:
		return c.Min, c.Max
	case c.Nulls == c.Rows:
		return math.MaxInt64, math.MinInt64
	}
	switch c.Enc {
	case runtime.EncU8:
		return boundsOf(c.U8, c.Valid, c.Base)
	case runtime.EncU16:
		return boundsOf(c.U16, c.Valid, c.Base)
	case runtime.EncU32:
		return boundsOf(c.U32, c.Valid, c.Base)
	case runtime.EncI64:
		return boundsOf(c.I64, c.Valid, 0)
	}
	return c.Base, c.Base
}

// cheapBounds returns bounds of a chunk of which a row is valid without a look at every row
// where there are such: what is beyond the values themselves costs those who use bounds
// less than the look.
func cheapBounds(c *runtime.Chunk) (lo, hi int64) {
	switch {
	case c.Dict != nil:
		return 0, int64(len(c.Dict.Texts)) - 1
	case c.Enc == runtime.EncU8:
		return c.Base, c.Base + min(math.MaxUint8, math.MaxInt64-max(c.Base, 0))
	}
	return bounds(c)
}

// boundsOf are the bounds of values that are offsets from base, at least one of which
// is valid.
func boundsOf[T uint8 | uint16 | uint32 | int64](values []T, valid []byte, base int64) (lo, hi int64) {
	if valid == nil {
		first, last := widen(values, values[0], values[0])
		return int64(first) + base, int64(last) + base
	}
	first := values[firstValid(valid)]
	last := first
	for at := 0; at < len(values); at += 8 {
		part := values[at:min(at+8, len(values))]
		switch mask := valid[at>>3]; {
		case mask == 0:
		case mask == 0xff:
			first, last = widen(part, first, last)
		default:
			for i, v := range part {
				if mask>>i&1 != 0 {
					first, last = min(first, v), max(last, v)
				}
			}
		}
	}
	return int64(first) + base, int64(last) + base
}

// widen has bounds take in values.
func widen[T uint8 | uint16 | uint32 | int64](values []T, lo, hi T) (T, T) {
	for _, v := range values {
		lo, hi = min(lo, v), max(hi, v)
	}
	return lo, hi
}

// firstValid is the first row whose bit is set, of which there is one.
func firstValid(valid []byte) int {
	i := 0
	for valid[i>>3]>>(i&7)&1 == 0 {
		i++
	}
	return i
}
