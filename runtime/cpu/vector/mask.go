package vector

import (
	"math/bits"
	"unsafe"
)

// A mask has bit i%64 of word i/64 set for each row i of a batch that is
// selected. Filters on stored columns make masks, several rows at a time in the
// lanes of a 64-bit register where the storage is narrow.
//
// A lane is tested by subtraction: with its highest bit set beforehand, the bit
// survives where the lane is at least the subtrahend. That needs values with
// the highest bit clear, which statistics prove of nearly every column; the
// others take a longer way. The surviving bits are gathered to the top of the
// register by a multiplication.

// MaskWords is the number of words for n rows.
func MaskWords(n int) int { return (n + 63) / 64 }

// The lowest and the highest bit of each lane of a width, and the factor that
// brings the lowest bits to the top of the register, lane 0 lowest.
const (
	ones8    = 0x0101010101010101
	high8    = 0x8080808080808080
	gather8  = 0x0102040810204080
	ones16   = 0x0001000100010001
	high16   = 0x8000800080008000
	gather16 = 1<<60 | 1<<45 | 1<<30 | 1<<15
	ones32   = 0x0000000100000001
)

// MaskRange sets out for the rows x with lo ≤ x ≤ hi, where lo ≤ hi. top is the
// largest value that col holds, or anything larger.
func MaskRange[T uint8 | uint16 | uint32](col []T, lo, hi, top T, out []uint64) {
	full := len(col) / 64
	if full > 0 {
		low := top <= ^T(0)>>1
		switch any(lo).(type) {
		case uint8:
			c := unsafe.Slice((*[8]uint64)(unsafe.Pointer(&col[0])), full)
			if low {
				maskLow8(c, uint64(lo), uint64(hi), out)
			} else {
				maskAny8(c, uint64(lo), uint64(hi), out)
			}
		case uint16:
			c := unsafe.Slice((*[16]uint64)(unsafe.Pointer(&col[0])), full)
			if low {
				maskLow16(c, uint64(lo), uint64(hi), out)
			} else {
				maskAny16(c, uint64(lo), uint64(hi), out)
			}
		case uint32:
			c := unsafe.Slice((*[64]uint32)(unsafe.Pointer(&col[0])), full)
			maskAny32(c, int64(lo), int64(hi), out)
		}
	}
	if tail := col[full*64:]; len(tail) > 0 {
		var word uint64
		for j, x := range tail {
			word |= uint64(B2u(x-lo <= hi-lo)) << j
		}
		out[full] = word
	}
}

// maskLow8 tests bytes below 128.
func maskLow8(col [][8]uint64, lo, hi uint64, out []uint64) {
	l, h := lo*ones8, hi*ones8|high8
	out = out[:len(col)]
	for w := range col {
		var word uint64
		for _, x := range &col[w] {
			t := ((x | high8) - l) & (h - x) & high8
			word = word>>8 | t>>7*gather8&(0xff<<56)
		}
		out[w] = word
	}
}

// maskAny8 tests any bytes.
func maskAny8(col [][8]uint64, lo, hi uint64, out []uint64) {
	l, h := lo*ones8, hi*ones8
	out = out[:len(col)]
	for w := range col {
		var word uint64
		for _, x := range &col[w] {
			t := atLeast(x, l, high8) & atLeast(h, x, high8) & high8
			word = word>>8 | t>>7*gather8&(0xff<<56)
		}
		out[w] = word
	}
}

// maskLow16 tests 16-bit values below 2^15.
func maskLow16(col [][16]uint64, lo, hi uint64, out []uint64) {
	l, h := lo*ones16, hi*ones16|high16
	out = out[:len(col)]
	for w := range col {
		var word uint64
		for _, x := range &col[w] {
			t := ((x | high16) - l) & (h - x) & high16
			word = word>>4 | t>>15*gather16&(0xf<<60)
		}
		out[w] = word
	}
}

// maskAny16 tests any 16-bit values.
func maskAny16(col [][16]uint64, lo, hi uint64, out []uint64) {
	l, h := lo*ones16, hi*ones16
	out = out[:len(col)]
	for w := range col {
		var word uint64
		for _, x := range &col[w] {
			t := atLeast(x, l, high16) & atLeast(h, x, high16) & high16
			word = word>>4 | t>>15*gather16&(0xf<<60)
		}
		out[w] = word
	}
}

// atLeast has the highest bit of each lane set where x's is at least y's; the
// other bits are of no account.
func atLeast(x, y, high uint64) uint64 {
	t := (x | high) - (y &^ high)
	return x&^y | ^(x^y)&t
}

// maskAny32 tests any 32-bit values, one by one.
func maskAny32(col [][64]uint32, lo, hi int64, out []uint64) {
	out = out[:len(col)]
	for w := range col {
		var word uint64
		for i := 0; i < 64; i += 4 {
			c := (*[4]uint32)(col[w][i:])
			word = word>>4 | outside(int64(c[0]), lo, hi)>>3 | outside(int64(c[1]), lo, hi)>>2 |
				outside(int64(c[2]), lo, hi)>>1 | outside(int64(c[3]), lo, hi)
		}
		out[w] = ^word
	}
}

// MaskAny64 tests 64-bit values whose differences from the bounds fit an int64.
func MaskAny64(col [][64]int64, lo, hi int64, out []uint64) {
	out = out[:len(col)]
	for w := range col {
		var word uint64
		for i := 0; i < 64; i += 4 {
			c := (*[4]int64)(col[w][i:])
			word = word>>4 | outside(c[0], lo, hi)>>3 | outside(c[1], lo, hi)>>2 |
				outside(c[2], lo, hi)>>1 | outside(c[3], lo, hi)
		}
		out[w] = ^word
	}
}

// outside has the highest bit set where x is not in lo … hi, and no other.
func outside(x, lo, hi int64) uint64 { return uint64((x-lo)|(hi-x)) & (1 << 63) }

// sparseBits is up to how many bits of a word are listed one after the other.
const sparseBits = 16

// MaskRows lists the rows of a mask. rows has room for all rows of the batch
// and 8 more.
func MaskRows(mask []uint64, rows []int32) []int32 {
	n := 0
	for w, word := range mask {
		base := int32(w * 64)
		if bits.OnesCount64(word) <= sparseBits {
			for ; word != 0; word &= word - 1 {
				rows[n] = base + int32(bits.TrailingZeros64(word))
				n++
			}
			continue
		}
		// Eight rows at a time, two to a register.
		at := uint64(base) * ones32
		for range 8 {
			p := &positions[uint8(word)]
			r := (*[4]uint64)(unsafe.Pointer((*[8]int32)(rows[n:])))
			r[0], r[1], r[2], r[3] = p[0]+at, p[1]+at, p[2]+at, p[3]+at
			n += int(p[4])
			at += 8 * ones32
			word >>= 8
		}
	}
	return rows[:n]
}

// positions has, for each byte, the places of its bits, lowest first, two to a
// word, and their number.
var positions = func() (table [256][5]uint64) {
	for b := range table {
		n := 0
		for k := range uint64(8) {
			if b>>k&1 != 0 {
				table[b][n/2] |= k << (32 * (n % 2))
				n++
			}
		}
		table[b][4] = uint64(n)
	}
	return table
}()

// Trim clears the bits of a mask that are beyond its rows.
func Trim(mask []uint64, rows int) {
	if tail := rows & 63; tail != 0 {
		mask[len(mask)-1] &= 1<<tail - 1
	}
}
