package value

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// ParseInt reads an integer of that many bits (16, 32 or 64) as PostgreSQL
// does: blanks around it, a sign, decimal digits.
func ParseInt(s string, bits int) (int64, error) {
	if x, ok := shortInt(s, bits); ok {
		return x, nil
	}
	text := trimSpace(s)
	x, rest, ok := leadingInt(text, bits)
	switch {
	case !ok:
		return 0, Errorf(CodeNumericOutOfRange, "value \"%s\" is out of range for type %s", s, intTypeName(bits))
	case rest != "" || text == "":
		return 0, errSyntax(intTypeName(bits), s)
	}
	return x, nil
}

// shortInt reads a number of digits alone that are so few that it fits.
func shortInt(s string, bits int) (x int64, ok bool) {
	if s == "" || len(s) > bits/4+bits/32 {
		return 0, false
	}
	for i := range len(s) {
		digit := s[i] - '0'
		if digit > 9 {
			return 0, false
		}
		x = 10*x + int64(digit)
	}
	return x, true
}

// ParseFloat64 reads double precision as PostgreSQL does, NaN and the
// infinities included.
func ParseFloat64(s string) (float64, error) { return parseFloat(s, 64, "double precision") }

// floatEnd is the end of the decimal number that s starts with. As in C an
// exponent without digits is no part of it.
func floatEnd(s string) int {
	end := 0
	if s != "" && (s[0] == '-' || s[0] == '+') {
		end = 1
	}
	end = skip(s, end, isDigit)
	if end < len(s) && s[end] == '.' {
		end = skip(s, end+1, isDigit)
	}
	if end == len(s) || s[end] != 'e' && s[end] != 'E' {
		return end
	}
	digits := end + 1
	if digits < len(s) && (s[digits] == '-' || s[digits] == '+') {
		digits++
	}
	if after := skip(s, digits, isDigit); after > digits {
		return after
	}
	return end
}

// ParseBool reads a boolean as PostgreSQL does: true, false, yes, no, on, off,
// 1, 0, in any case and shortened as long as it is clear.
func ParseBool(s string) (bool, error) {
	text := strings.ToLower(trimSpace(s))
	for _, word := range [...]struct {
		text  string
		least int // letters needed
		value bool
	}{
		{"true", 1, true}, {"false", 1, false}, {"yes", 1, true}, {"no", 1, false},
		{"on", 2, true}, {"off", 2, false}, {"1", 1, true}, {"0", 1, false},
	} {
		if len(text) >= word.least && strings.HasPrefix(word.text, text) {
			return word.value, nil
		}
	}
	return false, errSyntax("boolean", s)
}

// FormatBool is the text of a boolean cast to text.
func FormatBool(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// parseFloat reads a floating number of 32 or 64 bits, NaN and the infinities
// included.
func parseFloat(s string, bits int, typ string) (float64, error) {
	text := trimSpace(s)
	switch strings.ToLower(strings.TrimLeft(text, "+-")) {
	case "nan":
		return math.NaN(), nil
	case "inf", "infinity":
		f, err := strconv.ParseFloat(text, bits)
		if err != nil {
			err = errSyntax(typ, s)
		}
		return f, err
	}
	number := text[:floatEnd(text)]
	f, err := strconv.ParseFloat(number, bits)
	mantissa, _, _ := cutExponent(number)
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		return 0, errSyntax(typ, s)
	case err != nil, f == 0 && strings.ContainsAny(mantissa, "123456789"):
		return 0, Errorf(CodeNumericOutOfRange, "\"%s\" is out of range for type %s", number, typ)
	case number != text:
		return 0, errSyntax(typ, s)
	}
	return f, nil
}
