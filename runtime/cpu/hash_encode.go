package cpu

import (
	"unsafe"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// encode puts the keys of n rows together. With strict, values may lie outside
// of the fields' ranges.
func (l *keyLayout) encode(k *keyBatch, n int, keys []*view, strict bool) error {
	k.n, k.miss = n, nil
	for i, v := range keys {
		k.noteMisses(&l.fields[i], v, strict && l.kind != keyBytes)
	}
	switch l.kind {
	case keyWord:
		k.words = l.pack(room(&k.wordBuf, n), 0, keys)
	case keyPair:
		lows := l.pack(room(&k.wordBuf, n), 0, keys)
		highs := l.pack(room(&k.highBuf, n), 1, keys)
		k.pairs = room(&k.pairBuf, n)
		for i := range k.pairs {
			k.pairs[i] = pair{lows[i], highs[i]}
		}
	default:
		return l.encodeBytes(k, keys)
	}
	return nil
}

// noteMisses sets k.miss for rows that have no key.
func (k *keyBatch) noteMisses(f *keyField, v *view, strict bool) {
	if v.null != nil && (!f.nullSafe || strict && f.null == 0) {
		k.missed(v.null)
	}
	if !strict || f.card == 0 || f.typ == kernel.Bool {
		return
	}
	hi := f.lo + int64(f.card-1)
	if v.bounded && v.lo >= f.lo && v.hi <= hi {
		return
	}
	out := make([]uint8, v.n)
	if v.form == formI128 {
		for i, x := range v.i128[:v.n] {
			n, ok := x.Int64()
			out[i] = b2u(!ok || n < f.lo || n > hi)
		}
	} else {
		for i := range out {
			x := v.intAt(i)
			out[i] = b2u(x < f.lo || x > hi)
		}
	}
	for i, null := range v.null {
		out[i] &^= null
	}
	k.missed(out)
}

// missed adds rows to k.miss.
func (k *keyBatch) missed(rows []uint8) {
	if k.miss == nil {
		k.miss = room(&k.missBuf, k.n)
		copy(k.miss, rows)
		return
	}
	for i, x := range rows[:k.n] {
		k.miss[i] |= x
	}
}

// pack fills dst with the fields of one word, or returns a stored column that
// already is the word.
func (l *keyLayout) pack(dst []uint64, word int, keys []*view) []uint64 {
	if v := keys[0]; len(keys) == 1 && v.form == formI64 && v.null == nil && l.fields[0].lo == 0 {
		return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(v.i64))), v.n)
	}
	clear(dst)
	for i, v := range keys {
		if f := &l.fields[i]; f.word == word {
			f.pack(dst, v)
		}
	}
	return dst
}

// pack adds the codes of a field to the words in dst.
func (f *keyField) pack(dst []uint64, v *view) {
	if v.null != nil {
		for i := range dst {
			code := f.null
			if v.null[i] == 0 {
				code = f.code(v, i) - uint64(f.lo)
			}
			dst[i] |= code << f.shift
		}
		return
	}
	add := uint64(v.base) - uint64(f.lo)
	switch v.form {
	case formConst:
		for i := range dst {
			dst[i] |= add << f.shift
		}
	case formU8:
		packInts(dst, v.u8, add, f.shift)
	case formU16:
		packInts(dst, v.u16, add, f.shift)
	case formU32:
		packInts(dst, v.u32, add, f.shift)
	case formI32:
		packInts(dst, v.i32, -uint64(f.lo), f.shift)
	case formI64:
		packInts(dst, v.i64, -uint64(f.lo), f.shift)
	default:
		for i := range dst {
			dst[i] |= (f.code(v, i) - uint64(f.lo)) << f.shift
		}
	}
}

func packInts[V plain](dst []uint64, src []V, add uint64, shift uint) {
	src = src[:len(dst)]
	shift &= 63
	for i, x := range src {
		dst[i] |= (uint64(x) + add) << shift
	}
}

// dropMisses makes misses not found.
func (k *keyBatch) dropMisses(out []uint32) {
	for i, m := range k.miss {
		if m != 0 {
			out[i] = 0
		}
	}
}
