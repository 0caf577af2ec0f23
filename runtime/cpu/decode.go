package cpu

import (
	"unsafe"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// value returns value id of the batch, decoded at least at the active rows.
func (b *Batch) value(id kernel.ValueID) *Vector {
	v := b.Vals[id]
	if v.Raw != nil {
		v.decode(b.Rows, b.Sel)
	}
	return v
}

// rows returns the active rows of the batch as a list.
func (b *Batch) rows() []int32 {
	if b.Sel == nil {
		return identity(b.Rows)
	}
	return b.Sel
}

// read is called when stored values of a raw vector are looked at.
func (v *Vector) read() {
	if v.seen != nil {
		*v.seen = true
	}
}

// decode turns a raw vector into its values, for the rows in sel at least (nil:
// all).
func (v *Vector) decode(rows int, sel []int32) {
	v.read()
	raw := v.Raw
	v.Raw = nil
	v.reserve(rows)
	v.Dict = raw.Dict
	d := decoding{raw: raw, rows: rows, sel: sel, start: v.Start, at: v.At}
	v.Null, v.Const = nil, false
	if raw.Rows == 0 || raw.Nulls == raw.Rows {
		v.constNull()
		return
	}
	v.decodeNulls(&d)
	if raw.Enc == runtime.EncConst && v.Null == nil {
		v.Const = true
		d.rows, d.sel, d.at = 1, nil, nil
	}
	// Reading every row in order beats picking, unless few are wanted.
	if d.at == nil && len(d.sel)*2 > d.rows {
		d.sel = nil
	}
	if d.at != nil && d.sel == nil {
		d.sel = identity(d.rows)
	}
	v.decodeValues(&d)
}

// decoding is which rows of which chunk are decoded.
type decoding struct {
	raw   *runtime.Chunk
	rows  int
	sel   []int32
	start int
	at    []int32
}

// place is the row of the chunk where row i of the batch lies. Rows that have
// none are NULL and may be read anywhere.
func (d *decoding) place(i int32) int {
	if d.at == nil {
		return d.start + int(i)
	}
	return max(int(d.at[i]), 0)
}

// reserve makes room for rows values in the memory that belongs to v. What lies in
// it is lost where it has to grow.
func (v *Vector) reserve(rows int) {
	var null []uint8
	if v.buf != nil {
		if v.buf.length() >= rows {
			return
		}
		null = v.buf.Null
	}
	v.buf = newVector(v.Type, rows)
	v.buf.Null = null
}

// constNull makes every row NULL.
func (v *Vector) constNull() {
	v.Const = true
	v.Null = []uint8{1}
	v.column().share(v.buf.vals, 0, v.buf.length())
}

// decodeNulls sets v.Null for the rows of d.
func (v *Vector) decodeNulls(d *decoding) {
	valid := d.raw.Valid
	if d.raw.Nulls == 0 {
		valid = nil
	}
	if d.at == nil {
		if valid == nil {
			return
		}
		v.Null = v.nullBuffer(d.rows)
		for i := range v.Null {
			p := d.start + i
			v.Null[i] = ^valid[p>>3] >> (p & 7) & 1
		}
		return
	}
	if valid == nil && d.sel == nil && !anyNegative(d.at[:d.rows]) {
		return
	}
	sel := d.sel
	if sel == nil {
		sel = identity(d.rows)
	}
	null := v.nullBuffer(d.rows)
	var any uint8
	for _, i := range sel {
		p := d.at[i]
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

// nullBuffer is memory for n NULL flags.
func (v *Vector) nullBuffer(n int) []uint8 {
	if len(v.buf.Null) < n {
		v.buf.Null = make([]uint8, n)
	}
	return v.buf.Null[:n]
}

// decodeValues sets the slice of v's type for the rows of d.
func (v *Vector) decodeValues(d *decoding) {
	raw := d.raw
	switch v.Type {
	case kernel.I32:
		set(v, decodeInts(of[int32](v.buf)[:d.rows], d))
	case kernel.I64:
		if raw.Enc == runtime.EncI64 && d.at == nil {
			set(v, raw.I64[d.start:d.start+d.rows])
			return
		}
		set(v, decodeInts(of[int64](v.buf)[:d.rows], d))
	case kernel.Code:
		set(v, decodeInts(of[uint32](v.buf)[:d.rows], d))
	case kernel.I128:
		if raw.Enc == runtime.EncI128 {
			set(v, pick(of[value.Int128](v.buf)[:d.rows], raw.I128, d))
			return
		}
		set(v, of[value.Int128](v.buf)[:d.rows])
		decodeWide(of[value.Int128](v), d)
	case kernel.F64:
		set(v, pick(of[float64](v.buf)[:d.rows], raw.F64, d))
	case kernel.Num:
		set(v, pick(of[value.Num](v.buf)[:d.rows], raw.Nums, d))
	case kernel.Interval:
		set(v, pick(of[value.Interval](v.buf)[:d.rows], raw.Intervals, d))
	case kernel.Bool:
		dst := of[uint8](v.buf)[:d.rows]
		set(v, dst)
		d.each(func(i, p int) { dst[i] = raw.Bits[p>>3] >> (p & 7) & 1 })
	case kernel.Str:
		dst := of[string](v.buf)[:d.rows]
		set(v, dst)
		d.each(func(i, p int) { dst[i] = chunkText(raw, p) })
	}
}

// each calls f for every row to decode with its place in the chunk.
func (d *decoding) each(f func(i, p int)) {
	if d.sel == nil {
		for i := range d.rows {
			f(i, d.start+i)
		}
		return
	}
	for _, i := range d.sel {
		f(int(i), d.place(i))
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
func pick[T any](dst, src []T, d *decoding) []T {
	switch {
	case d.at == nil:
		return src[d.start : d.start+d.rows]
	default:
		for _, i := range d.sel {
			dst[i] = src[max(d.at[i], 0)]
		}
	}
	return dst
}

// integer is what integers and codes are computed as.
type integer interface{ ~int32 | ~int64 | ~uint32 }

// stored is what they may be stored as, but for EncI64.
type stored interface{ ~uint8 | ~uint16 | ~uint32 }

// decodeInts decodes integers of any encoding to dst.
func decodeInts[T integer](dst []T, d *decoding) []T {
	raw := d.raw
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
func widen[T integer, S stored](dst []T, src []S, d *decoding) {
	base := T(d.raw.Base)
	switch {
	case d.sel == nil:
		src := src[d.start:][:len(dst)]
		for i, x := range src {
			dst[i] = T(x) + base
		}
	case d.at == nil:
		src := src[d.start:][:len(dst)]
		for _, i := range d.sel {
			dst[i] = T(src[i]) + base
		}
	default:
		for _, i := range d.sel {
			dst[i] = T(src[max(d.at[i], 0)]) + base
		}
	}
}

// decodeWide decodes decimals of a narrow encoding.
func decodeWide(dst []value.Int128, d *decoding) {
	d.each(func(i, p int) {
		x := d.raw.Int(p)
		dst[i] = value.Int128{Lo: uint64(x), Hi: x >> 63}
	})
}
