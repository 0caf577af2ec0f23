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

// The functions whose cost grows with their texts take a Meter, which may be nil, and
// fail with its errors.

// Length is the number of characters.
func Length(m *Meter, s string) (int, error) { return length(m, s) }

// Upper maps each character to its upper case, one to one.
func Upper(m *Meter, s string) (string, error) { return mapText(m, s, unicode.ToUpper) }

// Lower maps each character to its lower case, one to one.
func Lower(m *Meter, s string) (string, error) { return mapText(m, s, unicode.ToLower) }

// SubstringFrom is substring(s from start).
func SubstringFrom(m *Meter, s string, start int64) (string, error) {
	at, err := offset(m, s, start-1)
	return s[at:], err
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
		return s[:byteOffset(s, end-start)], m.Check(2 + int(end)/8)
	}
	s, err := SubstringFrom(m, s, start)
	if err != nil {
		return "", err
	}
	at, err := offset(m, s, end-start)
	return s[:at], err
}

// Left is the first n characters, or all but the last -n.
func Left(m *Meter, s string, n int64) (string, error) {
	if n < 0 {
		chars, err := length(m, s)
		if err != nil {
			return "", err
		}
		n += int64(chars)
	}
	at, err := offset(m, s, n)
	return s[:at], err
}

// Right is the last n characters, or all but the first -n.
func Right(m *Meter, s string, n int64) (string, error) {
	if n >= 0 {
		chars, err := length(m, s)
		if err != nil {
			return "", err
		}
		n = max(int64(chars)-n, 0)
	} else {
		n = -max(n, -math.MaxInt64)
	}
	at, err := offset(m, s, n)
	return s[at:], err
}

// LPad fills s from the left to length characters, or cuts it to them.
func LPad(m *Meter, s string, length int64, fill string) (string, error) {
	return pad(m, s, length, fill, true)
}

// RPad fills s from the right to length characters, or cuts it to them.
func RPad(m *Meter, s string, length int64, fill string) (string, error) {
	return pad(m, s, length, fill, false)
}

// pad is LPad or RPad.
func pad(m *Meter, s string, n int64, fill string, left bool) (string, error) {
	if n > MaxLength/utf8.UTFMax {
		return "", errTextTooLong()
	}
	at, err := offset(m, s, n)
	if err != nil {
		return "", err
	}
	text := s[:at]
	chars, err := length(m, text)
	missing := int(n) - chars
	if err != nil || fill == "" || missing <= 0 {
		return text, err
	}
	fillChars, err := length(m, fill)
	if err != nil {
		return "", err
	}
	rest, err := offset(m, fill, int64(missing%fillChars))
	if err != nil {
		return "", err
	}
	w := maker{m: m}
	if err = w.reserve(len(text) + missing/fillChars*len(fill) + rest); err == nil && !left {
		err = w.write(text)
	}
	if err == nil {
		err = w.repeat(fill, missing/fillChars)
	}
	if err == nil {
		err = w.write(fill[:rest])
	}
	if err == nil && left {
		err = w.write(text)
	}
	return w.String(), err
}

// Repeat is s n times.
func Repeat(m *Meter, s string, n int64) (string, error) {
	w := maker{m: m}
	err := w.repeat(s, int(min(n, MaxLength+1)))
	return w.String(), err
}

// Concat is one text behind the other.
func Concat(m *Meter, a, b string) (string, error) {
	if n := len(a) + len(b); n <= chunkLength {
		return a + b, m.Grow(n)
	}
	w := maker{m: m}
	err := w.reserve(len(a) + len(b))
	if err == nil {
		err = w.copy(a)
	}
	if err == nil {
		err = w.copy(b)
	}
	return w.String(), err
}

// Position is the place of needle's first character in s, 0 when it is not
// there, and 1 for an empty needle.
func Position(m *Meter, s, needle string) (int, error) {
	i, err := index(m, s, needle)
	if i < 0 || err != nil {
		return 0, err
	}
	before, err := length(m, s[:i])
	return before + 1, err
}

// Replace replaces every occurrence of from, if that is not empty.
func Replace(m *Meter, s, from, to string) (string, error) {
	if from == "" {
		return s, nil
	}
	n, err := count(m, s, from)
	if n == 0 || err != nil {
		return s, err
	}
	if grown := len(to) - len(from); grown > 0 && n > (MaxLength-len(s))/grown {
		return "", errTextTooLong()
	}
	size := len(s) + n*(len(to)-len(from))
	if size <= chunkLength && len(s) <= chunkLength {
		if err := m.Grow(size); err != nil {
			return "", err
		}
		return strings.ReplaceAll(s, from, to), nil
	}
	w := maker{m: m}
	if err := w.reserve(size); err != nil {
		return "", err
	}
	for range n {
		i, err := index(m, s, from)
		if err == nil {
			err = w.write(s[:i])
		}
		if err == nil {
			err = w.write(to)
		}
		if err != nil {
			return "", err
		}
		s = s[i+len(from):]
	}
	err = w.write(s)
	return w.String(), err
}

// Reverse turns the order of characters around.
func Reverse(m *Meter, s string) (out string, err error) {
	if err := m.growText(len(s)); err != nil {
		return "", err
	}
	turned := make([]byte, len(s))
	end := len(s)
	for chunk := range chunks(m, s, &err) {
		for chunk != "" {
			_, size := utf8.DecodeRuneInString(chunk)
			end -= copy(turned[end-size:end], chunk[:size])
			chunk = chunk[size:]
		}
	}
	return unsafe.String(unsafe.SliceData(turned), len(turned)), err
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
		delimiters, err := count(m, s, delimiter)
		if n += int64(delimiters) + 2; n < 1 || err != nil {
			return "", err
		}
	}
	for {
		i, err := index(m, s, delimiter)
		switch {
		case err != nil:
			return "", err
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
	end, err := offset(m, s, int64(n))
	if err != nil {
		return "", err
	}
	if limited != "" {
		rest, err := LTrim(m, s[end:], " ")
		if err != nil {
			return "", err
		}
		if rest != "" {
			return "", Errorf(CodeStringTooLong, "value too long for type %s(%d)", limited, n)
		}
	}
	return s[:end], nil
}

// The types whose lengths Clip checks.
const (
	LimitedVarchar = "character varying"
	LimitedChar    = "character"
)

// MD5 is the MD5 hash of a text in hexadecimal digits.
func MD5(m *Meter, s string) (string, error) {
	if len(s) <= chunkLength {
		sum := md5.Sum([]byte(s))
		return hex.EncodeToString(sum[:]), m.Check(4 * (1 + len(s)))
	}
	hash := md5.New()
	for ; s != ""; s = s[min(len(s), chunkLength):] {
		io.WriteString(hash, s[:min(len(s), chunkLength)])
		if err := m.Check(4 * chunkLength); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
