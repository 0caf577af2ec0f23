package value

import (
	"math"
	"math/bits"
	"strconv"
)

// uint128 is an unsigned 128-bit integer: the magnitude of an Int128, and half
// of the 256-bit products and dividends of numeric arithmetic.
type uint128 struct {
	hi, lo uint64
}

func (u uint128) less(v uint128) bool {
	return u.hi < v.hi || u.hi == v.hi && u.lo < v.lo
}

func (u uint128) add(v uint128) uint128 {
	lo, carry := bits.Add64(u.lo, v.lo, 0)
	hi, _ := bits.Add64(u.hi, v.hi, carry)
	return uint128{hi: hi, lo: lo}
}

func (u uint128) sub(v uint128) uint128 {
	lo, borrow := bits.Sub64(u.lo, v.lo, 0)
	hi, _ := bits.Sub64(u.hi, v.hi, borrow)
	return uint128{hi: hi, lo: lo}
}

func (u uint128) isZero() bool { return u.hi|u.lo == 0 }

// shl is u<<n for n < 64.
func (u uint128) shl(n uint) uint128 {
	return uint128{hi: u.hi<<n | u.lo>>(64-n), lo: u.lo << n}
}

// shr is u>>n for n < 64.
func (u uint128) shr(n uint) uint128 {
	return uint128{hi: u.hi >> n, lo: u.lo>>n | u.hi<<(64-n)}
}

// mul128 is the 256-bit product of u and v.
func mul128(u, v uint128) (hi, lo uint128) {
	h00, l00 := bits.Mul64(u.lo, v.lo)
	if u.hi|v.hi == 0 {
		return uint128{}, uint128{hi: h00, lo: l00}
	}
	h01, l01 := bits.Mul64(u.lo, v.hi)
	h10, l10 := bits.Mul64(u.hi, v.lo)
	h11, l11 := bits.Mul64(u.hi, v.hi)
	lo.lo = l00
	var c1, c2 uint64
	lo.hi, c1 = bits.Add64(h00, l01, 0)
	lo.hi, c2 = bits.Add64(lo.hi, l10, 0)
	hi.lo, c1 = bits.Add64(h01, h10, c1)
	var c3 uint64
	hi.lo, c3 = bits.Add64(hi.lo, l11, c2)
	hi.hi = h11 + c1 + c3
	return hi, lo
}

// quoRem divides u by v, which is not zero.
func (u uint128) quoRem(v uint128) (quo, rem uint128) {
	switch {
	case u.less(v):
		return uint128{}, u
	case v.hi == 0 && u.hi == 0:
		return uint128{lo: u.lo / v.lo}, uint128{lo: u.lo % v.lo}
	case v.hi == 0:
		quo.hi, rem.lo = u.hi/v.lo, u.hi%v.lo
		quo.lo, rem.lo = bits.Div64(rem.lo, u.lo, v.lo)
		return quo, rem
	}
	return quoRem256(uint128{}, u, v)
}

// quoRem256 divides the 256-bit hi:lo by v, where hi < v, so that the quotient
// fits. It is long division with 64-bit digits (Knuth's algorithm D).
func quoRem256(hi, lo, v uint128) (quo, rem uint128) {
	if v.hi == 0 {
		// hi < v: hi is one digit, and so are both steps' remainders.
		quo.hi, rem.lo = bits.Div64(hi.lo, lo.hi, v.lo)
		quo.lo, rem.lo = bits.Div64(rem.lo, lo.lo, v.lo)
		return quo, rem
	}
	shift := uint(bits.LeadingZeros64(v.hi))
	v = v.shl(shift)
	if shift > 0 {
		hi = hi.shl(shift)
		hi.lo |= lo.hi >> (64 - shift)
		lo = lo.shl(shift)
	}
	quo.hi, rem = quoDigit(hi, lo.hi, v)
	quo.lo, rem = quoDigit(rem, lo.lo, v)
	return quo, rem.shr(shift)
}

