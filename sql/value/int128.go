package value

import (
	"math"
	"math/big"
	"math/bits"
)

// The extremes of Int128.
var (
	MaxInt128 = Int128{Lo: math.MaxUint64, Hi: math.MaxInt64}
	MinInt128 = Int128{Lo: 0, Hi: math.MinInt64}
)

// Int128Of widens x.
func Int128Of(x int64) Int128 { return Int128{Lo: uint64(x), Hi: x >> 63} }

// Mul64 is the product of two 64-bit integers; it always fits.
func Mul64(x, y int64) Int128 {
	hi, lo := bits.Mul64(uint64(x), uint64(y))
	return Int128{Lo: lo, Hi: int64(hi) - (x>>63)&y - (y>>63)&x}
}

// AddWrap is x+y modulo 2^128, for sums that are known to fit.
func (x Int128) AddWrap(y Int128) Int128 {
	lo, carry := bits.Add64(x.Lo, y.Lo, 0)
	hi, _ := bits.Add64(uint64(x.Hi), uint64(y.Hi), carry)
	return Int128{Lo: lo, Hi: int64(hi)}
}

// SubWrap is x-y modulo 2^128, for differences that are known to fit.
func (x Int128) SubWrap(y Int128) Int128 {
	lo, borrow := bits.Sub64(x.Lo, y.Lo, 0)
	hi, _ := bits.Sub64(uint64(x.Hi), uint64(y.Hi), borrow)
	return Int128{Lo: lo, Hi: int64(hi)}
}

// Add is x+y; ok is false when the sum does not fit.
func (x Int128) Add(y Int128) (sum Int128, ok bool) {
	sum = x.AddWrap(y)
	return sum, (x.Hi^sum.Hi)&(y.Hi^sum.Hi) >= 0
}

// Sub is x-y; ok is false when the difference does not fit.
func (x Int128) Sub(y Int128) (diff Int128, ok bool) {
	diff = x.SubWrap(y)
	return diff, (x.Hi^y.Hi)&(x.Hi^diff.Hi) >= 0
}

// Neg is -x; ok is false for MinInt128 alone.
func (x Int128) Neg() (neg Int128, ok bool) {
	return Int128{}.SubWrap(x), x != MinInt128
}

// Abs is |x|; ok is false for MinInt128 alone.
func (x Int128) Abs() (abs Int128, ok bool) {
	if x.Hi < 0 {
		return x.Neg()
	}
	return x, true
}

// Mul is x*y; ok is false when the product does not fit.
func (x Int128) Mul(y Int128) (product Int128, ok bool) {
	if x.IsInt64() && y.IsInt64() {
		return Mul64(int64(x.Lo), int64(y.Lo)), true
	}
	hi, lo := mul128(x.magnitude(), y.magnitude())
	return lo.signed(x.Hi^y.Hi < 0, hi == uint128{})
}

// QuoRem divides toward zero: x = quo*y + rem, and rem has the sign of x.
// y must not be zero; ok is false for MinInt128 / -1 alone.
func (x Int128) QuoRem(y Int128) (quo, rem Int128, ok bool) {
	if x.IsInt64() && y.IsInt64() && int64(x.Lo) != math.MinInt64 {
		a, b := int64(x.Lo), int64(y.Lo)
		return Int128Of(a / b), Int128Of(a % b), true
	}
	q, r := x.magnitude().quoRem(y.magnitude())
	quo, ok = q.signed(x.Hi^y.Hi < 0, true)
	rem, _ = r.signed(x.Hi < 0, true)
	return quo, rem, ok
}

// Cmp is -1, 0 or 1 as x is less than, equal to or greater than y.
func (x Int128) Cmp(y Int128) int {
	switch {
	case x.Less(y):
		return -1
	case x == y:
		return 0
	}
	return 1
}

// Less reports whether x < y.
func (x Int128) Less(y Int128) bool {
	return x.Hi < y.Hi || x.Hi == y.Hi && x.Lo < y.Lo
}

// Sign is -1, 0 or 1.
func (x Int128) Sign() int {
	switch {
	case x.Hi < 0:
		return -1
	case x == Int128{}:
		return 0
	}
	return 1
}

// IsInt64 reports whether x fits in an int64.
func (x Int128) IsInt64() bool { return x.Hi == int64(x.Lo)>>63 }

// Int64 is x as an int64; ok is false when it does not fit.
func (x Int128) Int64() (v int64, ok bool) { return int64(x.Lo), x.IsInt64() }

// Float64 is the float64 nearest to x, ties to even.
func (x Int128) Float64() float64 {
	if x.IsInt64() {
		return float64(int64(x.Lo))
	}
	f := x.magnitude().float64()
	if x.Hi < 0 {
		return -f
	}
	return f
}

// Big is x as a new big.Int.
func (x Int128) Big() *big.Int {
	u := x.magnitude()
	b := new(big.Int).SetUint64(u.hi)
	b.Lsh(b, 64).Or(b, new(big.Int).SetUint64(u.lo))
	if x.Hi < 0 {
		b.Neg(b)
	}
	return b
}

// Int128FromBig is b as an Int128; ok is false when it does not fit.
func Int128FromBig(b *big.Int) (x Int128, ok bool) {
	if b.BitLen() > 128 {
		return Int128{}, false
	}
	var words [16]byte
	new(big.Int).Abs(b).FillBytes(words[:])
	var u uint128
	for _, c := range words[:8] {
		u.hi = u.hi<<8 | uint64(c)
	}
	for _, c := range words[8:] {
		u.lo = u.lo<<8 | uint64(c)
	}
	return u.signed(b.Sign() < 0, true)
}

// String is x in decimal.
func (x Int128) String() string { return string(x.Append(nil)) }

// Append appends x in decimal to dst.
func (x Int128) Append(dst []byte) []byte {
	if x.Hi < 0 {
		dst = append(dst, '-')
	}
	return x.magnitude().append(dst)
}

// magnitude is |x|; it is right for MinInt128 too.
func (x Int128) magnitude() uint128 {
	s := uint64(x.Hi >> 63)
	lo, borrow := bits.Sub64(x.Lo^s, s, 0)
	hi, _ := bits.Sub64(uint64(x.Hi)^s, s, borrow)
	return uint128{hi: hi, lo: lo}
}

// signed returns u, negated if neg, as an Int128; ok is false when it does not
// fit or when fits is already false.
func (u uint128) signed(neg, fits bool) (x Int128, ok bool) {
	x = Int128{Lo: u.lo, Hi: int64(u.hi)}
	if neg {
		x = Int128{}.SubWrap(x)
		return x, fits && (x.Hi < 0 || x == Int128{})
	}
	return x, fits && x.Hi >= 0
}
