package partitioned

import (
	"math"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
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
	form  vector.Form
	base  int64
}

// takes reports whether the rows of v fit the column as it is, and notes what the
// column must be to take them.
func (c *radixColumn) takes(v *vector.View) bool {
	c.dict = vector.Longer(c.dict, v.Dict)
	switch {
	case !v.Integers():
		c.want = radixForm{known: true, form: v.Form}
	case c.want.known && c.want.form > vector.FormI64:
	default:
		lo, hi := v.Bounds()
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
	case vector.FormU8:
		c.u8 = ensure(c.u8)
	case vector.FormU16:
		c.u16 = ensure(c.u16)
	case vector.FormU32:
		c.u32 = ensure(c.u32)
	case vector.FormI64:
		c.i64 = ensure(c.i64)
	case vector.FormI128:
		c.i128 = ensure(c.i128)
	case vector.FormF64:
		c.f64 = ensure(c.f64)
	}
}

// narrowForm is the narrowest form of integers between lo and hi. The base is 0
// where that costs nothing.
func narrowForm(lo, hi int64) radixForm {
	width := uint64(hi) - uint64(lo)
	for _, f := range []struct {
		form vector.Form
		max  uint64
	}{{vector.FormU8, math.MaxUint8}, {vector.FormU16, math.MaxUint16}, {vector.FormU32, math.MaxUint32}} {
		switch {
		case lo >= 0 && uint64(hi) <= f.max:
			return radixForm{known: true, form: f.form}
		case width <= f.max:
			return radixForm{known: true, form: f.form, base: lo}
		}
	}
	return radixForm{known: true, form: vector.FormI64}
}

// append writes the rows of v from row at on.
func (c *radixColumn) append(at int, v *vector.View) {
	c.appendNulls(at, v)
	switch c.form {
	case vector.FormU8:
		narrowTo(c.u8[at:][:v.N], v, c.base)
	case vector.FormU16:
		narrowTo(c.u16[at:][:v.N], v, c.base)
	case vector.FormU32:
		narrowTo(c.u32[at:][:v.N], v, c.base)
	case vector.FormI64:
		dst := c.i64[at:][:v.N]
		copy(dst, v.Ints(dst))
	case vector.FormI128:
		dst := c.i128[at:][:v.N]
		copy(dst, v.Wide(dst))
	case vector.FormF64:
		copy(c.f64[at:], v.F64[:v.N])
	}
}

// appendNulls notes which rows of v are NULL.
func (c *radixColumn) appendNulls(at int, v *vector.View) {
	switch {
	case v.Null != nil:
		if !c.nulls {
			c.nulls = true
			c.null = ensure(c.null)
			clear(c.null[:at])
		}
		copy(c.null[at:], v.Null[:v.N])
	case c.nulls:
		clear(c.null[at:][:v.N])
	}
}

// narrowTo writes the integers of v less base.
func narrowTo[S uint8 | uint16 | uint32](dst []S, v *vector.View, base int64) {
	add := v.Base - base
	switch v.Form {
	case vector.FormConst:
		vector.Fill(dst, S(add))
	case vector.FormU8:
		narrowInts(dst, v.U8, add)
	case vector.FormU16:
		narrowInts(dst, v.U16, add)
	case vector.FormU32:
		narrowInts(dst, v.U32, add)
	case vector.FormI32:
		narrowInts(dst, v.I32, -base)
	case vector.FormI64:
		narrowInts(dst, v.I64, -base)
	}
}

func narrowInts[S uint8 | uint16 | uint32, V vector.Plain](dst []S, src []V, add int64) {
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
	n := vector.B2i(c.nulls)
	switch c.form {
	case vector.FormU8:
		return n + 1
	case vector.FormU16:
		return n + 2
	case vector.FormU32:
		return n + 4
	case vector.FormI128:
		return n + 16
	}
	return n + 8
}

// scatter returns the rows with row i at at[i], as a view.
func (c *radixColumn) scatter(at []uint32) vector.View {
	v := vector.View{Form: c.form, N: len(at), Base: c.base, Dict: c.dict}
	if !c.used {
		return v
	}
	if c.form <= vector.FormI64 {
		v.Bounded, v.Lo, v.Hi = true, c.lo, c.hi
	}
	if c.nulls {
		v.Null = scatter(c.null, at)
	}
	switch c.form {
	case vector.FormU8:
		v.U8 = scatter(c.u8, at)
	case vector.FormU16:
		v.U16 = scatter(c.u16, at)
	case vector.FormU32:
		v.U32 = scatter(c.u32, at)
	case vector.FormI64:
		v.I64 = scatter(c.i64, at)
	case vector.FormI128:
		v.I128 = scatter(c.i128, at)
	case vector.FormF64:
		v.F64 = scatter(c.f64, at)
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
