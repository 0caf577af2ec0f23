package store

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Integers are the types of whose values EncodeInts makes chunks.
type Integers interface {
	~int8 | ~uint8 | ~int16 | ~uint16 | ~int32 | ~uint32 | ~int64
}

// EncodeInts packs vals as narrowly as their range allows into a chunk of type
// t. Rows that valid (nil: none) says are NULL are overwritten in vals with the
// least value, so that decoding them stays in the range; where there are none, vals
// stay as they are. The chunk keeps no reference to vals.
func EncodeInts[T Integers](t kernel.Type, vals []T, valid []byte, nulls int) *runtime.Chunk {
	c := &runtime.Chunk{Type: t, Rows: len(vals), Valid: valid, Nulls: nulls}
	if nulls == len(vals) {
		c.Enc = runtime.EncConst
		return c
	}
	lo, hi := rangeOf(vals, valid)
	c.HasRange, c.Min, c.Max = true, lo, hi
	c.Order = orderOf(vals, nulls)
	if nulls > 0 {
		for i := range vals {
			if !bitAt(valid, i) {
				vals[i] = T(lo)
			}
		}
	}
	c.Enc, c.Base = narrowest(lo, hi)
	switch c.Enc {
	case runtime.EncU8:
		c.U8 = pack[uint8](vals, c.Base)
	case runtime.EncU16:
		c.U16 = pack[uint16](vals, c.Base)
	case runtime.EncU32:
		c.U32 = pack[uint32](vals, c.Base)
	case runtime.EncI64:
		c.I64 = pack[int64](vals, 0)
	}
	return c
}

// rangeOf returns the least and the greatest of the values that are not NULL;
// there is one.
func rangeOf[T Integers](vals []T, valid []byte) (lo, hi int64) {
	if valid == nil {
		least, most := vals[0], vals[0]
		for _, v := range vals {
			least, most = min(least, v), max(most, v)
		}
		return int64(least), int64(most)
	}
	lo, hi = math.MaxInt64, math.MinInt64
	for i, v := range vals {
		if bitAt(valid, i) {
			lo, hi = min(lo, int64(v)), max(hi, int64(v))
		}
	}
	return lo, hi
}

// orderOf returns in which order values stand. The values of most columns that are in
// none show it early.
func orderOf[T Integers](vals []T, nulls int) runtime.Order {
	if nulls > 0 {
		return runtime.Unordered
	}
	order := runtime.Strict
	for i := 1; i < len(vals); i++ {
		if vals[i] <= vals[i-1] {
			if vals[i] < vals[i-1] {
				return runtime.Unordered
			}
			order = runtime.Ascending
		}
	}
	return order
}

// narrowest chooses the encoding for values in lo … hi. Base is 0 where that
// costs no width: the stored form is then the value itself.
func narrowest(lo, hi int64) (enc runtime.Encoding, base int64) {
	span := uint64(hi) - uint64(lo)
	limit := uint64(math.MaxUint32)
	switch {
	case span == 0:
		return runtime.EncConst, lo
	case span <= math.MaxUint8:
		enc, limit = runtime.EncU8, math.MaxUint8
	case span <= math.MaxUint16:
		enc, limit = runtime.EncU16, math.MaxUint16
	case span <= math.MaxUint32:
		enc = runtime.EncU32
	default:
		return runtime.EncI64, 0
	}
	if lo >= 0 && uint64(hi) <= limit {
		return enc, 0
	}
	return enc, lo
}

func pack[D uint8 | uint16 | uint32 | int64, T Integers](vals []T, base int64) []D {
	return lists.Map(vals, func(v T) D { return D(v) - D(base) })
}

// DecodeInts appends rows from … to-1 of a chunk of integers, codes or narrow
// decimals to dst. What it appends for NULL is unspecified.
func DecodeInts(dst []int64, c *runtime.Chunk, from, to int) []int64 {
	switch c.Enc {
	case runtime.EncConst:
		for range to - from {
			dst = append(dst, c.Base)
		}
	case runtime.EncU8:
		dst = unpack(dst, c.U8[from:to], c.Base)
	case runtime.EncU16:
		dst = unpack(dst, c.U16[from:to], c.Base)
	case runtime.EncU32:
		dst = unpack(dst, c.U32[from:to], c.Base)
	case runtime.EncI64:
		if c.Base != 0 {
			return unpack(dst, c.I64[from:to], c.Base)
		}
		dst = append(dst, c.I64[from:to]...)
	}
	return dst
}

func unpack[T uint8 | uint16 | uint32 | int64](dst []int64, src []T, base int64) []int64 {
	for _, v := range src {
		dst = append(dst, int64(v)+base)
	}
	return dst
}
