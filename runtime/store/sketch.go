package store

import (
	"math"
	"math/bits"

	"github.com/axiomhq/hyperloglog"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// sparseRows is the number of rows up to which a sketch starts out sparse.
const sparseRows = 4096

func newSketch(rows int) *hyperloglog.Sketch {
	if rows <= sparseRows {
		return hyperloglog.New()
	}
	return hyperloglog.NewNoSparse()
}

// sketchChunk estimates the distinct values of a chunk; dictionaries and
// booleans are counted elsewhere and give nil.
func sketchChunk(c *runtime.Chunk) *hyperloglog.Sketch {
	if c.Nulls == c.Rows {
		return nil
	}
	sk := newSketch(c.Rows)
	switch c.Enc {
	case runtime.EncConst:
		sk.InsertHash(value.Hash64(uint64(c.Base)))
	case runtime.EncU8:
		sketchNarrow(sk, c.U8, c.Base)
	case runtime.EncU16:
		sketchNarrow(sk, c.U16, c.Base)
	case runtime.EncU32:
		for _, v := range c.U32 {
			sk.InsertHash(value.Hash64(uint64(int64(v) + c.Base)))
		}
	case runtime.EncI64:
		for _, v := range c.I64 {
			sk.InsertHash(value.Hash64(uint64(v)))
		}
	case runtime.EncF64:
		for _, v := range c.F64 {
			sk.InsertHash(value.Hash64(math.Float64bits(v)))
		}
	case runtime.EncI128:
		sketchRows(sk, c, func(i int) uint64 { return c.I128[i].Hash() })
	case runtime.EncNum:
		sketchRows(sk, c, func(i int) uint64 { return value.Hash64(c.Nums[i].Coef.Hash() + uint64(c.Nums[i].Scale)) })
	case runtime.EncIntervals:
		sketchRows(sk, c, func(i int) uint64 { return hashInterval(c.Intervals[i]) })
	case runtime.EncStr:
		sketchTexts(sk, c)
	default:
		return nil
	}
	return sk
}

// sketchNarrow inserts each value once.
func sketchNarrow[T uint8 | uint16](sk *hyperloglog.Sketch, vals []T, base int64) {
	var seen [math.MaxUint16/64 + 1]uint64
	for _, v := range vals {
		seen[v>>6] |= 1 << (v & 63)
	}
	for i, word := range seen {
		for ; word != 0; word &= word - 1 {
			v := int64(i<<6 + bits.TrailingZeros64(word))
			sk.InsertHash(value.Hash64(uint64(v + base)))
		}
	}
}

func sketchRows(sk *hyperloglog.Sketch, c *runtime.Chunk, hash func(i int) uint64) {
	for i := range c.Rows {
		if c.IsValid(i) {
			sk.InsertHash(hash(i))
		}
	}
}

func sketchTexts(sk *hyperloglog.Sketch, c *runtime.Chunk) {
	for i := range c.Rows {
		if c.IsValid(i) {
			sk.Insert(c.Bytes[c.Offsets[i]:c.Offsets[i+1]])
		}
	}
}

func hashInterval(v value.Interval) uint64 {
	return value.Hash64(uint64(v.Micros) ^ value.Hash64(uint64(v.Months)<<32|uint64(uint32(v.Days))))
}
