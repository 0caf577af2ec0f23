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
func initCap(s string) string {
	within := false
	return strings.Map(func(r rune) rune {
		if within {
			r = unicode.ToLower(r)
		} else {
			r = unicode.ToUpper(r)
		}
		within = unicode.IsLetter(r) || unicode.IsDigit(r)
		return r
	}, s)
}

// translate replaces each character of the second text by that at its place in
// the third, and drops those that have none.
func translate(a []Value) (Value, error) {
	by := make(map[rune]rune)
	to := []rune(a[2].S)
	for i, r := range []rune(a[1].S) {
		if _, known := by[r]; known {
			continue
		}
		by[r] = -1
		if i < len(to) {
			by[r] = to[i]
		}
	}
	return textValue(strings.Map(func(r rune) rune {
		if other, ok := by[r]; ok {
			return other
		}
		return r
	}, a[0].S)), nil
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
func overlay(a []Value) (Value, error) {
	s, by, start := a[0].S, a[1].S, a[2].I
	length := int64(Length(by))
	if len(a) == 4 {
		length = a[3].I
	}
	if start <= 0 {
		return Value{}, Errorf(CodeSubstringError, "negative substring length not allowed")
	}
	head, err := Substring(s, 1, start-1)
	if err != nil {
		return Value{}, err
	}
	return textValue(head + by + SubstringFrom(s, start+length)), nil
}

// hexadecimal writes the digits of an integer of a number of bits.
func hexadecimal(bits uint) func([]Value) (Value, error) {
	return func(a []Value) (Value, error) {
		return textValue(strconv.FormatUint(uint64(a[0].I)<<(64-bits)>>(64-bits), 16)), nil
	}
}

// regexpMatches are the places of the matches of the pattern a[1] in a[0], which is
// searched from the character that a[2] counts. Flags stand at index flags.
func regexpMatches(a []Value, flags int) (from int, found [][]int, err error) {
	options := ""
	if len(a) > flags {
		options = a[flags].S
	}
	re, err := NewRegexp(a[1].S, options, false)
	if err != nil {
		return 0, nil, err
	}
	if len(a) > 2 {
		if a[2].I <= 0 {
			return 0, nil, Errorf(CodeInvalidParameter, "invalid value for parameter \"start\": %d", a[2].I)
		}
		from = byteOffset(a[0].S, a[2].I-1)
		if int64(Length(a[0].S)) < a[2].I-1 {
			return 0, nil, nil
		}
	}
	return from, re.re.FindAllStringIndex(a[0].S[from:], -1), nil
}

func regexpCount(a []Value) (Value, error) {
	_, found, err := regexpMatches(a, 3)
	return intValue(int64(len(found))), err
}

// nthMatch is the match that a[3] counts, the first where it is left out.
func nthMatch(a []Value) (from int, match []int, err error) {
	n := int64(1)
	if len(a) > 3 {
		if n = a[3].I; n <= 0 {
			return 0, nil, Errorf(CodeInvalidParameter, "invalid value for parameter \"n\": %d", n)
		}
	}
	from, found, err := regexpMatches(a, 4)
	if err != nil || int64(len(found)) < n {
		return 0, nil, err
	}
	return from, found[n-1], nil
}

// substringRegexp is what the first parentheses of a pattern match, or the whole
// match where it has none.
func substringRegexp(a []Value) (Value, error) {
	re, err := NewRegexp(a[1].S, "", false)
	if err != nil {
		return Value{}, err
	}
	match := re.re.FindStringSubmatchIndex(a[0].S)
	if len(match) > 2 {
		match = match[2:]
	}
	if match == nil || match[0] < 0 {
		return Value{}, nil
	}
	return textValue(a[0].S[match[0]:match[1]]), nil
}

func regexpSubstr(a []Value) (Value, error) {
	from, m, err := nthMatch(a)
	if m == nil || err != nil {
		return Value{}, err
	}
	return textValue(a[0].S[from+m[0] : from+m[1]]), nil
}

func regexpInstr(a []Value) (Value, error) {
	from, m, err := nthMatch(a)
	if m == nil || err != nil {
		return intValue(0), err
	}
	return intValue(int64(Length(a[0].S[:from+m[0]])) + 1), nil
}

// similarPattern is the regular expression for a pattern of SIMILAR TO. The escape
// is a backslash, or what a[1] says; empty for none.
func similarPattern(a []Value) (Value, error) {
	escape := rune('\\')
	if len(a) > 1 {
		if escape = -1; Length(a[1].S) > 1 {
			return Value{}, Errorf(CodeInvalidEscape, "invalid escape string")
		}
		for _, r := range a[1].S {
			escape = r
		}
	}
	var out strings.Builder
	out.WriteString(`\A(?:`)
	escaped, inClass := false, false
	for _, r := range a[0].S {
		switch {
		case escaped:
			escaped = false
			if r == '"' {
				return Value{}, Errorf(CodeFeatureNotSupported, "parts of a pattern of SIMILAR TO are not supported")
			}
			out.WriteString(regexp.QuoteMeta(string(r)))
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
		case r == '_':
			out.WriteByte('.')
		case r == '(':
			out.WriteString("(?:")
		case r == '\\' || r == '.' || r == '^' || r == '$':
			out.WriteByte('\\')
			out.WriteRune(r)
		default:
			out.WriteRune(r)
		}
	}
	out.WriteString(`)\z`)
	return textValue(out.String()), nil
}
