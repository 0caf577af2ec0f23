package compile

import (
	"math/bits"

	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
)

// number is what plain machine arithmetic works on.
type number interface{ ~int32 | ~int64 | ~float64 }

// operands are the slices of a binary operation. A mask of 0 makes row 0 stand
// for all rows; see Vector.Mask.
type operands[T any] struct {
	a, b   []T
	am, bm int
}

func operandsOf[T any](f *frame) operands[T] {
	return operands[T]{a: vector.Of[T](f.args[0]), b: vector.Of[T](f.args[1]), am: f.args[0].Mask(), bm: f.args[1].Mask()}
}

// The loops below have a form for two vectors, one for each side being
// constant, and one that picks rows.

func addLoop[T number](dst []T, o operands[T], sel []int32) {
	switch {
	case sel != nil:
		for _, i := range sel {
			dst[i] = o.a[int(i)&o.am] + o.b[int(i)&o.bm]
		}
	case o.am == 0:
		addConst(dst, o.b, o.a[0])
	case o.bm == 0:
		addConst(dst, o.a, o.b[0])
	default:
		a, b := o.a[:len(dst)], o.b[:len(dst)]
		for i := range dst {
			dst[i] = a[i] + b[i]
		}
	}
}

func addConst[T number](dst, a []T, c T) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = a[i] + c
	}
}

func subLoop[T number](dst []T, o operands[T], sel []int32) {
	switch {
	case sel != nil:
		for _, i := range sel {
			dst[i] = o.a[int(i)&o.am] - o.b[int(i)&o.bm]
		}
	case o.am == 0:
		b, c := o.b[:len(dst)], o.a[0]
		for i := range dst {
			dst[i] = c - b[i]
		}
	case o.bm == 0:
		addConst(dst, o.a, -o.b[0])
	default:
		a, b := o.a[:len(dst)], o.b[:len(dst)]
		for i := range dst {
			dst[i] = a[i] - b[i]
		}
	}
}

func mulLoop[T number](dst []T, o operands[T], sel []int32) {
	switch {
	case sel != nil:
		for _, i := range sel {
			dst[i] = o.a[int(i)&o.am] * o.b[int(i)&o.bm]
		}
	case o.am == 0:
		mulConst(dst, o.b, o.a[0])
	case o.bm == 0:
		mulConst(dst, o.a, o.b[0])
	default:
		a, b := o.a[:len(dst)], o.b[:len(dst)]
		for i := range dst {
			dst[i] = a[i] * b[i]
		}
	}
}

func mulConst[T number](dst, a []T, c T) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = a[i] * c
	}
}

// The checked loops collect in bad, which is negative (or not zero) where a
// row did not fit. Rows that are NULL may be the cause.

func addChecked32(dst []int32, o operands[int32], rows []int32) (bad int64) {
	for _, i := range rows {
		r := int64(o.a[int(i)&o.am]) + int64(o.b[int(i)&o.bm])
		dst[i] = int32(r)
		bad |= r ^ int64(int32(r))
	}
	return bad
}

func subChecked32(dst []int32, o operands[int32], rows []int32) (bad int64) {
	for _, i := range rows {
		r := int64(o.a[int(i)&o.am]) - int64(o.b[int(i)&o.bm])
		dst[i] = int32(r)
		bad |= r ^ int64(int32(r))
	}
	return bad
}

func mulChecked32(dst []int32, o operands[int32], rows []int32) (bad int64) {
	for _, i := range rows {
		r := int64(o.a[int(i)&o.am]) * int64(o.b[int(i)&o.bm])
		dst[i] = int32(r)
		bad |= r ^ int64(int32(r))
	}
	return bad
}

func addChecked64(dst []int64, o operands[int64], rows []int32) (bad int64) {
	for _, i := range rows {
		x, y := o.a[int(i)&o.am], o.b[int(i)&o.bm]
		r := x + y
		dst[i] = r
		bad |= ((x ^ r) & (y ^ r)) >> 63
	}
	return bad
}

func subChecked64(dst []int64, o operands[int64], rows []int32) (bad int64) {
	for _, i := range rows {
		x, y := o.a[int(i)&o.am], o.b[int(i)&o.bm]
		r := x - y
		dst[i] = r
		bad |= ((x ^ y) & (x ^ r)) >> 63
	}
	return bad
}

func mulChecked64(dst []int64, o operands[int64], rows []int32) (bad int64) {
	for _, i := range rows {
		x, y := o.a[int(i)&o.am], o.b[int(i)&o.bm]
		hi, lo := bits.Mul64(uint64(x), uint64(y))
		high := int64(hi) - (x>>63)&y - (y>>63)&x
		dst[i] = int64(lo)
		bad |= high ^ int64(lo)>>63
	}
	return bad
}

// The 128-bit loops wrap; they are for results that are proven to fit.

func addWide(dst []value.Int128, o operands[value.Int128], rows []int32) {
	for _, i := range rows {
		dst[i] = o.a[int(i)&o.am].AddWrap(o.b[int(i)&o.bm])
	}
}

func subWide(dst []value.Int128, o operands[value.Int128], rows []int32) {
	for _, i := range rows {
		dst[i] = o.a[int(i)&o.am].SubWrap(o.b[int(i)&o.bm])
	}
}

func mulWide(dst []value.Int128, o operands[value.Int128], rows []int32) {
	for _, i := range rows {
		x, y := o.a[int(i)&o.am], o.b[int(i)&o.bm]
		hi, lo := bits.Mul64(x.Lo, y.Lo)
		dst[i] = value.Int128{Lo: lo, Hi: int64(hi) + x.Hi*int64(y.Lo) + int64(x.Lo)*y.Hi}
	}
}

// mulWidening multiplies 64-bit integers to 128 bits.
func mulWidening(dst []value.Int128, o operands[int64], rows []int32) {
	for _, i := range rows {
		dst[i] = value.Mul64(o.a[int(i)&o.am], o.b[int(i)&o.bm])
	}
}

// loop is an unchecked binary operation over slices of one type.
type loop[T any] func(dst []T, o operands[T], sel []int32)

// checkedLoop is a checked one that works on listed rows and reports whether some
// row did not fit.
type checkedLoop[T any] func(dst []T, o operands[T], rows []int32) (bad int64)

// test is a comparison of two values.
type test[T any] func(a, b T) bool
