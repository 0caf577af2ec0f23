package keytable

import (
	little "encoding/binary"
	"math"
	"math/bits"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// encodeBytes writes the keys of each row one after the other: for each key a
// byte that is 1 for NULL, else 0 and the value. Equal values have equal bytes.
func (l *Layout) encodeBytes(k *Batch, keys []*vector.View) {
	at := spare.Room(k.Arrays, &k.endBuf, k.N)
	clear(at)
	for i, v := range keys {
		l.Fields[i].addLengths(at, v)
	}
	var total uint64
	for i, n := range at {
		at[i] = uint32(total)
		total += uint64(n)
	}
	if total > math.MaxUint32 {
		panic(value.Errorf(value.CodeProgramLimit, "the keys of %d rows have more than %d bytes", k.N, uint32(math.MaxUint32)))
	}
	k.reserve(int(total))
	k.bytes = k.byteBuf[:total]
	for i, v := range keys {
		l.Fields[i].write(k, at, v)
	}
	k.ends = at
}

// longKey is how many bytes of keys are charged, and how long a text is before which one
// looks at whether to go on.
const longKey = 256 << 10

// reserve makes room for n bytes of keys.
func (k *Batch) reserve(n int) {
	had := cap(k.byteBuf)
	if n <= had {
		return
	}
	room := max(n, 2*had)
	if k.Mem != nil && room > longKey {
		room = n
		sqlstate.Check(k.Mem.Grow(int64(room)))
		if had > longKey {
			k.Mem.Shrink(int64(had))
		}
	}
	k.byteBuf = make([]byte, room)
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
func (f *keyField) addLengths(lengths []uint32, v *vector.View) {
	fixed := fixedBytes(f.typ)
	for i := range lengths {
		lengths[i]++
		if v.Null != nil && v.Null[i] != 0 {
			continue
		}
		lengths[i] += fixed
		if f.typ == kernel.Str {
			lengths[i] = uint32(min(uint64(lengths[i])+uint64(len(v.Str[i])), math.MaxUint32))
		}
	}
}

// write writes a field of each row at its place, and moves the places on.
func (f *keyField) write(k *Batch, at []uint32, v *vector.View) {
	for i := range at {
		p := k.bytes[at[i]:]
		if v.Null != nil && v.Null[i] != 0 {
			p[0] = 1
			at[i]++
			continue
		}
		p[0] = 0
		n := f.writeValue(p[1:], v, i)
		if n > longKey && k.Mem != nil {
			sqlstate.Check(k.Mem.Ended())
		}
		at[i] += 1 + uint32(n)
	}
}

// writeValue writes the value of row i and returns its length.
func (f *keyField) writeValue(p []byte, v *vector.View, i int) int {
	le := little.LittleEndian
	switch f.typ {
	case kernel.Str:
		le.PutUint32(p, uint32(len(v.Str[i])))
		return 4 + long.CopyText(p[4:], v.Str[i])
	case kernel.Num:
		n := v.Num[i].Normalize()
		putInt128(p, n.Coef)
		p[16] = n.Scale
		return 17
	case kernel.Interval:
		putInt128(p, vector.IntervalMicros(v.Intervals[i]))
		return 16
	case kernel.I128:
		var x value.Int128
		if v.Form == vector.FormI128 {
			x = v.I128[i]
		} else {
			n := v.IntAt(i)
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

// HashWord hashes a key of one word. Its high bits are the good ones.
func HashWord(k uint64) uint64 { return (k ^ k>>32) * mixA }

// HashPair hashes a key of two words.
func HashPair(p Pair) uint64 { return HashWord(p.a ^ bits.RotateLeft64(p.b*mixB, 32)) }
