package cpu

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
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

// ints gives the integers of a view, or 128-bit integers that fit 64 bits, in
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

// wide gives 128-bit integers of a view of integers or of 128-bit integers.
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

// room gives *buf with exactly n elements, growing it where needed.
func room[T any](buf *[]T, n int) []T {
	if cap(*buf) < n {
		*buf = make([]T, max(n, 2*cap(*buf)))
	}
	*buf = (*buf)[:cap(*buf)]
	return (*buf)[:n]
}

// pick gives the rows of v that are listed, in b's memory.
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

// read gives the value's view of batch b, valid until the next read.
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

// fill sets every element to x.
func fill[T any](s []T, x T) {
	for i := range s {
		s[i] = x
	}
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

// storedRows gives the n values of src that start at at, or those at places.
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
