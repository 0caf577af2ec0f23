package value

import (
	"crypto/md5"
	"encoding/hex"
	"io"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
	"unsafe"
)

// The functions here count in characters (code points) and from 1, as SQL does.
// Text is valid UTF-8.

// The functions whose cost grows with their texts take a Meter, which may be nil. They panic
// with its errors, and with that of a text that is too long, which sqlstate.Catch takes.

// Length is the number of characters.
func Length(m *Meter, s string) int { return length(m, s) }

// Upper maps each character to its upper case, one to one.
func Upper(m *Meter, s string) string { return mapText(m, s, unicode.ToUpper) }

// Lower maps each character to its lower case, one to one.
func Lower(m *Meter, s string) string { return mapText(m, s, unicode.ToLower) }

// SubstringFrom is substring(s from start).
func SubstringFrom(m *Meter, s string, start int64) string {
	return s[offset(m, s, start-1):]
}

// Substring is substring(s from start for length): the characters at the places
// start to start+length-1, of which those below 1 do not exist.
func Substring(m *Meter, s string, start, length int64) (string, error) {
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
	if end <= chunkLength {
		s = s[byteOffset(s, start-1):]
		m.Must(2 + int(end)/8)
		return s[:byteOffset(s, end-start)], nil
	}
	s = SubstringFrom(m, s, start)
	return s[:offset(m, s, end-start)], nil
}

// Left is the first n characters, or all but the last -n.
func Left(m *Meter, s string, n int64) string {
	if n < 0 {
		n += int64(length(m, s))
	}
	return s[:offset(m, s, n)]
}

// Right is the last n characters, or all but the first -n.
func Right(m *Meter, s string, n int64) string {
	if n >= 0 {
		n = max(int64(length(m, s))-n, 0)
	} else {
		n = -max(n, -math.MaxInt64)
	}
	return s[offset(m, s, n):]
}

// LPad fills s from the left to length characters, or cuts it to them.
func LPad(m *Meter, s string, length int64, fill string) string {
	return pad(m, s, length, fill, true)
}

// RPad fills s from the right to length characters, or cuts it to them.
func RPad(m *Meter, s string, length int64, fill string) string {
	return pad(m, s, length, fill, false)
}

// pad is LPad or RPad.
func pad(m *Meter, s string, n int64, fill string, left bool) string {
	if n > MaxLength/utf8.UTFMax {
		panic(errTextTooLong())
	}
	text := s[:offset(m, s, n)]
	missing := int(n) - length(m, text)
	if fill == "" || missing <= 0 {
		return text
	}
	fillChars := length(m, fill)
	rest := offset(m, fill, int64(missing%fillChars))
	w := maker{m: m}
	w.reserve(len(text) + missing/fillChars*len(fill) + rest)
	if !left {
		w.write(text)
	}
	w.repeat(fill, missing/fillChars)
	w.write(fill[:rest])
	if left {
		w.write(text)
	}
	return w.String()
}

// Repeat is s n times.
func Repeat(m *Meter, s string, n int64) string {
	w := maker{m: m}
	w.repeat(s, int(min(n, MaxLength+1)))
	return w.String()
}

// Concat is one text behind the other.
func Concat(m *Meter, a, b string) string {
	if n := len(a) + len(b); n <= chunkLength {
		m.MustGrow(n)
		return a + b
	}
	w := maker{m: m}
	w.reserve(len(a) + len(b))
	w.copy(a)
	w.copy(b)
	return w.String()
}

// Position is the place of needle's first character in s, 0 when it is not
// there, and 1 for an empty needle.
func Position(m *Meter, s, needle string) int {
	i := index(m, s, needle)
	if i < 0 {
		return 0
	}
	return length(m, s[:i]) + 1
}

// Replace replaces every occurrence of from, if that is not empty.
func Replace(m *Meter, s, from, to string) string {
	if from == "" {
		return s
	}
	n := count(m, s, from)
	if n == 0 {
		return s
	}
	if grown := len(to) - len(from); grown > 0 && n > (MaxLength-len(s))/grown {
		panic(errTextTooLong())
	}
	size := len(s) + n*(len(to)-len(from))
	if size <= chunkLength && len(s) <= chunkLength {
		m.MustGrow(size)
		return strings.ReplaceAll(s, from, to)
	}
	w := maker{m: m}
	w.reserve(size)
	for range n {
		i := index(m, s, from)
		w.write(s[:i])
		w.write(to)
		s = s[i+len(from):]
	}
	w.write(s)
	return w.String()
}

// Reverse turns the order of characters around.
func Reverse(m *Meter, s string) (out string) {
	m.growText(len(s))
	turned := make([]byte, len(s))
	end := len(s)
	for chunk := range chunks(m, s) {
		for chunk != "" {
			_, size := utf8.DecodeRuneInString(chunk)
			end -= copy(turned[end-size:end], chunk[:size])
			chunk = chunk[size:]
		}
	}
	return unsafe.String(unsafe.SliceData(turned), len(turned))
}

// SplitPart is the n-th of the parts that delimiter splits s into, counted from
// the end for a negative n; empty when there is none.
func SplitPart(m *Meter, s, delimiter string, n int64) (string, error) {
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
		if n += int64(count(m, s, delimiter)) + 2; n < 1 {
			return "", nil
		}
	}
	for {
		i := index(m, s, delimiter)
		switch {
		case i < 0 && n > 1:
			return "", nil
		case i < 0:
			return s, nil
		case n == 1:
			return s[:i], nil
		}
		s = s[i+len(delimiter):]
		n--
	}
}

// Clip cuts s to n characters. Where limited names the type that limits it, only blanks
// may be lost: anything else is an error of SQLSTATE 22001.
func Clip(m *Meter, s string, n int32, limited string) (string, error) {
	end := offset(m, s, int64(n))
	if limited != "" && LTrim(m, s[end:], " ") != "" {
		return "", Errorf(CodeStringTooLong, "value too long for type %s(%d)", limited, n)
	}
	return s[:end], nil
}

// The types whose lengths Clip checks.
const (
	LimitedVarchar = "character varying"
	LimitedChar    = "character"
)

// MD5 is the MD5 hash of a text in hexadecimal digits.
func MD5(m *Meter, s string) string {
	if len(s) <= chunkLength {
		sum := md5.Sum([]byte(s))
		m.Must(4 * (1 + len(s)))
		return hex.EncodeToString(sum[:])
	}
	hash := md5.New()
	for ; s != ""; s = s[min(len(s), chunkLength):] {
		io.WriteString(hash, s[:min(len(s), chunkLength)])
		m.Must(4 * chunkLength)
	}
	return hex.EncodeToString(hash.Sum(nil))
}
