package cpu

import (
	little "encoding/binary"
	"github.com/cubeloom/cubeloom/planner/value/long"
	"math/bits"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/value"
)

// encodeBytes writes the keys of each row one after the other: for each key a
// byte that is 1 for NULL, else 0 and the value. Equal values have equal bytes.
func (l *keyLayout) encodeBytes(k *keyBatch, keys []*view) {
	at := room(&k.endBuf, k.n)
	clear(at)
	for i, v := range keys {
		l.fields[i].addLengths(at, v)
	}
	var total uint32
	for i, n := range at {
		at[i] = total
		total += n
	}
	k.byteBuf = slices.Grow(k.byteBuf[:0], int(total))[:total]
	k.bytes = k.byteBuf
	for i, v := range keys {
		l.fields[i].write(k.bytes, at, v)
	}
	k.ends = at
}

// fixedBytes is the length of a value in a key of bytes; text also has its own
// length.
func fixedBytes(t kernel.Type) uint32 {
	switch t {
	case kernel.I128, kernel.Interval:
		return 16
	case kernel.Num:
		return 17
	case kernel.Str:
		return 4
	}
	return 8
}

// addLengths adds the length of a field to that of each row.
func (f *keyField) addLengths(lengths []uint32, v *view) {
	fixed := fixedBytes(f.typ)
	for i := range lengths {
		lengths[i]++
		if v.null != nil && v.null[i] != 0 {
			continue
		}
		lengths[i] += fixed
		if f.typ == kernel.Str {
			lengths[i] += uint32(len(v.str[i]))
		}
	}
}

// write writes a field of each row at its place, and moves the places on.
func (f *keyField) write(buf []byte, at []uint32, v *view) {
	for i := range at {
		p := buf[at[i]:]
		if v.null != nil && v.null[i] != 0 {
			p[0] = 1
			at[i]++
			continue
		}
		p[0] = 0
		at[i] += 1 + uint32(f.writeValue(p[1:], v, i))
	}
}

// writeValue writes the value of row i and gives its length.
func (f *keyField) writeValue(p []byte, v *view, i int) int {
	le := little.LittleEndian
	switch f.typ {
	case kernel.Str:
		le.PutUint32(p, uint32(len(v.str[i])))
		return 4 + long.CopyText(p[4:], v.str[i])
	case kernel.Num:
		n := v.num[i].Normalize()
		putInt128(p, n.Coef)
		p[16] = n.Scale
		return 17
	case kernel.Interval:
		putInt128(p, spanMicros(v.spans[i]))
		return 16
	case kernel.I128:
		var x value.Int128
		if v.form == formI128 {
			x = v.i128[i]
		} else {
			n := v.intAt(i)
			x = value.Int128{Lo: uint64(n), Hi: n >> 63}
		}
		putInt128(p, x)
		return 16
	}
	le.PutUint64(p, f.code(v, i))
	return 8
}

func putInt128(p []byte, x value.Int128) {
	little.LittleEndian.PutUint64(p, x.Lo)
	little.LittleEndian.PutUint64(p[8:], uint64(x.Hi))
}

// hashBytes hashes a key of bytes.
func hashBytes(p []byte) uint64 {
	h := uint64(len(p)) * mixA
	for len(p) >= 8 {
		h = fold128(h^little.LittleEndian.Uint64(p), mixB)
		p = p[8:]
	}
	var tail uint64
	for i, c := range p {
		tail |= uint64(c) << (8 * i)
	}
	return fold128(h^tail, mixA)
}

// The multipliers of the hash functions: odd, with no pattern in their bits.
const (
	mixA = 0x9e3779b97f4a7c15
	mixB = 0xd6e8feb86659fd93
)

// fold128 multiplies and brings the halves of the product together.
func fold128(x, y uint64) uint64 {
	hi, lo := bits.Mul64(x, y)
	return hi ^ lo
}

// hashWord hashes a key of one word. Its high bits are the good ones.
func hashWord(k uint64) uint64 { return (k ^ k>>32) * mixA }

// hashPair hashes a key of two words.
func hashPair(p pair) uint64 { return hashWord(p.a ^ bits.RotateLeft64(p.b*mixB, 32)) }
