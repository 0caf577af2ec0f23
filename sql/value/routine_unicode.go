package value

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unescapeUnicode is a text with the characters for which escapes stand: \XXXX, \uXXXX, \+XXXXXX
// and \UXXXXXXXX, of which two may be a surrogate pair, and \\.
func unescapeUnicode(m *Meter, a []Value) (Value, error) {
	s := a[0].S
	var out []byte
	high := rune(0) // of a surrogate pair
	for s != "" {
		plain := strings.IndexByte(s, '\\')
		if plain < 0 {
			plain = len(s)
		}
		m.Must(plain + 1)
		if plain == 0 {
			r, size, err := unicodeEscape(s, high)
			if err != nil {
				return Value{}, err
			}
			if high = 0; isHighSurrogate(r) {
				high = r
			} else {
				out = utf8.AppendRune(out, r)
			}
			s = s[size:]
			continue
		}
		if high != 0 {
			return Value{}, errSurrogatePair()
		}
		m.MustGrow(plain)
		out, s = append(out, s[:plain]...), s[plain:]
	}
	if high != 0 {
		return Value{}, errSurrogatePair()
	}
	return textValue(string(out)), nil
}

// unicodeEscape is the character of the escape at the beginning of a text, and the length of the
// escape. Behind the first half of a surrogate pair it is that of the pair.
func unicodeEscape(s string, high rune) (r rune, size int, err error) {
	if strings.HasPrefix(s, `\\`) {
		if high != 0 {
			return 0, 0, errSurrogatePair()
		}
		return '\\', 2, nil
	}
	digits := s[1:]
	n := 4
	switch {
	case strings.HasPrefix(digits, "u"):
		digits = digits[1:]
	case strings.HasPrefix(digits, "+"):
		digits, n = digits[1:], 6
	case strings.HasPrefix(digits, "U"):
		digits, n = digits[1:], 8
	}
	size = len(s) - len(digits) + n
	if len(digits) < n || strings.ContainsAny(digits[:n], "+-_") {
		return 0, 0, errUnicodeEscape()
	}
	code, err := strconv.ParseUint(digits[:n], 16, 32)
	switch {
	case err != nil:
		return 0, 0, errUnicodeEscape()
	case code == 0 || code > utf8.MaxRune:
		return 0, 0, Errorf(CodeInvalidParameter, "invalid Unicode code point: %04X", code)
	}
	r = rune(code)
	isLow := utf16.IsSurrogate(r) && !isHighSurrogate(r)
	switch {
	case (high != 0) != isLow:
		return 0, 0, errSurrogatePair()
	case isLow:
		r = utf16.DecodeRune(high, r)
	}
	return r, size, nil
}

func isHighSurrogate(r rune) bool { return r >= 0xD800 && r < 0xDC00 }

func errSurrogatePair() error { return Errorf(CodeSyntax, "invalid Unicode surrogate pair") }

func errUnicodeEscape() error {
	err := Errorf(CodeSyntax, "invalid Unicode escape")
	err.Hint = `Unicode escapes must be \XXXX, \+XXXXXX, \uXXXX, or \UXXXXXXXX.`
	return err
}
