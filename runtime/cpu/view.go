package cpu

import (
	"math"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// form is how the values of a view lie in memory.
type form uint8

// The forms. Integers, codes, booleans and decimals that are stored narrow have
// one of the first six; the others have one form for each type.
const (
	formConst form = iota // every row is the integer base
	formU8                // u8[i] + base
	formU16               // u16[i] + base
	formU32               // u32[i] + base
	formI32               // i32[i]
	formI64               // i64[i]
	formI128
	formF64
	formNum
	formInterval
	formStr
)

// A view is one value of the active rows of a batch, compact: element i belongs
// to the i-th active row. It is what group keys, join keys and the arguments of
// accumulators are read through, so that their loops need neither a selection
// nor a decoded column. The slices are not to be written, and are valid as long
// as the batch.
type view struct {
	form form
	n    int
	null []uint8 // 1 where NULL; nil: no row is. The value there is unspecified, but may be read.
	base int64

	u8        []uint8
	u16       []uint16
	u32       []uint32
	i32       []int32
	i64       []int64
	i128      []value.Int128
	f64       []float64
	num       []value.Num
	intervals []value.Interval
	str       []string

	dict *runtime.Dictionary // for codes
	// lo and hi bound the integers of rows that are not NULL, where bounded.
	bounded bool
	lo, hi  int64
}

// integers reports whether the values are 64-bit integers, however they lie.
func (v *view) integers() bool { return v.form <= formI64 }

// intAt is the integer of row i; of 128 bits those that a number has that fits 64.
func (v *view) intAt(i int) int64 {
	switch v.form {
	case formU8:
		return int64(v.u8[i]) + v.base
	case formU16:
		return int64(v.u16[i]) + v.base
	case formU32:
		return int64(v.u32[i]) + v.base
	case formI32:
		return int64(v.i32[i])
	case formI64:
		return v.i64[i]
	case formI128:
		return int64(v.i128[i].Lo)
	}
	return v.base
}

// ints returns the integers of a view, or 128-bit integers that fit 64 bits, in
// dst, which has room for them.
func (v *view) ints(dst []int64) []int64 {
	dst = dst[:v.n]
	switch v.form {
	case formConst:
		for i := range dst {
			dst[i] = v.base
		}
	case formU8:
		widenTo(dst, v.u8, v.base)
	case formU16:
		widenTo(dst, v.u16, v.base)
	case formU32:
		widenTo(dst, v.u32, v.base)
	case formI32:
		widenTo(dst, v.i32, 0)
	case formI64:
		return v.i64[:v.n]
	case formI128:
		for i, x := range v.i128[:v.n] {
			dst[i] = int64(x.Lo)
		}
	}
	return dst
}

// widenTo adds base to each integer of src.
func widenTo[S uint8 | uint16 | uint32 | int32](dst []int64, src []S, base int64) {
	src = src[:len(dst)]
	for i, x := range src {
		dst[i] = int64(x) + base
	}
}

// wide returns 128-bit integers of a view of integers or of 128-bit integers.
func (v *view) wide(dst []value.Int128) []value.Int128 {
	if v.form == formI128 {
		return v.i128[:v.n]
	}
	dst = dst[:v.n]
	for i := range dst {
		x := v.intAt(i)
		dst[i] = value.Int128{Lo: uint64(x), Hi: x >> 63}
	}
	return dst
}

// slice is rows lo … hi−1 of a view.
func (v *view) slice(lo, hi int) view {
	s := *v
	s.n = hi - lo
	s.null = sliceOf(v.null, lo, hi)
	s.u8 = sliceOf(v.u8, lo, hi)
	s.u16 = sliceOf(v.u16, lo, hi)
	s.u32 = sliceOf(v.u32, lo, hi)
	s.i32 = sliceOf(v.i32, lo, hi)
	s.i64 = sliceOf(v.i64, lo, hi)
	s.i128 = sliceOf(v.i128, lo, hi)
	s.f64 = sliceOf(v.f64, lo, hi)
	s.num = sliceOf(v.num, lo, hi)
	s.intervals = sliceOf(v.intervals, lo, hi)
	s.str = sliceOf(v.str, lo, hi)
	return s
}

func sliceOf[T any](s []T, lo, hi int) []T {
	if s == nil {
		return nil
	}
	return s[lo:hi]
}

// viewBuffer is the memory that views are gathered into; each slice grows to
// the largest batch.
type viewBuffer struct {
	null      []uint8
	u8        []uint8
	u16       []uint16
	u32       []uint32
	i32       []int32
	i64       []int64
	i128      []value.Int128
	f64       []float64
	num       []value.Num
	intervals []value.Interval
	str       []string
}

// room returns *buf with exactly n elements, growing it where needed.
func room[T any](buf *[]T, n int) []T {
	if cap(*buf) < n {
		*buf = make([]T, max(n, 2*cap(*buf)))
	}
	*buf = (*buf)[:cap(*buf)]
	return (*buf)[:n]
}

// pick returns the rows of v that are listed, in b's memory.
func (v *view) pick(rows []int32, b *viewBuffer) view {
	p := *v
	p.n = len(rows)
	if v.null != nil {
		p.null = gatherInto(room(&b.null, len(rows)), v.null, rows)
	}
	switch v.form {
	case formU8:
		p.u8 = gatherInto(room(&b.u8, len(rows)), v.u8, rows)
	case formU16:
		p.u16 = gatherInto(room(&b.u16, len(rows)), v.u16, rows)
	case formU32:
		p.u32 = gatherInto(room(&b.u32, len(rows)), v.u32, rows)
	case formI32:
		p.i32 = gatherInto(room(&b.i32, len(rows)), v.i32, rows)
	case formI64:
		p.i64 = gatherInto(room(&b.i64, len(rows)), v.i64, rows)
	case formI128:
		p.i128 = gatherInto(room(&b.i128, len(rows)), v.i128, rows)
	case formF64:
		p.f64 = gatherInto(room(&b.f64, len(rows)), v.f64, rows)
	case formNum:
		p.num = gatherInto(room(&b.num, len(rows)), v.num, rows)
	case formInterval:
		p.intervals = gatherInto(room(&b.intervals, len(rows)), v.intervals, rows)
	case formStr:
		p.str = gatherInto(room(&b.str, len(rows)), v.str, rows)
	}
	return p
}

// fill sets every element to x.
func fill[T any](s []T, x T) {
	for i := range s {
		s[i] = x
	}
}

// groupInt is what group numbers are stored as.
type groupInt interface{ uint8 | uint16 | uint32 }

// plain is what integers to sum up are stored as.
type plain interface {
	uint8 | uint16 | uint32 | int32 | int64
}

// magnitude is the greatest absolute value of a view of integers, or more.
func (v *view) magnitude() uint64 {
	if v.bounded {
		return max(absolute(v.lo), absolute(v.hi))
	}
	switch v.form {
	case formI32:
		return 1 << 31
	case formI64:
		var all uint64
		for _, x := range v.i64[:v.n] {
			all |= uint64(x ^ x>>63)
		}
		if all == math.MaxUint64>>1 {
			return 1 << 63
		}
		return all + 1
	}
	return 1 << 63
}

// bounds bounds the integers of a view, NULLs included where they cannot be
// told apart.
func (v *view) bounds() (lo, hi int64) {
	switch {
	case v.bounded:
		return v.lo, v.hi
	case v.form == formU8:
		return v.base, v.base + math.MaxUint8
	case v.form == formU16:
		return v.base, v.base + math.MaxUint16
	case v.form == formI32:
		lo32, hi32 := bound(v.i32[:v.n], v.null)
		return int64(lo32), int64(hi32)
	case v.form == formI64:
		return bound(v.i64[:v.n], v.null)
	case v.form == formU32:
		lo32, hi32 := bound(v.u32[:v.n], v.null)
		return int64(lo32) + v.base, int64(hi32) + v.base
	}
	return math.MinInt64, math.MaxInt64
}
