package compile

import (
	"encoding/binary"
	"math"
	"unsafe"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
)

// maskRaw sets out to the rows of a raw vector, whose rows lie together, that
// are in the domain.
func (d *domain) maskRaw(v *vector.Vector, rows int, out []uint64) {
	c := v.Raw
	switch c.Enc {
	case runtime.EncConst:
		fillMask(out, d.contains(c.Base))
	case runtime.EncU8:
		maskStored(d, c, c.U8[v.Start:v.Start+rows], out)
	case runtime.EncU16:
		maskStored(d, c, c.U16[v.Start:v.Start+rows], out)
	case runtime.EncU32:
		maskStored(d, c, c.U32[v.Start:v.Start+rows], out)
	case runtime.EncI64:
		d.maskInts(c, c.I64[v.Start:v.Start+rows], out)
	case runtime.EncI128:
		maskEach(out, c.I128[v.Start:v.Start+rows], d.containsWide)
	}
	if d.negate && c.Enc != runtime.EncConst && c.Enc != runtime.EncI128 {
		for i := range out {
			out[i] = ^out[i]
		}
	}
	d.maskNulls(c, v.Start, out)
	vector.Trim(out, rows)
}

// maskDecoded sets out to the rows of a decoded vector that are in the domain.
func (d *domain) maskDecoded(v *vector.Vector, rows int, out []uint64) {
	if v.Const {
		fillMask(out, d.passes(v))
		vector.Trim(out, rows)
		return
	}
	switch v.Type {
	case kernel.I32:
		maskIntegers(d, vector.Of[int32](v)[:rows], out)
	case kernel.I64:
		maskIntegers(d, vector.Of[int64](v)[:rows], out)
	case kernel.Code:
		maskIntegers(d, vector.Of[uint32](v)[:rows], out)
	case kernel.I128:
		maskEach(out, vector.Of[value.Int128](v)[:rows], d.containsWide)
	}
	if v.Null == nil {
		return
	}
	for i, n := range v.Null[:rows] {
		if n != 0 {
			out[i>>6] &^= 1 << (i & 63)
			out[i>>6] |= uint64(vector.B2u(d.nulls)) << (i & 63)
		}
	}
}

// maskIntegers sets out to the integers that are in a domain.
func maskIntegers[T int32 | int64 | uint32](d *domain, col []T, out []uint64) {
	switch {
	case d.table != nil:
		maskEach(out, col, func(x T) bool { return d.contains(int64(x)) })
		return
	case d.lo > d.hi:
		fillMask(out, false)
	default:
		maskInterval(col, d.lo, d.hi, out)
	}
	if d.negate {
		for i := range out {
			out[i] = ^out[i]
		}
		vector.Trim(out, len(col))
	}
}

// maskInterval sets out to the integers from lo to hi.
func maskInterval[T int32 | int64 | uint32](col []T, lo, hi int64, out []uint64) {
	width := uint64(hi) - uint64(lo)
	in := func(x T) uint64 { return uint64(vector.B2u(uint64(int64(x))-uint64(lo) <= width)) }
	for w := range out {
		var word uint64
		rest, at := col[w*64:min(w*64+64, len(col))], 0
		for ; len(rest) >= 8; rest, at = rest[8:], at+8 {
			x := (*[8]T)(rest)
			word |= (in(x[0]) | in(x[1])<<1 | in(x[2])<<2 | in(x[3])<<3 | in(x[4])<<4 | in(x[5])<<5 | in(x[6])<<6 | in(x[7])<<7) << (at & 63)
		}
		for j, x := range rest {
			word |= in(x) << ((at + j) & 63)
		}
		out[w] = word
	}
}

// passes reports whether a constant is in the domain.
func (d *domain) passes(v *vector.Vector) bool {
	switch {
	case v.IsNull(0):
		return d.nulls
	case v.Type == kernel.I32:
		return d.contains(int64(vector.Of[int32](v)[0]))
	case v.Type == kernel.I64:
		return d.contains(vector.Of[int64](v)[0])
	case v.Type == kernel.Code:
		return d.contains(int64(vector.Of[uint32](v)[0]))
	}
	return d.containsWide(vector.Of[value.Int128](v)[0])
}

