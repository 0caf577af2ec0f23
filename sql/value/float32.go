package value

import (
	"math"
	"strconv"
	"strings"
)

// A real is held as the float64 of the same value. These are its conversions; what
// is computed of reals is computed in double precision and rounded, which for + - *
// and / gives what single precision gives.

// RoundToFloat32 is the real nearest to f; a finite number that is too large or too
// small for one is an error.
func RoundToFloat32(f float64) (float64, error) {
	r := float64(float32(f))
	switch {
	case math.IsInf(r, 0) && !math.IsInf(f, 0):
		return 0, ErrFloatOverflow()
	case r == 0 && f != 0:
		return 0, errFloatUnderflow()
	}
	return r, nil
}

// ParseFloat32 reads a real as PostgreSQL does.
func ParseFloat32(s string) (float64, error) { return parseFloat(s, 32, "real") }

// FormatFloat32 is f, a real, as PostgreSQL writes it.
func FormatFloat32(f float64) string { return string(AppendFloat32(nil, f)) }

// AppendFloat32 appends f, a real, as PostgreSQL writes it: the shortest digits that
// read back as the same real, with an exponent from 1e+06 on and below 1e-04.
func AppendFloat32(dst []byte, f float64) []byte {
	a := math.Abs(f)
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return AppendFloat64(dst, f)
	case f == 0 || a >= float64(float32(1e-4)) && a < 1e6:
		return strconv.AppendFloat(dst, f, 'f', -1, 32)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'e', -1, 32)
	const most = 8 // digits after the point
	for digits := 1; a > 1<<24 && digits <= most && onBoundary32(f, dst[start:]); digits++ {
		dst = strconv.AppendFloat(dst[:start], f, 'e', digits, 32)
	}
	return dst
}

// onBoundary32 reports whether the text of a real lies exactly half way between it and
// one of its neighbors, or does not read back as it.
func onBoundary32(f float64, text []byte) bool {
	written, err := strconv.ParseFloat(string(text), 64)
	if err != nil || float64(float32(written)) != f {
		return true
	}
	neighbor := float64(math.Nextafter32(float32(f), float32(math.Inf(1))))
	if math.Abs(written) < math.Abs(f) == (f > 0) {
		neighbor = float64(math.Nextafter32(float32(f), float32(math.Inf(-1))))
	}
	return written != f && math.Abs(written-f) >= math.Abs(neighbor-written)
}

// numFromFloat32 is a real as a Num of at most 6 significant digits.
func numFromFloat32(f float64) (Num, error) { return numFromFloat(f, 6) }

// The names of the conversions.
const (
	RealOfFloat  = "real of double precision"
	RealOfText   = "real of text"
	TextOfReal   = "text of real"
	NumberOfReal = "numeric of real"
)

var realRoutines = map[string][]Routine{
	RealOfFloat: {{Params: "f", Result: 'r', Call: func(a []Value) (Value, error) {
		f, err := RoundToFloat32(a[0].F)
		return floatValue(f), err
	}}},
	RealOfText: {{Params: "s", Result: 'r', Call: func(a []Value) (Value, error) {
		f, err := ParseFloat32(a[0].S)
		return floatValue(f), err
	}}},
	TextOfReal: {{Params: "r", Result: 's', Call: func(a []Value) (Value, error) { return textValue(FormatFloat32(a[0].F)), nil }}},
	NumberOfReal: {{Params: "r", Result: 'n', Call: func(a []Value) (Value, error) {
		n, err := numFromFloat32(a[0].F)
		return numValue(n), err
	}}},
}

// Written is a number as PostgreSQL writes a numeric of it: without an exponent, as
// far as that is not very long.
func Written(s string) string {
	const long = 400
	mantissa, exponent, found := cutExponent(s)
	exp, err := strconv.Atoi(exponent)
	if !found || err != nil || exp < -long || exp > long {
		return s
	}
	sign := ""
	if strings.HasPrefix(mantissa, "-") {
		sign, mantissa = "-", mantissa[1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if exp >= 0 {
		fraction += strings.Repeat("0", max(exp-len(fraction), 0))
		whole, fraction = whole+fraction[:exp], fraction[exp:]
	} else {
		whole = strings.Repeat("0", max(1-exp-len(whole), 0)) + whole
		whole, fraction = whole[:len(whole)+exp], whole[len(whole)+exp:]+fraction
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return sign + whole
}