// quoDigit divides the three digits top:low by v, where top < v and v's
// leading bit is set.
func quoDigit(top uint128, low uint64, v uint128) (digit uint64, rem uint128) {
	if top.hi >= v.hi {
		// The quotient of the leading digits would overflow: it is at most
		// 2^64-1, and top.hi == v.hi since top < v.
		digit = math.MaxUint64
	} else {
		digit, _ = bits.Div64(top.hi, top.lo, v.hi)
	}
	// rem = top:low - digit*v in three digits, of which the first is a borrow:
	// the estimate is at most two too large.
	h0, l0 := bits.Mul64(digit, v.lo)
	h1, l1 := bits.Mul64(digit, v.hi)
	mid, carry := bits.Add64(h0, l1, 0)
	over := h1 + carry
	r0, borrow := bits.Sub64(low, l0, 0)
	r1, borrow := bits.Sub64(top.lo, mid, borrow)
	r2, _ := bits.Sub64(top.hi, over, borrow)
	for r2 != 0 {
		digit--
		var c uint64
		r0, c = bits.Add64(r0, v.lo, 0)
		r1, c = bits.Add64(r1, v.hi, c)
		r2 += c
	}
	return digit, uint128{hi: r1, lo: r0}
}

// sqrtRound is the integer nearest to the square root of u.
func (u uint128) sqrtRound() uint128 {
	if u.isZero() {
		return u
	}
	root := uint64(math.MaxUint64)
	if near := math.Sqrt(u.float64()); near < math.MaxUint64 {
		root = max(uint64(near), 1)
	}
	// A step of Newton's method, which doubles the digits that are right.
	if quo, _ := u.quoRem(uint128{lo: root}); quo.hi == 0 {
		sum, carry := bits.Add64(root, quo.lo, 0)
		root = sum>>1 | carry<<63
	}
	square := func(x uint64) uint128 { _, lo := mul128(uint128{lo: x}, uint128{lo: x}); return lo }
	for u.less(square(root)) {
		root--
	}
	for root < math.MaxUint64 && !u.less(square(root+1)) {
		root++
	}
	// (root+1/2)² = root² + root + 1/4: above it the remainder exceeds root.
	out := uint128{lo: root}
	if out.less(u.sub(square(root))) {
		out = out.add(uint128{lo: 1})
	}
	return out
}

// float64 is the float64 nearest to u, ties to even.
func (u uint128) float64() float64 {
	if u.hi == 0 {
		return float64(u.lo)
	}
	// Keep the leading 64 bits, with a sticky last bit for what is cut off:
	// rounding those 64 to 53 then rounds u.
	n := uint(bits.Len64(u.hi))
	top := u.hi<<(64-n) | u.lo>>n
	if u.lo<<(64-n) != 0 {
		top |= 1
	}
	return math.Ldexp(float64(top), int(n))
}

// digits is the number of decimal digits of u, 0 for 0.
func (u uint128) digits() int {
	bitLen := bits.Len64(u.lo)
	if u.hi != 0 {
		bitLen = 64 + bits.Len64(u.hi)
	}
	// bitLen*log10(2) rounded down is the number of digits or one too few.
	n := bitLen * 1233 >> 12
	if n < len(pow10) && !u.less(pow10[n]) {
		n++
	}
	return n
}

// DigitsOf is the number of decimal digits of u, 1 for 0.
func DigitsOf(u uint64) int { return max(uint128{lo: u}.digits(), 1) }

// IntegerLength is the length of an integer's text.
func IntegerLength(n int64) int {
	if n < 0 {
		return 1 + DigitsOf(-uint64(n))
	}
	return DigitsOf(uint64(n))
}

// append appends u in decimal to dst.
func (u uint128) append(dst []byte) []byte {
	const chunk = 1e19
	if u.hi == 0 {
		return strconv.AppendUint(dst, u.lo, 10)
	}
	q, r := u.quoRem(uint128{lo: chunk})
	dst = q.append(dst)
	return appendPadded(dst, r.lo, 19)
}

// MaxDigits is the largest number of decimal digits of a Num, and the largest
// precision of a numeric type.
const MaxDigits = 38

// pow10 holds the powers of ten that fit in 128 bits, signed or not.
var pow10 = powersOfTen()

func powersOfTen() (p [MaxDigits + 1]uint128) {
	p[0] = uint128{lo: 1}
	for i := 1; i < len(p); i++ {
		_, p[i] = mul128(p[i-1], uint128{lo: 10})
	}
	return p
}

// Pow10 is 10^k for k in 0..38.
func Pow10(k int) Int128 {
	return Int128{Lo: pow10[k].lo, Hi: int64(pow10[k].hi)}
}

// pow10Int64 holds the powers of ten that fit in 64 bits.
var pow10Int64 = [...]int64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
	1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
}

// Pow10Int64 is 10^k for k in 0..18.
func Pow10Int64(k int) int64 { return pow10Int64[k] }
