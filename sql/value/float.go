package value

import (
	"bytes"
	"math"
	"math/big"
	"strconv"
)

// FormatFloat64 is f as PostgreSQL writes double precision.
func FormatFloat64(f float64) string { return string(AppendFloat64(nil, f)) }

// AppendFloat64 appends f as PostgreSQL writes double precision: the shortest
// digits that read back as f, with an exponent from 1e+15 on and below 1e-04.
func AppendFloat64(dst []byte, f float64) []byte {
	a := math.Abs(f)
	switch {
	case math.IsNaN(f):
		return append(dst, "NaN"...)
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	case f == 0 || a >= 1e-4 && a < 1e15:
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// Decimals half way to a neighbor have so few digits only above 2^53.
	const most = 16 // digits after the point
	for digits := 1; a > 1<<53 && digits <= most && onBoundary(a, dst[start:]); digits++ {
		dst = strconv.AppendFloat(dst[:start], f, 'e', digits, 64)
	}
	return dst
}

// onBoundary reports whether the decimal text (d.ddde+xx) of a lies exactly half
// way between a and one of its neighbors. It then reads back as a by the rule
// of ties to even alone, which PostgreSQL's writer does not rely on. Text that
// does not read back as a, being too short, counts as well.
func onBoundary(a float64, text []byte) bool {
	mantissa, exponent, _ := cutExponent(string(bytes.TrimPrefix(text, []byte("-"))))
	coef, scale, _ := parseMantissa(mantissa)
	exp, _ := strconv.Atoi(exponent)
	if exp < scale {
		return false
	}
	written := new(big.Int).Mul(Int128{Lo: coef.lo}.Big(), bigPow10(exp-scale))
	exact, _ := big.NewFloat(a).Int(nil)
	neighbor := math.Nextafter(a, math.Inf(written.Cmp(exact)))
	if math.IsInf(neighbor, 0) {
		return false
	}
	other, _ := big.NewFloat(neighbor).Int(nil)
	// written is no nearer to a than the middle between a and the neighbor.
	twice := written.Sub(written, exact)
	gap := other.Sub(other, exact)
	return twice.Lsh(twice, 1).CmpAbs(gap) >= 0 && gap.Sign() != 0
}

func fitsInt32(f float64) bool { return f >= math.MinInt32 && f <= math.MaxInt32 }

func fitsInt64(f float64) bool { return f >= math.MinInt64 && f < -math.MinInt64 }
