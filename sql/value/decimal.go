package value

import (
	"fmt"
	"math/bits"
)

// A column of type numeric(p,s) holds unscaled integers: the value times 10^s.
// The functions here move between those and Num.

// Rescale multiplies x by 10^k, or for k < 0 divides it, rounding half away
// from zero; ok is false when the result does not fit.
func (x Int128) Rescale(k int) (r Int128, ok bool) {
	switch {
	case k == 0 || x == Int128{}:
		return x, true
	case k > MaxDigits:
		return Int128{}, false
	case k > 0:
		return x.Mul(Pow10(k))
	}
	return quoPow10(x.magnitude(), -k, true).signed(x.Hi < 0, true)
}

// Rescale64 is Int128.Rescale on 64 bits.
func Rescale64(x int64, k int) (r int64, ok bool) {
	const maxPower = len(pow10Int64) - 1
	switch {
	case k == 0 || x == 0:
		return x, true
	case k > maxPower:
		return 0, false
	case k > 0:
		return MulOverflow64(x, pow10Int64[k])
	case -k > maxPower:
		wide, _ := Int128Of(x).Rescale(k)
		return int64(wide.Lo), true
	}
	p := pow10Int64[-k]
	quo, rem := x/p, x%p
	switch {
	case rem >= p-rem:
		quo++
	case -rem >= p+rem:
		quo--
	}
	return quo, true
}

// MulOverflow64 is x*y; ok is false when it does not fit.
func MulOverflow64(x, y int64) (product int64, ok bool) {
	hi, lo := bits.Mul64(uint64(x), uint64(y))
	high := int64(hi) - (x>>63)&y - (y>>63)&x
	return int64(lo), high == int64(lo)>>63
}

// Unscaled is n as an integer of that scale, rounded half away from zero.
func (n Num) Unscaled(scale int) (Int128, error) {
	x, ok := n.Coef.Rescale(scale - int(n.Scale))
	if !ok {
		return Int128{}, errNumOverflow()
	}
	return x, nil
}

// Decimal is n as an unscaled integer of type numeric(precision, scale),
// rounded half away from zero; it is an error of SQLSTATE 22003 when the type
// cannot hold it.
func (n Num) Decimal(precision, scale int) (Int128, error) {
	x, ok := n.Coef.Rescale(scale - int(n.Scale))
	if !ok {
		return Int128{}, errFieldOverflow(precision, scale)
	}
	return x, CheckPrecision(x, precision, scale)
}

// CheckPrecision reports whether the unscaled x fits in numeric(precision,
// scale): nil, or PostgreSQL's error.
func CheckPrecision(x Int128, precision, scale int) error {
	if x.magnitude().less(pow10[precision]) {
		return nil
	}
	return errFieldOverflow(precision, scale)
}

func errFieldOverflow(precision, scale int) error {
	limit := "1"
	if precision != scale {
		limit = fmt.Sprintf("10^%d", precision-scale)
	}
	err := Errorf(CodeNumericOutOfRange, "numeric field overflow")
	err.Detail = fmt.Sprintf("A field with precision %d, scale %d must round to an absolute value less than %s.",
		precision, scale, limit)
	return err
}

// AppendDecimal appends the unscaled x of that scale as PostgreSQL writes it.
func AppendDecimal(dst []byte, x Int128, scale int) []byte {
	return Num{Coef: x, Scale: uint8(scale)}.Append(dst)
}