// containsWide reports whether a decimal is in the domain.
func (d *domain) containsWide(x value.Int128) bool {
	if !x.IsInt64() {
		return d.negate || d.lo == math.MinInt64 && x.Hi < 0 || d.hi == math.MaxInt64 && x.Hi >= 0
	}
	return d.contains(int64(x.Lo))
}

// fillMask sets all of out, or nothing.
func fillMask(out []uint64, set bool) {
	var word uint64
	if set {
		word = math.MaxUint64
	}
	for i := range out {
		out[i] = word
	}
}

// maskStored tests an offset encoding; negation is left to the caller.
func maskStored[T uint8 | uint16 | uint32](d *domain, c *runtime.Chunk, col []T, out []uint64) {
	if d.table != nil {
		maskTable(col, d.table, uint64(c.Base)-uint64(d.lo), out)
		return
	}
	top := uint64(^T(0))
	if c.HasRange && c.Nulls == 0 { // what stands for NULL may lie outside of the range
		top = min(top, uint64(c.Max)-uint64(c.Base))
	}
	lo, hi, ok := storedBounds(d, c.Base, top)
	if !ok {
		fillMask(out, false)
		return
	}
	vector.MaskRange(col, T(lo), T(hi), T(top), out)
}

// storedBounds translates an interval into what offset encodings of values
// Base … Base+top hold; ok is false where they have nothing in common.
func storedBounds(d *domain, base int64, top uint64) (lo, hi uint64, ok bool) {
	if d.lo > d.hi || d.hi < base {
		return 0, 0, false
	}
	if d.lo > base {
		lo = uint64(d.lo) - uint64(base)
	}
	hi = min(uint64(d.hi)-uint64(base), top)
	return lo, hi, lo <= hi
}

// maskTable looks each value plus base up in a table; what is not in it does not
// pass.
func maskTable[T vector.Stored](col []T, table []uint8, base uint64, out []uint64) {
	n := uint64(len(table))
	for w := range out {
		var word uint64
		for j, x := range col[w*64 : min(w*64+64, len(col))] {
			if i := uint64(x) + base; i < n {
				word |= uint64(table[i]) << (j & 63)
			}
		}
		out[w] = word
	}
}

// maskInts tests 64-bit integers; negation is left to the caller.
func (d *domain) maskInts(c *runtime.Chunk, col []int64, out []uint64) {
	if d.table != nil {
		maskEach(out, col, d.contains)
		return
	}
	lo, hi := d.lo, d.hi
	if c != nil && c.HasRange {
		lo, hi = max(lo, c.Min), min(hi, c.Max)
	}
	if lo > hi {
		fillMask(out, false)
		return
	}
	full := 0
	if c != nil && c.HasRange && uint64(c.Max)-uint64(c.Min) <= math.MaxInt64 && c.Nulls == 0 {
		full = len(col) / 64
		if full > 0 {
			vector.MaskAny64(unsafe.Slice((*[64]int64)(unsafe.Pointer(&col[0])), full), lo, hi, out)
		}
	}
	maskInterval(col[full*64:], lo, hi, out[full:])
}

// maskEach tests row by row.
func maskEach[T any](out []uint64, col []T, in func(T) bool) {
	clear(out)
	for i, x := range col {
		out[i>>6] |= uint64(vector.B2u(in(x))) << (i & 63)
	}
}

// maskNulls takes the rows that are NULL, from start on, out of the mask or into
// it.
func (d *domain) maskNulls(c *runtime.Chunk, start int, out []uint64) {
	if c.Nulls == 0 || c.Valid == nil {
		return
	}
	for w := range out {
		valid := bitsAt(c.Valid, start+w*64)
		if d.nulls {
			out[w] |= ^valid
		} else {
			out[w] &= valid
		}
	}
}

