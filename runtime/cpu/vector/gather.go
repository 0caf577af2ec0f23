package vector

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/sql/value"
)

// NarrowGather makes a chunk of type t of the integers vals[groups[i]], as
// narrow as their range allows, in arrays. valid is the bitmap of rows that are not NULL,
// or nil.
func NarrowGather(t kernel.Type, vals []int64, groups []uint32, valid []byte, nulls int, arrays *spare.Arrays) *runtime.Chunk {
	c := &runtime.Chunk{Type: t, Rows: len(groups), Valid: valid, Nulls: nulls}
	lo, hi := int64(math.MaxInt64), int64(math.MinInt64)
	if nulls == 0 {
		for _, g := range groups {
			x := vals[g]
			lo, hi = min(lo, x), max(hi, x)
		}
	} else {
		for i, g := range groups {
			if valid[i>>3]>>(i&7)&1 != 0 {
				lo, hi = min(lo, vals[g]), max(hi, vals[g])
			}
		}
	}
	if lo > hi { // no row that is not NULL
		c.Enc = runtime.EncConst
		return c
	}
	c.HasRange, c.Min, c.Max = true, lo, hi
	width := uint64(hi) - uint64(lo)
	switch {
	case width == 0:
		c.Enc, c.Base = runtime.EncConst, lo
	case width < 1<<8:
		c.Enc, c.Base = runtime.EncU8, lo
		c.U8 = offsets[uint8](vals, groups, lo, arrays)
	case width < 1<<16:
		c.Enc, c.Base = runtime.EncU16, lo
		c.U16 = offsets[uint16](vals, groups, lo, arrays)
	case width < 1<<32:
		c.Enc, c.Base = runtime.EncU32, lo
		c.U32 = offsets[uint32](vals, groups, lo, arrays)
	default:
		c.Enc = runtime.EncI64
		c.I64 = offsets[int64](vals, groups, 0, arrays)
	}
	return c
}

// offsets returns vals[groups[i]] − base.
func offsets[S GroupInt | int64](vals []int64, groups []uint32, base int64, arrays *spare.Arrays) []S {
	dst := spare.New[S](arrays, len(groups))
	for i, g := range groups {
		dst[i] = S(vals[g] - base)
	}
	return dst
}

// Int128Gather makes a chunk of type t, I64 or I128, of 128-bit integers in two
// halves, narrow where all fit 64 bits, in arrays.
func Int128Gather(t kernel.Type, lo, hi []int64, groups []uint32, valid []byte, nulls int, arrays *spare.Arrays) *runtime.Chunk {
	small := true
	for i, g := range groups {
		if lo[g]>>63 != hi[g] && (nulls == 0 || valid[i>>3]>>(i&7)&1 != 0) {
			small = false
			break
		}
	}
	if small {
		return NarrowGather(t, lo, groups, valid, nulls, arrays)
	}
	c := &runtime.Chunk{Type: t, Enc: runtime.EncI128, Rows: len(groups), Valid: valid, Nulls: nulls}
	c.I128 = spare.New[value.Int128](arrays, len(groups))
	for i, g := range groups {
		c.I128[i] = value.Int128{Lo: uint64(lo[g]), Hi: hi[g]}
	}
	return c
}

// AllValid is the validity bitmap of n rows of which none is NULL.
func AllValid(n int) []byte {
	valid := make([]byte, (n+7)/8)
	Fill(valid, 0xff)
	if tail := n & 7; tail != 0 {
		valid[len(valid)-1] = 1<<tail - 1
	}
	return valid
}
