package cpu

import (
	"math"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// radixColumn collects one operand. Integers are kept as narrow as all that has
// been seen allows; when others come the run ends early.
type radixColumn struct {
	used bool
	radixForm
	want   radixForm // of the next run
	lo, hi int64     // of integers seen
	dict   *runtime.Dictionary

	nulls bool
	null  []uint8
	u8    []uint8
	u16   []uint16
	u32   []uint32
	i64   []int64
	i128  []value.Int128
	f64   []float64
}

// radixForm is the form of a column in a run.
type radixForm struct {
	known bool
	form  form
	base  int64
}

// takes reports whether the rows of v fit the column as it is, and notes what the
// column must be to take them.
func (c *radixColumn) takes(v *view) bool {
	c.dict = longer(c.dict, v.dict)
	switch {
	case !v.integers():
		c.want = radixForm{known: true, form: v.form}
	case c.want.known && c.want.form > formI64:
	default:
		lo, hi := v.bounds()
		if c.want.known {
			lo, hi = min(lo, c.lo), max(hi, c.hi)
		}
		if !c.want.known || lo != c.lo || hi != c.hi {
			c.lo, c.hi = lo, hi
			c.want = narrowForm(lo, hi)
		}
	}
	return c.radixForm == c.want
}

// reshape takes on the form that takes has found necessary. The column is empty.
func (c *radixColumn) reshape() {
	c.radixForm = c.want
	switch c.form {
	case formU8:
		c.u8 = ensure(c.u8)
	case formU16:
		c.u16 = ensure(c.u16)
	case formU32:
		c.u32 = ensure(c.u32)
	case formI64:
		c.i64 = ensure(c.i64)
	case formI128:
		c.i128 = ensure(c.i128)
	case formF64:
		c.f64 = ensure(c.f64)
	}
}

// narrowForm is the narrowest form of integers between lo and hi. The base is 0
// where that costs nothing.
func narrowForm(lo, hi int64) radixForm {
	width := uint64(hi) - uint64(lo)
	for _, f := range []struct {
		form form
		max  uint64
	}{{formU8, math.MaxUint8}, {formU16, math.MaxUint16}, {formU32, math.MaxUint32}} {
		switch {
		case lo >= 0 && uint64(hi) <= f.max:
			return radixForm{known: true, form: f.form}
		case width <= f.max:
			return radixForm{known: true, form: f.form, base: lo}
		}
	}
	return radixForm{known: true, form: formI64}
}

// append writes the rows of v from row at on.
func (c *radixColumn) append(at int, v *view) {
	c.appendNulls(at, v)
	switch c.form {
	case formU8:
		narrowTo(c.u8[at:][:v.n], v, c.base)
	case formU16:
		narrowTo(c.u16[at:][:v.n], v, c.base)
	case formU32:
		narrowTo(c.u32[at:][:v.n], v, c.base)
	case formI64:
		dst := c.i64[at:][:v.n]
		copy(dst, v.ints(dst))
	case formI128:
		dst := c.i128[at:][:v.n]
		copy(dst, v.wide(dst))
	case formF64:
		copy(c.f64[at:], v.f64[:v.n])
	}
}

// appendNulls notes which rows of v are NULL.
func (c *radixColumn) appendNulls(at int, v *view) {
	switch {
	case v.null != nil:
		if !c.nulls {
			c.nulls = true
			c.null = ensure(c.null)
			clear(c.null[:at])
		}
		copy(c.null[at:], v.null[:v.n])
	case c.nulls:
		clear(c.null[at:][:v.n])
	}
}

// narrowTo writes the integers of v less base.
func narrowTo[S uint8 | uint16 | uint32](dst []S, v *view, base int64) {
	add := v.base - base
	switch v.form {
	case formConst:
		fill(dst, S(add))
	case formU8:
		narrowInts(dst, v.u8, add)
	case formU16:
		narrowInts(dst, v.u16, add)
	case formU32:
		narrowInts(dst, v.u32, add)
	case formI32:
		narrowInts(dst, v.i32, -base)
	case formI64:
		narrowInts(dst, v.i64, -base)
	}
}

func narrowInts[S uint8 | uint16 | uint32, V plain](dst []S, src []V, add int64) {
	src = src[:len(dst)]
	for i, x := range src {
		dst[i] = S(int64(x) + add)
	}
}

// width is the bytes of a row.
func (c *radixColumn) width() int64 {
	if !c.used {
		return 0
	}
	n := b2i(c.nulls)
	switch c.form {
	case formU8:
		return n + 1
	case formU16:
		return n + 2
	case formU32:
		return n + 4
	case formI128:
		return n + 16
	}
	return n + 8
}

// scatter returns the rows with row i at at[i], as a view.
func (c *radixColumn) scatter(at []uint32) view {
	v := view{form: c.form, n: len(at), base: c.base, dict: c.dict}
	if !c.used {
		return v
	}
	if c.form <= formI64 {
		v.bounded, v.lo, v.hi = true, c.lo, c.hi
	}
	if c.nulls {
		v.null = scatter(c.null, at)
	}
	switch c.form {
	case formU8:
		v.u8 = scatter(c.u8, at)
	case formU16:
		v.u16 = scatter(c.u16, at)
	case formU32:
		v.u32 = scatter(c.u32, at)
	case formI64:
		v.i64 = scatter(c.i64, at)
	case formI128:
		v.i128 = scatter(c.i128, at)
	case formF64:
		v.f64 = scatter(c.f64, at)
	}
	c.nulls = false
	return v
}

// scatter returns src with element i at at[i], or nil for nil.
func scatter[T any](src []T, at []uint32) []T {
	if src == nil {
		return nil
	}
	dst := make([]T, len(at))
	src = src[:len(at)]
	for i, x := range src {
		dst[at[i]] = x
	}
	return dst
}

// ensure returns memory for a run.
func ensure[T any](s []T) []T {
	if s == nil {
		return make([]T, radixRows)
	}
	return s
}

// radixRows is the number of rows of a run: what is collected and what it
// is written to lie in the second-level cache together.
const radixRows = 1 << 16
