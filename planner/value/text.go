package value

import (
	"crypto/md5"
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The functions here count in characters (code points) and from 1, as SQL does.
// Text is valid UTF-8.

func errTextTooLong() error { return Errorf(CodeProgramLimit, "requested length too large") }

// Length is the number of characters.
func Length(s string) int { return utf8.RuneCountInString(s) }

// Upper maps each character to its upper case, one to one.
func Upper(s string) string { return strings.Map(unicode.ToUpper, s) }

// Lower maps each character to its lower case, one to one.
func Lower(s string) string { return strings.Map(unicode.ToLower, s) }

// byteOffset is the offset of the character after the first n; n beyond the
// end gives len(s).
func byteOffset(s string, n int64) int {
	if n >= int64(len(s)) {
		return len(s)
	}
	offset := 0
	for ; n > 0 && offset < len(s); n-- {
		if s[offset] < utf8.RuneSelf {
			offset++
			continue
		}
		_, size := utf8.DecodeRuneInString(s[offset:])
		offset += size
	}
	return offset
}

// SubstringFrom is substring(s from start).
func SubstringFrom(s string, start int64) string {
	return s[byteOffset(s, start-1):]
}

// Substring is substring(s from start for length): the characters at the places
// start to start+length-1, of which those below 1 do not exist.
func Substring(s string, start, length int64) (string, error) {
	if length < 0 {
		return "", Errorf(CodeSubstringError, "negative substring length not allowed")
	}
	end := start + length
	if start > 0 && end < start { // overflow
		end = math.MaxInt64
	}
	if end <= 1 {
		return "", nil
	}
	start = max(start, 1)
	s = s[byteOffset(s, start-1):]
	return s[:byteOffset(s, end-start)], nil
}

// Left is the first n characters, or all but the last -n.
func Left(s string, n int64) string {
	if n < 0 {
		n += int64(Length(s))
	}
	return s[:byteOffset(s, n)]
}

// Right is the last n characters, or all but the first -n.
func Right(s string, n int64) string {
	if n >= 0 {
		n = max(int64(Length(s))-n, 0)
	} else {
		n = -max(n, -math.MaxInt64)
	}
	return s[byteOffset(s, n):]
}

// Trim cuts characters of the set from both ends.
func Trim(s, set string) string { return RTrim(LTrim(s, set), set) }

// LTrim cuts characters of the set from the start.
func LTrim(s, set string) string {
	if set == " " {
		return strings.TrimLeft(s, " ")
	}
	return strings.TrimLeftFunc(s, func(r rune) bool { return strings.ContainsRune(set, r) })
}

// RTrim cuts characters of the set from the end.
func RTrim(s, set string) string {
	if set == " " {
		return strings.TrimRight(s, " ")
	}
	return strings.TrimRightFunc(s, func(r rune) bool { return strings.ContainsRune(set, r) })
}

// LPad fills s from the left to length characters, or cuts it to them.
func LPad(s string, length int64, fill string) (string, error) {
	text, padding, err := pad(s, length, fill)
	return padding + text, err
}

// RPad fills s from the right to length characters, or cuts it to them.
func RPad(s string, length int64, fill string) (string, error) {
	text, padding, err := pad(s, length, fill)
	return text + padding, err
}

// pad gives s, cut to length, and what is missing to it.
func pad(s string, length int64, fill string) (text, padding string, err error) {
	if length > MaxLength/utf8.UTFMax {
		return "", "", errTextTooLong()
	}
	text = s[:byteOffset(s, length)]
	missing := length - int64(Length(text))
	if fill == "" || missing <= 0 {
		return text, "", nil
	}
	chars := int64(Length(fill))
	padding = strings.Repeat(fill, int(missing/chars)) + fill[:byteOffset(fill, missing%chars)]
	return text, padding, nil
}

// Repeat is s n times.
func Repeat(s string, n int64) (string, error) {
	if s == "" || n <= 0 {
		return "", nil
	}
	if n > MaxLength/int64(len(s)) {
		return "", errTextTooLong()
	}
	return strings.Repeat(s, int(n)), nil
}

// Position is the place of needle's first character in s, 0 when it is not
// there, and 1 for an empty needle.
func Position(s, needle string) int {
	i := strings.Index(s, needle)
	if i < 0 {
		return 0
	}
	return Length(s[:i]) + 1
}

// Replace replaces every occurrence of from, if that is not empty.
func Replace(s, from, to string) (string, error) {
	if from == "" {
		return s, nil
	}
	if grown := len(to) - len(from); grown > 0 && strings.Count(s, from) > (MaxLength-len(s))/grown {
		return "", errTextTooLong()
	}
	return strings.ReplaceAll(s, from, to), nil
}

// Reverse turns the order of characters around.
func Reverse(s string) string {
	runes := []rune(s)
	slices.Reverse(runes)
	return string(runes)
}

// SplitPart is the n-th of the parts that delimiter splits s into, counted from
// the end for a negative n; empty when there is none.
func SplitPart(s, delimiter string, n int64) (string, error) {
	if n == 0 {
		return "", Errorf(CodeInvalidParameter, "field position must not be zero")
	}
	if delimiter == "" {
		if n == 1 || n == -1 {
			return s, nil
		}
		return "", nil
	}
	if n < 0 {
		n += int64(strings.Count(s, delimiter)) + 2
		if n < 1 {
			return "", nil
		}
	}
	for ; n > 1; n-- {
		i := strings.Index(s, delimiter)
		if i < 0 {
			return "", nil
		}
		s = s[i+len(delimiter):]
	}
	part, _, _ := strings.Cut(s, delimiter)
	return part, nil
}

// Clip cuts s to varchar(n). Unless the cast is explicit, only blanks may be
// lost: anything else is an error of SQLSTATE 22001.
func Clip(s string, n int32, explicit bool) (string, error) {
	end := byteOffset(s, int64(n))
	if !explicit && strings.TrimRight(s[end:], " ") != "" {
		return "", Errorf(CodeStringTooLong, "value too long for type character varying(%d)", n)
	}
	return s[:end], nil
}

// MD5 is the MD5 hash of a text in hexadecimal digits.
func MD5(s string) string {
	sum := md5.Sum([]byte(s))
	return hex.EncodeToString(sum[:])
}
