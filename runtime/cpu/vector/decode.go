package vector

import (
	"unsafe"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Value returns value id of the batch, decoded at least at the active rows.
func (b *Batch) Value(id kernel.ValueID) *Vector {
	v := b.Vals[id]
	if v.Raw != nil {
		v.Decode(b.Rows, b.Sel)
	}
	return v
}

// ActiveRows returns the active rows of the batch as a list.
func (b *Batch) ActiveRows() []int32 {
	if b.Sel == nil {
		return Identity(b.Rows)
	}
	return b.Sel
}

// Read is called when stored values of a raw vector are looked at.
func (v *Vector) Read() {
	if v.Seen != nil {
		*v.Seen = true
	}
}

// Decode turns a raw vector into its values, for the rows in sel at least (nil:
// all).
func (v *Vector) Decode(rows int, sel []int32) {
	v.Read()
	if v.Whole != nil && v.At == nil {
		v.share(rows)
		return
	}
	raw := v.Raw
	v.Raw = nil
	v.Reserve(rows)
	v.Dict = raw.Dict
	d := Decoding{Raw: raw, rows: rows, sel: sel, Start: v.Start, At: v.At}
	v.Null, v.Const = nil, false
	if raw.Rows == 0 || raw.Nulls == raw.Rows {
		v.constNull()
		return
	}
	v.decodeNulls(&d)
	if raw.Enc == runtime.EncConst && v.Null == nil {
		v.Const = true
		d.rows, d.sel, d.At = 1, nil, nil
	}
	// Reading every row in order beats picking, unless few are wanted.
	if d.At == nil && len(d.sel)*2 > d.rows {
		d.sel = nil
	}
	if d.At != nil && d.sel == nil {
		d.sel = Identity(d.rows)
	}
	v.decodeValues(&d)
}

// share makes a raw vector some rows of Whole, which is decoded once.
func (v *Vector) share(rows int) {
	w := v.Whole
	if w.Raw != nil {
		w.Decode(w.Raw.Rows, nil)
	}
	v.Raw, v.Dict, v.Null, v.Const = nil, w.Dict, SliceOf(w.Null, v.Start, v.Start+rows), false
	v.Column().Share(w.Vals, v.Start, v.Start+rows)
}

// Decoding is which rows of which chunk are decoded.
type Decoding struct {
	Raw   *runtime.Chunk
	rows  int
	sel   []int32
	Start int
	At    []int32
}

// Place is the row of the chunk where row i of the batch lies. Rows that have
// none are NULL and may be read anywhere.
func (d *Decoding) Place(i int32) int {
	if d.At == nil {
		return d.Start + int(i)
	}
	return max(int(d.At[i]), 0)
}

// Reserve makes room for rows values in the memory that belongs to v. What lies in
// it is lost where it has to grow.
func (v *Vector) Reserve(rows int) {
	var null []uint8
	if v.Buf != nil {
		if v.Buf.Length() >= rows {
			return
		}
		null = v.Buf.Null
	}
	v.Buf = New(v.Type, rows)
	v.Buf.Null = null
}

// constNull makes every row NULL.
func (v *Vector) constNull() {
	v.Const = true
	v.Null = []uint8{1}
	v.Column().Share(v.Buf.Vals, 0, v.Buf.Length())
}

// decodeNulls sets v.Null for the rows of d.
func (v *Vector) decodeNulls(d *Decoding) {
	valid := d.Raw.Valid
	if d.Raw.Nulls == 0 {
		valid = nil
	}
	if d.At == nil {
		if valid == nil {
			return
		}
		v.Null = v.NullBuffer(d.rows)
		for i := range v.Null {
			p := d.Start + i
			v.Null[i] = ^valid[p>>3] >> (p & 7) & 1
		}
		return
	}
	if valid == nil && d.sel == nil && !anyNegative(d.At[:d.rows]) {
		return
	}
	sel := d.sel
	if sel == nil {
		sel = Identity(d.rows)
	}
	null := v.NullBuffer(d.rows)
	var any uint8
	for _, i := range sel {
		p := d.At[i]
		n := uint8(uint32(p) >> 31)
		if n == 0 && valid != nil {
			n = ^valid[p>>3] >> (p & 7) & 1
		}
		null[i] = n
		any |= n
	}
	if any != 0 {
		v.Null = null
	}
}

// anyNegative reports whether one of some places is negative: a row that has none.
func anyNegative(places []int32) bool {
	var sign int32
	for _, p := range places {
		sign |= p
	}
	return sign < 0
}

// NullBuffer is memory for n NULL flags.
func (v *Vector) NullBuffer(n int) []uint8 {
	if len(v.Buf.Null) < n {
		v.Buf.Null = make([]uint8, n)
	}
	return v.Buf.Null[:n]
}

// decodeValues sets the slice of v's type for the rows of d.
func (v *Vector) decodeValues(d *Decoding) {
	raw := d.Raw
	switch v.Type {
	case kernel.I32:
		Set(v, decodeInts(Of[int32](v.Buf)[:d.rows], d))
	case kernel.I64:
		if raw.Enc == runtime.EncI64 && d.At == nil {
			Set(v, raw.I64[d.Start:d.Start+d.rows])
			return
		}
		Set(v, decodeInts(Of[int64](v.Buf)[:d.rows], d))
	case kernel.Code:
		Set(v, decodeInts(Of[uint32](v.Buf)[:d.rows], d))
	case kernel.I128:
		if raw.Enc == runtime.EncI128 {
			Set(v, pick(Of[value.Int128](v.Buf)[:d.rows], raw.I128, d))
			return
		}
		Set(v, Of[value.Int128](v.Buf)[:d.rows])
		decodeWide(Of[value.Int128](v), d)
	case kernel.F64:
		Set(v, pick(Of[float64](v.Buf)[:d.rows], raw.F64, d))
	case kernel.Num:
		Set(v, pick(Of[value.Num](v.Buf)[:d.rows], raw.Nums, d))
	case kernel.Interval:
		Set(v, pick(Of[value.Interval](v.Buf)[:d.rows], raw.Intervals, d))
	case kernel.Bool:
		dst := Of[uint8](v.Buf)[:d.rows]
		Set(v, dst)
		d.each(func(i, p int) { dst[i] = raw.Bits[p>>3] >> (p & 7) & 1 })
	case kernel.Str:
		dst := Of[string](v.Buf)[:d.rows]
		Set(v, dst)
		d.each(func(i, p int) { dst[i] = chunkText(raw, p) })
	}
}

// each calls f for every row to decode with its place in the chunk.
func (d *Decoding) each(f func(i, p int)) {
	if d.sel == nil {
		for i := range d.rows {
			f(i, d.Start+i)
		}
		return
	}
	for _, i := range d.sel {
		f(int(i), d.Place(i))
	}
}

// chunkText is the text of row p, which shares the chunk's memory.
func chunkText(c *runtime.Chunk, p int) string {
	lo, hi := c.Offsets[p], c.Offsets[p+1]
	if lo == hi {
		return ""
	}
	return unsafe.String(&c.Bytes[lo], int(hi-lo))
}

// pick returns the values of the rows of d: src itself where they lie together.
func pick[T any](dst, src []T, d *Decoding) []T {
	switch {
	case d.At == nil:
		return src[d.Start : d.Start+d.rows]
	default:
		for _, i := range d.sel {
			dst[i] = src[max(d.At[i], 0)]
		}
	}
	return dst
}

// Integer is what integers and codes are computed as.
type Integer interface{ ~int32 | ~int64 | ~uint32 }

// Stored is what they may be stored as, but for EncI64.
type Stored interface{ ~uint8 | ~uint16 | ~uint32 }

// decodeInts decodes integers of any encoding to dst.
func decodeInts[T Integer](dst []T, d *Decoding) []T {
	raw := d.Raw
	switch raw.Enc {
	case runtime.EncConst:
		for i := range dst {
			dst[i] = T(raw.Base)
		}
	case runtime.EncU8:
		widen(dst, raw.U8, d)
	case runtime.EncU16:
		widen(dst, raw.U16, d)
	case runtime.EncU32:
		widen(dst, raw.U32, d)
	case runtime.EncI64:
		d.each(func(i, p int) { dst[i] = T(raw.I64[p]) })
	case runtime.EncI128:
		d.each(func(i, p int) { dst[i] = T(raw.I128[p].Lo) })
	}
	return dst
}

// widen decodes an offset encoding.
func widen[T Integer, S Stored](dst []T, src []S, d *Decoding) {
	base := T(d.Raw.Base)
	switch {
	case d.sel == nil:
		src := src[d.Start:][:len(dst)]
		for i, x := range src {
			dst[i] = T(x) + base
		}
	case d.At == nil:
		src := src[d.Start:][:len(dst)]
		for _, i := range d.sel {
			dst[i] = T(src[i]) + base
		}
	default:
		for _, i := range d.sel {
			dst[i] = T(src[max(d.At[i], 0)]) + base
		}
	}
}

// decodeWide decodes decimals of a narrow encoding.
func decodeWide(dst []value.Int128, d *Decoding) {
	d.each(func(i, p int) {
		x := d.Raw.Int(p)
		dst[i] = value.Int128{Lo: uint64(x), Hi: x >> 63}
	})
}
