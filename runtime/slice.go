package runtime

import (
	"math/bits"
	"unsafe"
)

// Slice is rows from to to-1 of the chunk, which keep its bounds and are not copied, but
// for bitmaps where from is no multiple of eight.
func (c *Chunk) Slice(from, to int) *Chunk {
	if from == 0 && to == c.Rows {
		return c
	}
	s := *c
	s.Rows = to - from
	s.U8, s.U16, s.U32 = part(c.U8, from, to), part(c.U16, from, to), part(c.U32, from, to)
	s.I64, s.I128, s.F64 = part(c.I64, from, to), part(c.I128, from, to), part(c.F64, from, to)
	s.Nums, s.Intervals = part(c.Nums, from, to), part(c.Intervals, from, to)
	s.Offsets = part(c.Offsets, from, to+1)
	s.Bits, s.Valid = partOfBits(c.Bits, from, to), partOfBits(c.Valid, from, to)
	if s.Valid != nil {
		s.Nulls = ClearBits(c.Valid, from, to)
		s.HasRange = c.HasRange && s.Nulls < s.Rows
	}
	return &s
}

// part is elements from to to-1 of s, nil of nil.
func part[T any](s []T, from, to int) []T {
	if s == nil {
		return nil
	}
	return s[from:to]
}

// partOfBits is bits from to to-1 of a bitmap, nil of nil.
func partOfBits(bitmap []byte, from, to int) []byte {
	if bitmap == nil || from%8 == 0 {
		return part(bitmap, from/8, (to+7)/8)
	}
	out := make([]byte, (to-from+7)/8)
	for i := from; i < to; i++ {
		out[(i-from)>>3] |= bitmap[i>>3] >> (i & 7) & 1 << ((i - from) & 7)
	}
	return out
}

// ClearBits counts the zeros among bits from to to-1 of a bitmap: the rows that are NULL.
func ClearBits(bitmap []byte, from, to int) int {
	n := 0
	for i := from; i < to; {
		if i&7 == 0 && to-i >= 8 {
			n += 8 - bits.OnesCount8(bitmap[i>>3])
			i += 8
			continue
		}
		n += 1 - int(bitmap[i>>3]>>(i&7)&1)
		i++
	}
	return n
}

// bytesText is b as a string that shares its memory, which never changes: the
// bytes of a Chunk are immutable.
func bytesText(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// textBytes is the other way round: the bytes must not be changed.
func textBytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
