package vector

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Operand reads one value of the batches of one worker as views.
type Operand struct {
	Typ   kernel.Type
	bound kernel.Range
	id    kernel.ValueID
	buf   ViewBuffer
	at    []int32
}

// NewOperand makes a reader of value id of kernel f.
func NewOperand(f *kernel.Func, id kernel.ValueID) *Operand {
	return &Operand{Typ: f.Values[id].Type, bound: f.Values[id].Range, id: id}
}

// Read returns the value's view of batch b, valid until the next read.
func (o *Operand) Read(b *Batch) View {
	v := b.Vals[o.id]
	if v.Raw != nil {
		return o.readRaw(v, b)
	}
	return o.readDecoded(v, b)
}

// readDecoded is read for vectors that are decoded.
func (o *Operand) readDecoded(v *Vector, b *Batch) View {
	if v.Const {
		return o.readConst(v, b.Active())
	}
	d := o.DecodedView(v, b.Rows)
	if b.Sel == nil {
		return d
	}
	return d.Pick(b.Sel, &o.buf)
}

// DecodedView is the view of all rows of a decoded vector.
func (o *Operand) DecodedView(v *Vector, n int) View {
	d := View{N: n, Dict: v.Dict, Bounded: o.bound.Known, Lo: o.bound.Lo, Hi: o.bound.Hi}
	if v.Null != nil {
		d.Null = v.Null[:n]
	}
	switch v.Type {
	case kernel.Bool:
		d.Form, d.U8 = FormU8, Of[uint8](v)[:n]
		d.Bounded, d.Lo, d.Hi = true, 0, 1
	case kernel.I32:
		d.Form, d.I32 = FormI32, Of[int32](v)[:n]
	case kernel.I64:
		d.Form, d.I64 = FormI64, Of[int64](v)[:n]
	case kernel.Code:
		d.Form, d.U32 = FormU32, Of[uint32](v)[:n]
	case kernel.I128:
		d.Form, d.I128 = FormI128, Of[value.Int128](v)[:n]
	case kernel.F64:
		d.Form, d.F64 = FormF64, Of[float64](v)[:n]
	case kernel.Num:
		d.Form, d.Num = formNum, Of[value.Num](v)[:n]
	case kernel.Interval:
		d.Form, d.Intervals = formInterval, Of[value.Interval](v)[:n]
	case kernel.Str:
		d.Form, d.Str = formStr, Of[string](v)[:n]
	}
	return d
}

// readConst is read for a vector whose row 0 stands for all n rows.
func (o *Operand) readConst(v *Vector, n int) View {
	one := o.DecodedView(v, 1)
	if one.Integers() {
		null := one.Null
		c := View{Form: FormConst, N: n, Base: one.IntAt(0), Dict: v.Dict, Bounded: true}
		c.Lo, c.Hi = c.Base, c.Base
		if null != nil && null[0] != 0 {
			c.Null = Room(&o.buf.null, n)
			Fill(c.Null, 1)
		}
		return c
	}
	rows := Room(&o.at, n)
	Fill(rows, 0)
	return one.Pick(rows, &o.buf)
}

// readRaw is read for vectors that are not decoded.
func (o *Operand) readRaw(v *Vector, b *Batch) View {
	v.Read()
	raw, n := v.Raw, b.Active()
	if raw.Rows == 0 || raw.Nulls == raw.Rows {
		return o.allNull(n)
	}
	d := View{N: n, Base: raw.Base, Dict: raw.Dict, Bounded: raw.HasRange, Lo: raw.Min, Hi: raw.Max}
	places := o.places(v, b)
	o.rawNulls(&d, v, places)
	o.rawValues(&d, v, places)
	if !d.Bounded && d.Integers() {
		o.bounds(&d)
	}
	return d
}

// places lists where the active rows lie in the chunk, none negative, or is nil
// where they lie together from v.Start on.
func (o *Operand) places(v *Vector, b *Batch) []int32 {
	switch {
	case v.At == nil && b.Sel == nil:
		return nil
	case v.At == nil:
		at := Room(&o.at, len(b.Sel))
		start := int32(v.Start)
		for i, r := range b.Sel {
			at[i] = start + r
		}
		return at
	case b.Sel == nil:
		return v.At[:b.Rows]
	}
	return GatherInto(Room(&o.at, len(b.Sel)), v.At, b.Sel)
}

// rawNulls sets d.null. Negative places, which are NULL, are replaced by zero.
func (o *Operand) rawNulls(d *View, v *Vector, places []int32) {
	valid := v.Raw.Valid
	if v.Raw.Nulls == 0 {
		valid = nil
	}
	switch {
	case places == nil && valid == nil:
	case places == nil:
		d.Null = Room(&o.buf.null, d.N)
		for i := range d.Null {
			p := v.Start + i
			d.Null[i] = ^valid[p>>3] >> (p & 7) & 1
		}
	case v.At == nil && valid == nil:
	default:
		o.placedNulls(d, valid, places)
	}
}