// bitsAt is the 64 bits of a bitmap from bit i on; what is beyond its end is 0.
func bitsAt(bitmap []byte, i int) uint64 {
	from, shift := i>>3, i&7
	if from+9 <= len(bitmap) {
		word := binary.LittleEndian.Uint64(bitmap[from:]) >> shift
		return word | uint64(bitmap[from+8])<<1<<(63-shift)
	}
	var tail [9]byte
	copy(tail[:], bitmap[min(from, len(bitmap)):])
	return binary.LittleEndian.Uint64(tail[:])>>shift | uint64(tail[8])<<1<<(63-shift)
}

// narrow keeps those of sel that are in the domain, in place. v is raw or
// decoded, and not constant.
func (d *domain) narrow(v *vector.Vector, sel []int32) []int32 {
	if v.Raw == nil {
		switch v.Type {
		case kernel.I32:
			return narrowBy(d, sel, v.Null, vector.Of[int32](v))
		case kernel.I64:
			return narrowBy(d, sel, v.Null, vector.Of[int64](v))
		case kernel.Code:
			return narrowBy(d, sel, v.Null, vector.Of[uint32](v))
		}
		wide := vector.Of[value.Int128](v)
		return keepRows(sel, func(i int32) bool {
			if v.Null != nil && v.Null[i] != 0 {
				return d.nulls
			}
			return d.containsWide(wide[i])
		})
	}
	c := v.Raw
	if v.At == nil && c.Nulls == 0 && d.table == nil {
		flip := int(vector.B2u(d.negate))
		switch c.Enc {
		case runtime.EncU8:
			return narrowStored(d, c.Base, flip, c.U8[v.Start:], sel)
		case runtime.EncU16:
			return narrowStored(d, c.Base, flip, c.U16[v.Start:], sel)
		case runtime.EncU32:
			return narrowStored(d, c.Base, flip, c.U32[v.Start:], sel)
		}
	}
	at := vector.Decoding{Raw: c, Start: v.Start, At: v.At}
	return keepRows(sel, func(i int32) bool {
		p := at.Place(i)
		switch {
		case v.At != nil && v.At[i] < 0 || !c.IsValid(p):
			return d.nulls
		case c.Enc == runtime.EncI128:
			return d.containsWide(c.I128[p])
		}
		return d.contains(c.Int(p))
	})
}

// narrowStored is narrow for offset encodings without NULLs.
func narrowStored[T uint8 | uint16 | uint32](d *domain, base int64, flip int, col []T, sel []int32) []int32 {
	lo, hi, ok := storedBounds(d, base, uint64(^T(0)))
	if !ok {
		if flip == 0 {
			return sel[:0]
		}
		return sel
	}
	n, first, width := 0, T(lo), T(hi-lo)
	for _, i := range sel {
		sel[n] = i
		n += int(vector.B2u(col[i]-first <= width)) ^ flip
	}
	return sel[:n]
}

// narrowBy is narrow for decoded integers.
func narrowBy[T vector.Integer](d *domain, sel []int32, null []uint8, vals []T) []int32 {
	if d.table != nil || null != nil {
		return keepRows(sel, func(i int32) bool {
			if null != nil && null[i] != 0 {
				return d.nulls
			}
			return d.contains(int64(vals[i]))
		})
	}
	n, flip := 0, int(vector.B2u(d.negate))
	if d.lo > d.hi {
		return sel[:len(sel)*flip]
	}
	first, width := uint64(d.lo), uint64(d.hi)-uint64(d.lo)
	for _, i := range sel {
		sel[n] = i
		n += int(vector.B2u(uint64(int64(vals[i]))-first <= width)) ^ flip
	}
	return sel[:n]
}

// keepRows keeps rows one by one.
func keepRows(sel []int32, keep func(i int32) bool) []int32 {
	n := 0
	for _, i := range sel {
		sel[n] = i
		n += int(vector.B2u(keep(i)))
	}
	return sel[:n]
}
