package value

import (
	"math"
	"strconv"
	"strings"
)

// maxScale is the largest display scale that a Num can hold.
const maxScale = math.MaxUint8

// minSigDigits is the number of significant digits that PostgreSQL gives at
// least to a quotient and to a transcendental function.
const minSigDigits = 16

// NumOf is x as a Num of scale 0.
func NumOf(x int64) Num { return Num{Coef: Int128Of(x)} }

func errNumOverflow() error {
	return Errorf(CodeNumericOutOfRange, "value overflows numeric format")
}

// makeNum returns sign·u·10^-scale, or an error when that needs more than 38
// digits or more scale than a Num has.
func makeNum(neg bool, u uint128, scale int) (Num, error) {
	if scale > maxScale || !u.less(pow10[MaxDigits]) {
		return Num{}, errNumOverflow()
	}
	coef, _ := u.signed(neg, true)
	return Num{Coef: coef, Scale: uint8(scale)}, nil
}

// Cmp compares values, not scales: 1.0 equals 1.00. It is -1, 0 or 1.
func (n Num) Cmp(m Num) int {
	if n.Scale == m.Scale {
		return n.Coef.Cmp(m.Coef)
	}
	if s, t := n.Coef.Sign(), m.Coef.Sign(); s != t || s == 0 {
		return Int128Of(int64(s)).Cmp(Int128Of(int64(t)))
	}
	if n.Scale > m.Scale {
		return -m.Cmp(n)
	}
	// n has to be scaled up, and n and m have one sign.
	c := cmpMagnitude(n.Coef.magnitude(), int(m.Scale)-int(n.Scale), m.Coef.magnitude())
	if n.Coef.Hi < 0 {
		return -c
	}
	return c
}

// cmpMagnitude compares u·10^k with v, for u > 0.
func cmpMagnitude(u uint128, k int, v uint128) int {
	if k > MaxDigits {
		return 1 // 10^39 exceeds any v
	}
	hi, lo := mul128(u, pow10[k])
	switch {
	case !hi.isZero() || v.less(lo):
		return 1
	case lo.less(v):
		return -1
	}
	return 0
}

// Sign is -1, 0 or 1.
func (n Num) Sign() int { return n.Coef.Sign() }

// Normalize strips trailing zeros after the point, so that equal values become
// equal structs, fit to be keys of a map.
func (n Num) Normalize() Num {
	if n.Coef == (Int128{}) {
		return Num{}
	}
	u := n.Coef.magnitude()
	scale := n.Scale
	for scale > 0 {
		q, r := u.quoRem(uint128{lo: 10})
		if !r.isZero() {
			break
		}
		u = q
		scale--
	}
	coef, _ := u.signed(n.Coef.Hi < 0, true)
	return Num{Coef: coef, Scale: scale}
}

// String is n as PostgreSQL writes it, with Scale digits after the point.
func (n Num) String() string { return string(n.Append(nil)) }

// Append appends n as PostgreSQL writes it.
func (n Num) Append(dst []byte) []byte {
	if n.Coef.Hi < 0 {
		dst = append(dst, '-')
	}
	u, scale := n.Coef.magnitude(), int(n.Scale)
	if u.hi == 0 && scale <= maxFixedScale {
		return appendFixed(dst, u.lo, scale)
	}
	start := len(dst)
	dst = u.append(dst)
	if scale == 0 {
		return dst
	}
	if digits := len(dst) - start; digits <= scale {
		dst = append(dst, strings.Repeat("0", scale+1-digits)...)
		copy(dst[start+scale+1-digits:], dst[start:start+digits])
		for i := start; i < start+scale+1-digits; i++ {
			dst[i] = '0'
		}
	}
	point := len(dst) - scale
	dst = append(dst, 0)
	copy(dst[point+1:], dst[point:])
	dst[point] = '.'
	return dst
}