// placedNulls sets d.null for rows at places, some of which may be negative.
func (o *Operand) placedNulls(d *View, valid []byte, places []int32) {
	if valid == nil && !anyNegative(places) {
		return
	}
	d.Null = Room(&o.buf.null, d.N)
	for i, p := range places {
		if p < 0 {
			d.Null[i] = 1
			continue
		}
		d.Null[i] = 0
		if valid != nil {
			d.Null[i] = ^valid[p>>3] >> (p & 7) & 1
		}
	}
}

// allNull is a view of n NULLs.
func (o *Operand) allNull(n int) View {
	d := View{Form: FormConst, N: n, Bounded: true, Null: Room(&o.buf.null, n)}
	Fill(d.Null, 1)
	switch o.Typ {
	case kernel.F64:
		d.Form, d.F64 = FormF64, Room(&o.buf.f64, n)
	case kernel.Num:
		d.Form, d.Num = formNum, Room(&o.buf.num, n)
	case kernel.Interval:
		d.Form, d.Intervals = formInterval, Room(&o.buf.intervals, n)
	case kernel.Str:
		d.Form, d.Str = formStr, Room(&o.buf.str, n)
	}
	return d
}

// rawValues sets d's form and values from the rows at places.
func (o *Operand) rawValues(d *View, v *Vector, places []int32) {
	raw, at := v.Raw, v.Start
	switch raw.Enc {
	case runtime.EncConst:
		d.Form = FormConst
	case runtime.EncU8:
		d.Form, d.U8 = FormU8, storedRows(&o.buf.u8, raw.U8, at, d.N, places)
	case runtime.EncU16:
		d.Form, d.U16 = FormU16, storedRows(&o.buf.u16, raw.U16, at, d.N, places)
	case runtime.EncU32:
		d.Form, d.U32 = FormU32, storedRows(&o.buf.u32, raw.U32, at, d.N, places)
	case runtime.EncI64:
		d.Form, d.I64 = FormI64, storedRows(&o.buf.i64, raw.I64, at, d.N, places)
	case runtime.EncI128:
		d.Form, d.I128 = FormI128, storedRows(&o.buf.i128, raw.I128, at, d.N, places)
	case runtime.EncF64:
		d.Form, d.F64 = FormF64, storedRows(&o.buf.f64, raw.F64, at, d.N, places)
	case runtime.EncNum:
		d.Form, d.Num = formNum, storedRows(&o.buf.num, raw.Nums, at, d.N, places)
	case runtime.EncIntervals:
		d.Form, d.Intervals = formInterval, storedRows(&o.buf.intervals, raw.Intervals, at, d.N, places)
	case runtime.EncBits:
		d.Form, d.U8, d.Base = FormU8, Room(&o.buf.u8, d.N), 0
		d.Bounded, d.Lo, d.Hi = true, 0, 1
		eachPlace(at, d.N, places, func(i, p int) { d.U8[i] = raw.Bits[p>>3] >> (p & 7) & 1 })
	case runtime.EncStr:
		d.Form, d.Str = formStr, Room(&o.buf.str, d.N)
		eachPlace(at, d.N, places, func(i, p int) { d.Str[i] = chunkText(raw, p) })
	}
}

// bounds sets d's bounds from what the kernel knows of the value or from the
// stored form.
func (o *Operand) bounds(d *View) {
	if o.bound.Known {
		d.Bounded, d.Lo, d.Hi = true, o.bound.Lo, o.bound.Hi
		return
	}
	var width int64
	switch d.Form {
	case FormConst:
	case FormU8:
		width = 1<<8 - 1
	case FormU16:
		width = 1<<16 - 1
	case FormU32:
		width = 1<<32 - 1
	default:
		return
	}
	if d.Base <= 1<<62 {
		d.Bounded, d.Lo, d.Hi = true, d.Base, d.Base+width
	}
}

// storedRows returns the n values of src that start at at, or those at places.
// Negative places give any value.
func storedRows[T any](buf *[]T, src []T, at, n int, places []int32) []T {
	if places == nil {
		return src[at : at+n]
	}
	dst := Room(buf, n)
	for i, p := range places {
		dst[i] = src[max(p, 0)]
	}
	return dst
}

// eachPlace calls f for each row with its place in a chunk.
func eachPlace(at, n int, places []int32, f func(i, p int)) {
	if places == nil {
		for i := range n {
			f(i, at+i)
		}
		return
	}
	for i, p := range places {
		f(i, int(max(p, 0)))
	}
}
