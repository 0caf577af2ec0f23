package value

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// initCap writes the first letter of each word in upper case and the others in
// lower case; words are of letters and digits.
func initCap(m *Meter, a []Value) (Value, error) {
	within := false
	s := mapText(m, a[0].S, func(r rune) rune {
		if within {
			r = unicode.ToLower(r)
		} else {
			r = unicode.ToUpper(r)
		}
		within = unicode.IsLetter(r) || unicode.IsDigit(r)
		return r
	})
	return textValue(s), nil
}

// translate replaces each character of the second text by that at its place in
// the third, and drops those that have none.
func translate(m *Meter, a []Value) (Value, error) {
	by := make(map[rune]rune)
	to := a[2].S
	for chunk := range chunks(m, a[1].S) {
		for _, r := range chunk {
			other, size := utf8.DecodeRuneInString(to)
			if to = to[size:]; size == 0 {
				other = -1
			}
			if _, known := by[r]; !known {
				by[r] = other
			}
		}
		m.Must(8 * len(chunk))
	}
	s := mapText(m, a[0].S, func(r rune) rune {
		if other, ok := by[r]; ok {
			return other
		}
		return r
	})
	return textValue(s), nil
}

// textWithout is the bytes of a text from one place up to another, without those of the
// ranges behind, which ascend and may be anywhere.
func textWithout(m *Meter, a []Value) (Value, error) {
	text, from, upTo := a[0].S, a[1].I, a[2].I
	w := maker{m: m}
	for hole := a[3:]; len(hole) > 0; hole = hole[2:] {
		if before := min(hole[0].I, upTo); from < before {
			w.write(text[from:before])
		}
		from = max(from, hole[1].I)
	}
	if from < upTo {
		w.write(text[from:upTo])
	}
	return textValue(w.String()), nil
}

// firstCodePoint is the code point of the first character, 0 without one.
func firstCodePoint(a []Value) (Value, error) {
	if a[0].S == "" {
		return intValue(0), nil
	}
	r, _ := utf8.DecodeRuneInString(a[0].S)
	return intValue(int64(r)), nil
}

// characterOf is the character with a code point.
func characterOf(a []Value) (Value, error) {
	switch n := a[0].I; {
	case n < 0:
		return Value{}, Errorf(CodeInvalidParameter, "character number must be positive")
	case n == 0:
		return Value{}, Errorf(CodeProgramLimit, "null character not permitted")
	case n > unicode.MaxRune:
		return Value{}, Errorf(CodeProgramLimit, "requested character too large for encoding: %d", n)
	case !utf8.ValidRune(rune(n)):
		return Value{}, Errorf(CodeProgramLimit, "requested character not valid for encoding: %d", n)
	}
	return textValue(string(rune(a[0].I))), nil
}

// overlay puts a text in the place of the characters from a place on: of as many,
// unless it is said of how many.
func overlay(m *Meter, a []Value) (Value, error) {
	s, by, start := a[0].S, a[1].S, a[2].I
	replaced := int64(length(m, by))
	if len(a) == 4 {
		replaced = a[3].I
	}
	if start <= 0 {
		return Value{}, Errorf(CodeSubstringError, "negative substring length not allowed")
	}
	w := maker{m: m}
	w.write(s[:offset(m, s, start-1)])
	w.write(by)
	w.write(SubstringFrom(m, s, start+replaced))
	return textValue(w.String()), nil
}

// hexadecimal writes the digits of an integer of a number of bits.
func hexadecimal(bits uint) func([]Value) (Value, error) {
	return func(a []Value) (Value, error) {
		return textValue(strconv.FormatUint(uint64(a[0].I)<<(64-bits)>>(64-bits), 16)), nil
	}
}

// similarPattern is the regular expression for a pattern of SIMILAR TO. The escape
// is a backslash, or what a[1] says; empty for none. Between two escape characters with a quote, or behind the one that
// there is, stands the part of the pattern that SUBSTRING finds.
func similarPattern(m *Meter, a []Value) (Value, error) {
	escape := rune('\\')
	if len(a) > 1 {
		if escape = -1; utf8.RuneCountInString(a[1].S) > 1 {
			return Value{}, Errorf(CodeInvalidEscape, "invalid escape string")
		}
		for _, r := range a[1].S {
			escape = r
		}
	}
	if len(a[0].S) > maxPattern {
		return Value{}, errRegexpTooLarge()
	}
	m.MustGrow(5 * len(a[0].S))
	separators := similarSeparators(a[0].S, escape)
	if separators > 2 {
		return Value{}, Errorf("2200C", "SQL regular expression may not contain more than two escape-double-quote separators")
	}
	// What stands before the first separator matches as little as it can.
	least := func(separator int) string {
		if separators > 0 && separator == 0 {
			return "?"
		}
		return ""
	}
	var out strings.Builder
	out.WriteString(`\A(?:`)
	escaped, inClass, separator := false, false, 0
	for _, r := range a[0].S {
		switch {
		case escaped:
			escaped = false
			if r != '"' {
				out.WriteString(regexp.QuoteMeta(string(r)))
				continue
			}
			out.WriteString([]string{")(", ")(?:"}[separator])
			separator++
		case r == escape:
			escaped = true
		case inClass:
			inClass = r != ']'
			if r == '\\' {
				out.WriteByte('\\')
			}
			out.WriteRune(r)
		case r == '[':
			inClass = true
			out.WriteRune(r)
		case r == '%':
			out.WriteString(".*")
			out.WriteString(least(separator))
		case r == '_':
			out.WriteByte('.')
		case r == '(':
			out.WriteString("(?:")
		case r == '\\' || r == '.' || r == '^' || r == '$':
			out.WriteByte('\\')
			out.WriteRune(r)
		case strings.ContainsRune("*+?}", r):
			out.WriteRune(r)
			out.WriteString(least(separator))
		default:
			out.WriteRune(r)
		}
	}
	out.WriteString(`)\Z`)
	return textValue(out.String()), nil
}

// similarSeparators is how many marks a pattern has, the escape character and a quote, between the part that SUBSTRING finds
// and those around it.
func similarSeparators(pattern string, escape rune) (n int) {
	escaped := false
	for _, r := range pattern {
		if escaped && r == '"' {
			n++
		}
		escaped = !escaped && r == escape
	}
	return n
}
