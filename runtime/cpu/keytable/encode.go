package keytable

import (
	"unsafe"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// Encode puts the keys of n rows together. With strict, values may lie outside
// of the fields' ranges.
func (l *Layout) Encode(k *Batch, n int, keys []*vector.View, strict bool) {
	k.N, k.Miss = n, nil
	for i, v := range keys {
		k.noteMisses(&l.Fields[i], v, strict && l.Kind != Bytes)
	}
	switch l.Kind {
	case Word:
		k.Words = l.pack(spare.Room(k.Arrays, &k.wordBuf, n), 0, keys)
	case TwoWords:
		lows := l.pack(spare.Room(k.Arrays, &k.wordBuf, n), 0, keys)
		highs := l.pack(spare.Room(k.Arrays, &k.highBuf, n), 1, keys)
		k.Pairs = spare.Room(k.Arrays, &k.pairBuf, n)
		for i := range k.Pairs {
			k.Pairs[i] = Pair{lows[i], highs[i]}
		}
	default:
		l.encodeBytes(k, keys)
	}
}

// noteMisses sets k.miss for rows that have no key.
func (k *Batch) noteMisses(f *keyField, v *vector.View, strict bool) {
	if v.Null != nil && (!f.NullSafe || strict && f.null == 0) {
		k.missed(v.Null)
	}
	if !strict || f.card == 0 || f.typ == kernel.Bool {
		return
	}
	hi := f.lo + int64(f.card-1)
	if v.Bounded && v.Lo >= f.lo && v.Hi <= hi {
		return
	}
	out := make([]uint8, v.N)
	if v.Form == vector.FormI128 {
		for i, x := range v.I128[:v.N] {
			n, ok := x.Int64()
			out[i] = vector.B2u(!ok || n < f.lo || n > hi)
		}
	} else {
		for i := range out {
			x := v.IntAt(i)
			out[i] = vector.B2u(x < f.lo || x > hi)
		}
	}
	for i, null := range v.Null {
		out[i] &^= null
	}
	k.missed(out)
}

// missed adds rows to k.miss.
func (k *Batch) missed(rows []uint8) {
	if k.Miss == nil {
		k.Miss = spare.Room(k.Arrays, &k.missBuf, k.N)
		copy(k.Miss, rows)
		return
	}
	for i, x := range rows[:k.N] {
		k.Miss[i] |= x
	}
}

// pack fills dst with the fields of one word, or returns a stored column that
// already is the word.
func (l *Layout) pack(dst []uint64, word int, keys []*vector.View) []uint64 {
	if v := keys[0]; len(keys) == 1 && v.Form == vector.FormI64 && v.Null == nil && l.Fields[0].lo == 0 {
		return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(v.I64))), v.N)
	}
	clear(dst)
	for i, v := range keys {
		if f := &l.Fields[i]; f.word == word {
			f.pack(dst, v)
		}
	}
	return dst
}

// pack adds the codes of a field to the words in dst.
func (f *keyField) pack(dst []uint64, v *vector.View) {
	if v.Null != nil {
		for i := range dst {
			code := f.null
			if v.Null[i] == 0 {
				code = f.code(v, i) - uint64(f.lo)
			}
			dst[i] |= code << f.shift
		}
		return
	}
	add := uint64(v.Base) - uint64(f.lo)
	switch v.Form {
	case vector.FormConst:
		for i := range dst {
			dst[i] |= add << f.shift
		}
	case vector.FormU8:
		packInts(dst, v.U8, add, f.shift)
	case vector.FormU16:
		packInts(dst, v.U16, add, f.shift)
	case vector.FormU32:
		packInts(dst, v.U32, add, f.shift)
	case vector.FormI32:
		packInts(dst, v.I32, -uint64(f.lo), f.shift)
	case vector.FormI64:
		packInts(dst, v.I64, -uint64(f.lo), f.shift)
	default:
		for i := range dst {
			dst[i] |= (f.code(v, i) - uint64(f.lo)) << f.shift
		}
	}
}

func packInts[V vector.Plain](dst []uint64, src []V, add uint64, shift uint) {
	src = src[:len(dst)]
	shift &= 63
	for i, x := range src {
		dst[i] |= (uint64(x) + add) << shift
	}
}

// dropMisses makes misses not found.
func (k *Batch) dropMisses(out []uint32) {
	for i, m := range k.Miss {
		if m != 0 {
			out[i] = 0
		}
	}
}
