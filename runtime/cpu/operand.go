package cpu

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// operand reads one value of the batches of one worker as views.
type operand struct {
	typ   kernel.Type
	bound kernel.Range
	id    kernel.ValueID
	buf   viewBuffer
	at    []int32
}

// newOperand makes a reader of value id of kernel f.
func newOperand(f *kernel.Func, id kernel.ValueID) *operand {
	return &operand{typ: f.Values[id].Type, bound: f.Values[id].Range, id: id}
}

// read returns the value's view of batch b, valid until the next read.
func (o *operand) read(b *Batch) view {
	v := b.Vals[o.id]
	if v.Raw != nil {
		return o.readRaw(v, b)
	}
	return o.readDecoded(v, b)
}

// readDecoded is read for vectors that are decoded.
func (o *operand) readDecoded(v *Vector, b *Batch) view {
	if v.Const {
		return o.readConst(v, b.Active())
	}
	d := o.decodedView(v, b.Rows)
	if b.Sel == nil {
		return d
	}
	return d.pick(b.Sel, &o.buf)
}

// decodedView is the view of all rows of a decoded vector.
func (o *operand) decodedView(v *Vector, n int) view {
	d := view{n: n, dict: v.Dict, bounded: o.bound.Known, lo: o.bound.Lo, hi: o.bound.Hi}
	if v.Null != nil {
		d.null = v.Null[:n]
	}
	switch v.Type {
	case kernel.Bool:
		d.form, d.u8 = formU8, of[uint8](v)[:n]
		d.bounded, d.lo, d.hi = true, 0, 1
	case kernel.I32:
		d.form, d.i32 = formI32, of[int32](v)[:n]
	case kernel.I64:
		d.form, d.i64 = formI64, of[int64](v)[:n]
	case kernel.Code:
		d.form, d.u32 = formU32, of[uint32](v)[:n]
	case kernel.I128:
		d.form, d.i128 = formI128, of[value.Int128](v)[:n]
	case kernel.F64:
		d.form, d.f64 = formF64, of[float64](v)[:n]
	case kernel.Num:
		d.form, d.num = formNum, of[value.Num](v)[:n]
	case kernel.Interval:
		d.form, d.intervals = formInterval, of[value.Interval](v)[:n]
	case kernel.Str:
		d.form, d.str = formStr, of[string](v)[:n]
	}
	return d
}

// readConst is read for a vector whose row 0 stands for all n rows.
func (o *operand) readConst(v *Vector, n int) view {
	one := o.decodedView(v, 1)
	if one.integers() {
		null := one.null
		c := view{form: formConst, n: n, base: one.intAt(0), dict: v.Dict, bounded: true}
		c.lo, c.hi = c.base, c.base
		if null != nil && null[0] != 0 {
			c.null = room(&o.buf.null, n)
			fill(c.null, 1)
		}
		return c
	}
	rows := room(&o.at, n)
	fill(rows, 0)
	return one.pick(rows, &o.buf)
}

// readRaw is read for vectors that are not decoded.
func (o *operand) readRaw(v *Vector, b *Batch) view {
	v.read()
	raw, n := v.Raw, b.Active()
	if raw.Rows == 0 || raw.Nulls == raw.Rows {
		return o.allNull(n)
	}
	d := view{n: n, base: raw.Base, dict: raw.Dict, bounded: raw.HasRange, lo: raw.Min, hi: raw.Max}
	places := o.places(v, b)
	o.rawNulls(&d, v, places)
	o.rawValues(&d, v, places)
	if !d.bounded && d.integers() {
		o.bounds(&d)
	}
	return d
}

// places lists where the active rows lie in the chunk, none negative, or is nil
// where they lie together from v.Start on.
func (o *operand) places(v *Vector, b *Batch) []int32 {
	switch {
	case v.At == nil && b.Sel == nil:
		return nil
	case v.At == nil:
		at := room(&o.at, len(b.Sel))
		start := int32(v.Start)
		for i, r := range b.Sel {
			at[i] = start + r
		}
		return at
	case b.Sel == nil:
		return v.At[:b.Rows]
	}
	return gatherInto(room(&o.at, len(b.Sel)), v.At, b.Sel)
}

