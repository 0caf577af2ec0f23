package cuda

import (
	"math"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// stored is narrowest of a column that is copied as a whole: texts have words that refer to them
// where they are more than offsets of 32 bits tell.
func (c *columns) stored(t kernel.Type, chunks []*runtime.Chunk) (shape cudagen.ColumnShape, base int64) {
	shape, base = narrowest(t, chunks)
	if shape.Encoding == cudagen.EncStr && allTextBytes(chunks) > c.offsets {
		shape.Encoding = cudagen.EncTexts
	}
	return shape, base
}

// narrowest chooses how a column of chunks is stored on a device: one encoding
// for all, integers as offsets from the minimum in as few bytes as the
// values of the whole column need.
func narrowest(t kernel.Type, chunks []*runtime.Chunk) (shape cudagen.ColumnShape, base int64) {
	shape.Type = t
	empty := true
	for _, c := range chunks {
		shape.Nullable = shape.Nullable || hasNulls(c)
		empty = empty && allNull(c)
	}
	switch {
	case empty:
		shape.Nullable, shape.Encoding = true, cudagen.EncNull
	case t == kernel.Bool:
		shape.Encoding = cudagen.EncBits
	case t == kernel.F64:
		shape.Encoding = cudagen.EncF64
	case t == kernel.Num:
		shape.Encoding = cudagen.EncNum
	case t == kernel.Interval:
		shape.Encoding = cudagen.EncIntervals
	case t == kernel.Str:
		shape.Encoding = cudagen.EncStr
	default:
		shape.Encoding, base = narrowestInteger(chunks)
	}
	return shape, base
}

// narrowestInteger chooses the encoding of integers, not all of them NULL.
func narrowestInteger(chunks []*runtime.Chunk) (enc cudagen.Encoding, base int64) {
	lo, hi := int64(math.MaxInt64), int64(math.MinInt64)
	for _, c := range chunks {
		if c.Enc == runtime.EncI128 {
			return cudagen.EncI128, 0
		}
		first, last := bounds(c)
		lo, hi = min(lo, first), max(hi, last)
	}
	return narrowInteger(lo, hi)
}

// narrowInteger chooses the encoding of integers from lo to hi.
func narrowInteger(lo, hi int64) (enc cudagen.Encoding, base int64) {
	switch width := uint64(hi) - uint64(lo); {
	case width <= math.MaxUint8:
		return cudagen.EncU8, lo
	case width <= math.MaxUint16:
		return cudagen.EncU16, lo
	case width <= math.MaxUint32:
		return cudagen.EncU32, lo
	}
	return cudagen.EncI64, 0
}

// hasNulls reports whether a chunk may have a row that is NULL.
func hasNulls(c *runtime.Chunk) bool { return c.Valid != nil || allNull(c) }

// allNull reports whether every row of a chunk is known to be NULL.
func allNull(c *runtime.Chunk) bool {
	if c.Nulls == c.Rows {
		return true
	}
	return c.Enc == runtime.EncConst && !integers(c.Type)
}

// integers reports whether chunks of a type hold integers.
func integers(t kernel.Type) bool {
	switch t {
	case kernel.I32, kernel.I64, kernel.I128, kernel.Code:
		return true
	}
	return false
}
