package value

import (
	"math"
	"strconv"
)

// The names of the integer types in PostgreSQL's range errors, by width.
func intTypeName(bits int) string {
	switch bits {
	case 16:
		return "smallint"
	case 32:
		return "integer"
	}
	return "bigint"
}

// ErrIntRange is PostgreSQL's error for a number that an integer type of that
// many bits (16, 32 or 64) cannot hold.
func ErrIntRange(bits int) error {
	return Errorf(CodeNumericOutOfRange, "%s out of range", intTypeName(bits))
}

// CheckInt reports whether x fits in an integer type of that many bits: nil, or
// PostgreSQL's range error.
func CheckInt(x int64, bits int) error {
	if shift := 64 - uint(bits); x<<shift>>shift != x {
		return ErrIntRange(bits)
	}
	return nil
}

// Int is n as an integer of that many bits (16, 32 or 64), rounded half away
// from zero.
func (n Num) Int(bits int) (int64, error) {
	x, ok := n.Coef.Rescale(-int(n.Scale))
	if !ok || !x.IsInt64() {
		return 0, ErrIntRange(bits)
	}
	return int64(x.Lo), CheckInt(int64(x.Lo), bits)
}

// Float64 is the float64 nearest to n.
func (n Num) Float64() float64 {
	const exactInts = 1 << 53 // and powers of ten to 1e22 are exact
	if u := n.Coef.magnitude(); u.hi == 0 && u.lo <= exactInts && n.Scale <= 22 {
		f := float64(u.lo) / exactPow10[n.Scale]
		if n.Coef.Hi < 0 {
			return -f
		}
		return f
	}
	var buf [48]byte
	text := n.Coef.Append(buf[:0])
	text = append(text, 'e', '-')
	text = strconv.AppendInt(text, int64(n.Scale), 10)
	f, _ := strconv.ParseFloat(string(text), 64) // cannot overflow; underflow gives 0
	return f
}

var exactPow10 = [...]float64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// NumFromFloat64 is f as a Num of at most 15 significant digits, as PostgreSQL
// converts double precision to numeric.
func NumFromFloat64(f float64) (Num, error) { return numFromFloat(f, 15) }

// numFromFloat is f as a Num of so many significant digits at most.
func numFromFloat(f float64, significant int) (Num, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return Num{}, Errorf(CodeFeatureNotSupported, "numeric value %q is not supported", FormatFloat64(f))
	}
	var buf [32]byte
	text := strconv.AppendFloat(buf[:0], f, 'e', significant-1, 64)
	mantissa, exponent, _ := cutExponent(string(text))
	exp, _ := strconv.Atoi(exponent) // AppendFloat wrote it
	neg := mantissa[0] == '-'
	if neg {
		mantissa = mantissa[1:]
	}
	coef, scale, _ := parseMantissa(mantissa)
	// PostgreSQL prints with %g, which drops trailing zeros.
	for scale > 0 && coef.lo%10 == 0 {
		coef.lo /= 10
		scale--
	}
	return shiftNum(neg, coef, scale, exp)
}
