package vector

import (
	"math"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Form is how the values of a view lie in memory.
type Form uint8

// The forms. Integers, codes, booleans and decimals that are stored narrow have
// one of the first six; the others have one form for each type.
const (
	FormConst Form = iota // every row is the integer base
	FormU8                // u8[i] + base
	FormU16               // u16[i] + base
	FormU32               // u32[i] + base
	FormI32               // i32[i]
	FormI64               // i64[i]
	FormI128
	FormF64
	formNum
	formInterval
	formStr
	FormRuns // of the cells of groups alone
)

// A View is one value of the active rows of a batch, compact: element i belongs
// to the i-th active row. It is what group keys, join keys and the arguments of
// accumulators are read through, so that their loops need neither a selection
// nor a decoded column. The slices are not to be written, and are valid as long
// as the batch.
type View struct {
	Form Form
	N    int
	Null []uint8 // 1 where NULL; nil: no row is. The value there is unspecified, but may be read.
	Base int64

	U8        []uint8
	U16       []uint16
	U32       []uint32
	I32       []int32
	I64       []int64
	I128      []value.Int128
	F64       []float64
	Num       []value.Num
	Intervals []value.Interval
	Str       []string

	Dict *runtime.Dictionary // for codes
	// lo and hi bound the integers of rows that are not NULL, where bounded.
	Bounded bool
	Lo, Hi  int64
}

// TextsView is a view of texts.
func TextsView(texts []string) View { return View{Form: formStr, N: len(texts), Str: texts} }

// Integers reports whether the values are 64-bit integers, however they lie.
func (v *View) Integers() bool { return v.Form <= FormI64 }

// IntAt is the integer of row i; of 128 bits those that a number has that fits 64.
func (v *View) IntAt(i int) int64 {
	switch v.Form {
	case FormU8:
		return int64(v.U8[i]) + v.Base
	case FormU16:
		return int64(v.U16[i]) + v.Base
	case FormU32:
		return int64(v.U32[i]) + v.Base
	case FormI32:
		return int64(v.I32[i])
	case FormI64:
		return v.I64[i]
	case FormI128:
		return int64(v.I128[i].Lo)
	}
	return v.Base
}

// Ints returns the integers of a view, or 128-bit integers that fit 64 bits, in
// dst, which has room for them.
func (v *View) Ints(dst []int64) []int64 {
	dst = dst[:v.N]
	switch v.Form {
	case FormConst:
		for i := range dst {
			dst[i] = v.Base
		}
	case FormU8:
		widenTo(dst, v.U8, v.Base)
	case FormU16:
		widenTo(dst, v.U16, v.Base)
	case FormU32:
		widenTo(dst, v.U32, v.Base)
	case FormI32:
		widenTo(dst, v.I32, 0)
	case FormI64:
		return v.I64[:v.N]
	case FormI128:
		for i, x := range v.I128[:v.N] {
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

// Wide returns 128-bit integers of a view of integers or of 128-bit integers.
func (v *View) Wide(dst []value.Int128) []value.Int128 {
	if v.Form == FormI128 {
		return v.I128[:v.N]
	}
	dst = dst[:v.N]
	for i := range dst {
		x := v.IntAt(i)
		dst[i] = value.Int128{Lo: uint64(x), Hi: x >> 63}
	}
	return dst
}

// Slice is rows lo … hi−1 of a view.
func (v *View) Slice(lo, hi int) View {
	s := *v
	s.N = hi - lo
	s.Null = SliceOf(v.Null, lo, hi)
	s.U8 = SliceOf(v.U8, lo, hi)
	s.U16 = SliceOf(v.U16, lo, hi)
	s.U32 = SliceOf(v.U32, lo, hi)
	s.I32 = SliceOf(v.I32, lo, hi)
	s.I64 = SliceOf(v.I64, lo, hi)
	s.I128 = SliceOf(v.I128, lo, hi)
	s.F64 = SliceOf(v.F64, lo, hi)
	s.Num = SliceOf(v.Num, lo, hi)
	s.Intervals = SliceOf(v.Intervals, lo, hi)
	s.Str = SliceOf(v.Str, lo, hi)
	return s
}

func SliceOf[T any](s []T, lo, hi int) []T {
	if s == nil {
		return nil
	}
	return s[lo:hi]
}

// ViewBuffer is the memory that views are gathered into; each slice grows to
// the largest batch.
type ViewBuffer struct {
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

// Room is spare.Room of ordinary memory.
func Room[T any](buf *[]T, n int) []T {
	return spare.Room(nil, buf, n)
}

// Pick returns the rows of v that are listed, in b's memory.
func (v *View) Pick(rows []int32, b *ViewBuffer) View {
	p := *v
	p.N = len(rows)
	if v.Null != nil {
		p.Null = GatherInto(Room(&b.null, len(rows)), v.Null, rows)
	}
	switch v.Form {
	case FormU8:
		p.U8 = GatherInto(Room(&b.u8, len(rows)), v.U8, rows)
	case FormU16:
		p.U16 = GatherInto(Room(&b.u16, len(rows)), v.U16, rows)
	case FormU32:
		p.U32 = GatherInto(Room(&b.u32, len(rows)), v.U32, rows)
	case FormI32:
		p.I32 = GatherInto(Room(&b.i32, len(rows)), v.I32, rows)
	case FormI64:
		p.I64 = GatherInto(Room(&b.i64, len(rows)), v.I64, rows)
	case FormI128:
		p.I128 = GatherInto(Room(&b.i128, len(rows)), v.I128, rows)
	case FormF64:
		p.F64 = GatherInto(Room(&b.f64, len(rows)), v.F64, rows)
	case formNum:
		p.Num = GatherInto(Room(&b.num, len(rows)), v.Num, rows)
	case formInterval:
		p.Intervals = GatherInto(Room(&b.intervals, len(rows)), v.Intervals, rows)
	case formStr:
		p.Str = GatherInto(Room(&b.str, len(rows)), v.Str, rows)
	}
	return p
}

// Fill sets every element to x.
func Fill[T any](s []T, x T) {
	for i := range s {
		s[i] = x
	}
}

// GroupInt is what group numbers are stored as.
type GroupInt interface{ uint8 | uint16 | uint32 }

// Plain is what integers to sum up are stored as.
type Plain interface {
	uint8 | uint16 | uint32 | int32 | int64
}

// Magnitude is the greatest absolute value of a view of integers, or more.
func (v *View) Magnitude() uint64 {
	if v.Bounded {
		return max(absolute(v.Lo), absolute(v.Hi))
	}
	switch v.Form {
	case FormI32:
		return 1 << 31
	case FormI64:
		var all uint64
		for _, x := range v.I64[:v.N] {
			all |= uint64(x ^ x>>63)
		}
		if all == math.MaxUint64>>1 {
			return 1 << 63
		}
		return all + 1
	}
	return 1 << 63
}

// Bounds bounds the integers of a view, NULLs included where they cannot be
// told apart.
func (v *View) Bounds() (lo, hi int64) {
	switch {
	case v.Bounded:
		return v.Lo, v.Hi
	case v.Form == FormU8:
		return v.Base, v.Base + math.MaxUint8
	case v.Form == FormU16:
		return v.Base, v.Base + math.MaxUint16
	case v.Form == FormI32:
		lo32, hi32 := bound(v.I32[:v.N], v.Null)
		return int64(lo32), int64(hi32)
	case v.Form == FormI64:
		return bound(v.I64[:v.N], v.Null)
	case v.Form == FormU32:
		lo32, hi32 := bound(v.U32[:v.N], v.Null)
		return int64(lo32) + v.Base, int64(hi32) + v.Base
	}
	return math.MinInt64, math.MaxInt64
}