// rawNulls sets d.null. Negative places, which are NULL, are replaced by zero.
func (o *operand) rawNulls(d *view, v *Vector, places []int32) {
	valid := v.Raw.Valid
	if v.Raw.Nulls == 0 {
		valid = nil
	}
	switch {
	case places == nil && valid == nil:
	case places == nil:
		d.null = room(&o.buf.null, d.n)
		for i := range d.null {
			p := v.Start + i
			d.null[i] = ^valid[p>>3] >> (p & 7) & 1
		}
	case v.At == nil && valid == nil:
	default:
		o.placedNulls(d, valid, places)
	}
}

// placedNulls sets d.null for rows at places, some of which may be negative.
func (o *operand) placedNulls(d *view, valid []byte, places []int32) {
	if valid == nil && !anyNegative(places) {
		return
	}
	d.null = room(&o.buf.null, d.n)
	for i, p := range places {
		if p < 0 {
			d.null[i] = 1
			continue
		}
		d.null[i] = 0
		if valid != nil {
			d.null[i] = ^valid[p>>3] >> (p & 7) & 1
		}
	}
}

// allNull is a view of n NULLs.
func (o *operand) allNull(n int) view {
	d := view{form: formConst, n: n, bounded: true, null: room(&o.buf.null, n)}
	fill(d.null, 1)
	switch o.typ {
	case kernel.F64:
		d.form, d.f64 = formF64, room(&o.buf.f64, n)
	case kernel.Num:
		d.form, d.num = formNum, room(&o.buf.num, n)
	case kernel.Interval:
		d.form, d.intervals = formInterval, room(&o.buf.intervals, n)
	case kernel.Str:
		d.form, d.str = formStr, room(&o.buf.str, n)
	}
	return d
}

// rawValues sets d's form and values from the rows at places.
func (o *operand) rawValues(d *view, v *Vector, places []int32) {
	raw, at := v.Raw, v.Start
	switch raw.Enc {
	case runtime.EncConst:
		d.form = formConst
	case runtime.EncU8:
		d.form, d.u8 = formU8, storedRows(&o.buf.u8, raw.U8, at, d.n, places)
	case runtime.EncU16:
		d.form, d.u16 = formU16, storedRows(&o.buf.u16, raw.U16, at, d.n, places)
	case runtime.EncU32:
		d.form, d.u32 = formU32, storedRows(&o.buf.u32, raw.U32, at, d.n, places)
	case runtime.EncI64:
		d.form, d.i64 = formI64, storedRows(&o.buf.i64, raw.I64, at, d.n, places)
	case runtime.EncI128:
		d.form, d.i128 = formI128, storedRows(&o.buf.i128, raw.I128, at, d.n, places)
	case runtime.EncF64:
		d.form, d.f64 = formF64, storedRows(&o.buf.f64, raw.F64, at, d.n, places)
	case runtime.EncNum:
		d.form, d.num = formNum, storedRows(&o.buf.num, raw.Nums, at, d.n, places)
	case runtime.EncIntervals:
		d.form, d.intervals = formInterval, storedRows(&o.buf.intervals, raw.Intervals, at, d.n, places)
	case runtime.EncBits:
		d.form, d.u8, d.base = formU8, room(&o.buf.u8, d.n), 0
		d.bounded, d.lo, d.hi = true, 0, 1
		eachPlace(at, d.n, places, func(i, p int) { d.u8[i] = raw.Bits[p>>3] >> (p & 7) & 1 })
	case runtime.EncStr:
		d.form, d.str = formStr, room(&o.buf.str, d.n)
		eachPlace(at, d.n, places, func(i, p int) { d.str[i] = chunkText(raw, p) })
	}
}

// bounds sets d's bounds from what the kernel knows of the value or from the
// stored form.
func (o *operand) bounds(d *view) {
	if o.bound.Known {
		d.bounded, d.lo, d.hi = true, o.bound.Lo, o.bound.Hi
		return
	}
	var width int64
	switch d.form {
	case formConst:
	case formU8:
		width = 1<<8 - 1
	case formU16:
		width = 1<<16 - 1
	case formU32:
		width = 1<<32 - 1
	default:
		return
	}
	if d.base <= 1<<62 {
		d.bounded, d.lo, d.hi = true, d.base, d.base+width
	}
}

// storedRows returns the n values of src that start at at, or those at places.
// Negative places give any value.
func storedRows[T any](buf *[]T, src []T, at, n int, places []int32) []T {
	if places == nil {
		return src[at : at+n]
	}
	dst := room(buf, n)
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
