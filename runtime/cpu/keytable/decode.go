package keytable

import (
	little "encoding/binary"
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Decode returns the keys of a batch as columns. Those whose bytes do not tell the
// value (numerics and intervals, of which several that look different are
// equal) are nil. dicts are the dictionaries of codes, by key. The columns are in arrays.
func (l *Layout) Decode(k *Batch, dicts []*runtime.Dictionary, arrays *spare.Arrays) []*runtime.Chunk {
	cols := make([]*runtime.Chunk, len(l.Fields))
	var at []uint32 // Bytes: where the next field of each row begins
	if l.Kind == Bytes {
		at = make([]uint32, k.N)
		copy(at[min(1, k.N):], k.ends)
	}
	for i := range l.Fields {
		f := &l.Fields[i]
		switch {
		case l.Kind == Bytes:
			cols[i] = f.decodeBytes(k.bytes, at, dicts[i], arrays)
		case l.Kind == Word:
			cols[i] = f.decodeCodes(k.Words, dicts[i], arrays)
		default:
			cols[i] = f.decodeCodes(k.halves(f.word), dicts[i], arrays)
		}
	}
	return cols
}

// halves are words of the keys' pairs, in a buffer of the batch.
func (k *Batch) halves(word int) []uint64 {
	words := spare.Room(k.Arrays, &k.highBuf, k.N)
	for i, p := range k.Pairs {
		words[i] = p.a
		if word == 1 {
			words[i] = p.b
		}
	}
	return words
}

// mask selects a field's bits after shifting.
func (f *keyField) mask() uint64 { return math.MaxUint64 >> (64 - f.bits) }

// decodeCodes takes a field out of words.
func (f *keyField) decodeCodes(words []uint64, dict *runtime.Dictionary, arrays *spare.Arrays) *runtime.Chunk {
	c := &runtime.Chunk{Type: f.typ, Rows: len(words), Base: f.lo, Dict: dict}
	if f.null != 0 {
		f.decodeNulls(c, words)
	}
	switch {
	case f.typ == kernel.F64:
		c.Enc, c.F64 = runtime.EncF64, make([]float64, len(words))
		for i, w := range words {
			c.F64[i] = math.Float64frombits(w >> f.shift)
		}
	case f.typ == kernel.Bool:
		c.Enc, c.Bits = runtime.EncBits, make([]byte, (len(words)+7)/8)
		for i, w := range words {
			c.Bits[i>>3] |= byte(w>>f.shift&1) << (i & 7)
		}
	case f.card == 0 || f.card > 1<<16:
		return f.decodeWide(c, words, arrays)
	default:
		c.HasRange, c.Min, c.Max = true, f.lo, f.lo+int64(f.card-1)
		switch {
		case f.card == 1:
			c.Enc = runtime.EncConst
		case f.card <= 1<<8:
			c.Enc, c.U8 = runtime.EncU8, takeBits[uint8](words, f, arrays)
		default:
			c.Enc, c.U16 = runtime.EncU16, takeBits[uint16](words, f, arrays)
		}
	}
	return c
}

// takeBits shifts a field down.
func takeBits[S uint8 | uint16](words []uint64, f *keyField, arrays *spare.Arrays) []S {
	dst := spare.New[S](arrays, len(words))
	mask, shift := f.mask(), f.shift&63
	for i, w := range words {
		dst[i] = S(w >> shift & mask)
	}
	return dst
}

// decodeWide takes integers of a wide range out of words, and stores them as
// narrow as they are.
func (f *keyField) decodeWide(c *runtime.Chunk, words []uint64, arrays *spare.Arrays) *runtime.Chunk {
	vals := spare.New[int64](arrays, len(words))
	defer spare.Release(arrays, vals)
	mask, shift := f.mask(), f.shift&63
	for i, w := range words {
		vals[i] = int64(w>>shift&mask) + f.lo
	}
	d := vector.NarrowGather(f.typ, vals, vector.IdentityGroups(len(vals)), c.Valid, c.Nulls, arrays)
	d.Dict = c.Dict
	return d
}

// decodeNulls sets the validity of c.
func (f *keyField) decodeNulls(c *runtime.Chunk, words []uint64) {
	mask := f.mask()
	for i, w := range words {
		if w>>f.shift&mask != f.null {
			continue
		}
		if c.Valid == nil {
			c.Valid = vector.AllValid(len(words))
		}
		c.Valid[i>>3] &^= 1 << (i & 7)
		c.Nulls++
	}
}

// decodeBytes takes the field that begins at at[i] of each row, and moves at on.
func (f *keyField) decodeBytes(buf []byte, at []uint32, dict *runtime.Dictionary, arrays *spare.Arrays) *runtime.Chunk {
	if f.typ == kernel.Str {
		return decodeTexts(buf, at, arrays)
	}
	v := vector.New(f.typ, len(at))
	v.Dict = dict
	null := make([]uint8, len(at))
	v.Null = null
	put := f.putter(v)
	for i, start := range at {
		p := buf[start:]
		null[i] = p[0]
		at[i]++
		if p[0] != 0 {
			continue
		}
		p = p[1:]
		at[i] += fixedBytes(f.typ)
		put(i, p)
	}
	if f.typ == kernel.Num || f.typ == kernel.Interval {
		return nil
	}
	return vector.Encode(v, len(at))
}

// putter returns what sets a row of v to the bytes of a key.
func (f *keyField) putter(v *vector.Vector) func(i int, p []byte) {
	switch le := little.LittleEndian; f.typ {
	case kernel.I128:
		return decodeTo(v, func(p []byte) value.Int128 { return value.Int128{Lo: le.Uint64(p), Hi: int64(le.Uint64(p[8:]))} })
	case kernel.F64:
		return decodeTo(v, func(p []byte) float64 { return math.Float64frombits(le.Uint64(p)) })
	case kernel.Bool:
		return decodeTo(v, func(p []byte) uint8 { return p[0] })
	case kernel.I32:
		return decodeTo(v, func(p []byte) int32 { return int32(le.Uint64(p)) })
	case kernel.I64:
		return decodeTo(v, func(p []byte) int64 { return int64(le.Uint64(p)) })
	case kernel.Code:
		return decodeTo(v, func(p []byte) uint32 { return uint32(le.Uint64(p)) })
	}
	return func(int, []byte) {}
}

func decodeTo[T any](v *vector.Vector, read func([]byte) T) func(i int, p []byte) {
	dst := vector.Of[T](v)
	return func(i int, p []byte) { dst[i] = read(p) }
}

// decodeTexts is decodeBytes for texts.
func decodeTexts(buf []byte, at []uint32, arrays *spare.Arrays) *runtime.Chunk {
	le := little.LittleEndian
	null := make([]uint8, len(at))
	size := 0
	for i, start := range at {
		if null[i] = buf[start]; null[i] == 0 {
			size += int(le.Uint32(buf[start+1:]))
		}
	}
	c := &runtime.Chunk{Type: kernel.Str, Enc: runtime.EncStr, Rows: len(at)}
	vector.EncodeNulls(c, null, len(at))
	c.Offsets, c.Bytes = append(spare.New[uint32](arrays, len(at)+1)[:0], 0), spare.New[byte](arrays, size)[:0]
	for i, start := range at {
		at[i]++
		if null[i] == 0 {
			text := buf[start+1:]
			n := le.Uint32(text)
			c.Bytes = append(c.Bytes, text[4:4+n]...)
			at[i] += 4 + n
		}
		c.Offsets = append(c.Offsets, uint32(len(c.Bytes)))
	}
	return c
}