// ParseNum reads a numeric as PostgreSQL does: blanks around it, a sign, digits
// with a point, an exponent. NaN and the infinities are not supported.
func ParseNum(s string) (Num, error) {
	text := trimSpace(s)
	if last := len(text) - 1; last > 0 && isLetter(text[last]) {
		switch strings.ToLower(strings.TrimLeft(text, "+-")) {
		case "nan", "inf", "infinity":
			return Num{}, Errorf(CodeFeatureNotSupported, "numeric value %q is not supported", text)
		}
	}
	neg := false
	if text != "" && (text[0] == '-' || text[0] == '+') {
		neg = text[0] == '-'
		text = text[1:]
	}
	mantissa, exponent, hasExponent := cutExponent(text)
	coef, scale, state := parseMantissa(mantissa)
	if state == badDigits {
		return Num{}, errSyntax("numeric", s)
	}
	exp := 0
	if hasExponent {
		var err error
		if exp, err = parseExponent(exponent, s); err != nil {
			return Num{}, err
		}
	}
	if state == tooManyDigits {
		return Num{}, errNumOverflow()
	}
	return shiftNum(neg, coef, scale, exp)
}

// errSyntax is PostgreSQL's complaint about text that is no value of a type.
func errSyntax(typ, text string) error {
	return Errorf(CodeInvalidText, "invalid input syntax for type %s: \"%s\"", typ, text)
}

// cutExponent splits "1.5e-3" at the e.
func cutExponent(s string) (mantissa, exponent string, ok bool) {
	i := strings.IndexAny(s, "eE")
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// parseExponent reads the exponent of the numeric whole. As in PostgreSQL an
// exponent out of range is reported before what follows it, and blanks may
// stand before it.
func parseExponent(s, whole string) (int, error) {
	s = strings.TrimLeft(s, cSpace)
	n := 0
	if s != "" && (s[0] == '-' || s[0] == '+') {
		n = 1
	}
	sign := n
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n == sign {
		return 0, errSyntax("numeric", whole)
	}
	exp, err := strconv.Atoi(s[:n])
	switch {
	case err != nil || exp >= math.MaxInt32/2 || exp <= -math.MaxInt32/2:
		return 0, errNumOverflow()
	case n < len(s):
		return 0, errSyntax("numeric", whole)
	}
	return exp, nil
}

// digitsState says how reading a mantissa went.
type digitsState uint8

const (
	goodDigits digitsState = iota
	badDigits
	tooManyDigits
)

// parseMantissa reads digits with at most one point among them.
func parseMantissa(s string) (coef uint128, scale int, state digitsState) {
	const narrow = 18 // digits that fit in 64 bits for certain
	if len(s) <= narrow {
		return parseNarrow(s)
	}
	point, digits := -1, 0
	for i := 0; i < len(s); i++ {
		if s[i] == '.' && point < 0 {
			point = i
			continue
		}
		d := s[i] - '0'
		if d > 9 {
			return uint128{}, 0, badDigits
		}
		digits++
		if !coef.less(pow10[MaxDigits-1]) {
			state = tooManyDigits
			continue
		}
		_, coef = mul128(coef, uint128{lo: 10})
		coef = coef.add(uint128{lo: uint64(d)})
	}
	if digits == 0 {
		return uint128{}, 0, badDigits
	}
	if point >= 0 {
		scale = len(s) - point - 1
	}
	return coef, scale, state
}

// parseNarrow is parseMantissa for at most 18 bytes.
func parseNarrow(s string) (coef uint128, scale int, state digitsState) {
	point := len(s)
	var n uint64
	for i := 0; i < len(s); i++ {
		d := s[i] - '0'
		if d <= 9 {
			n = n*10 + uint64(d)
			continue
		}
		if s[i] != '.' || point < len(s) {
			return uint128{}, 0, badDigits
		}
		point = i
	}
	switch {
	case s == "" || s == ".":
		return uint128{}, 0, badDigits
	case point < len(s):
		scale = len(s) - point - 1
	}
	return uint128{lo: n}, scale, goodDigits
}

// shiftNum is coef·10^(exp-scale). As in PostgreSQL the display scale is that
// of the mantissa less the exponent, and at least 0.
func shiftNum(neg bool, coef uint128, scale, exp int) (Num, error) {
	scale -= exp
	if scale >= 0 {
		return makeNum(neg, coef, scale)
	}
	if coef.isZero() {
		return Num{}, nil
	}
	if -scale > MaxDigits {
		return Num{}, errNumOverflow()
	}
	hi, lo := mul128(coef, pow10[-scale])
	if !hi.isZero() {
		return Num{}, errNumOverflow()
	}
	return makeNum(neg, lo, 0)
}

// trimSpace is s without blanks around it. Most texts have none, which their ends tell sooner than Trim does.
func trimSpace(s string) string {
	if s == "" || s[0] > ' ' && s[len(s)-1] > ' ' {
		return s
	}
	return strings.Trim(s, cSpace)
}
