package value

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// What converts to and from types of PostgreSQL's catalogs: oid, whose values are numbers without a sign,
// name, whose texts are short, and "char", which is one byte.
const (
	OIDOf     = "oid of"
	IntOfOID  = "integer of oid"
	NameOf    = "name of"
	CharOf    = "char of"
	IntOfChar = "integer of char"
)

// nameBytes is the longest a name can be.
const nameBytes = 63

var catalogTypeRoutines = map[string][]Routine{
	OIDOf: {
		{Params: "s", Result: 'l', Call: func(a []Value) (Value, error) { return ParseOID(a[0].S) }},
		{Params: "w", Result: 'l', Call: func(a []Value) (Value, error) { return intValue(int64(uint32(a[0].I))), nil }},
		{Params: "l", Result: 'l', Call: func(a []Value) (Value, error) {
			if a[0].I < 0 || a[0].I > math.MaxUint32 {
				return Value{}, Errorf(CodeNumericOutOfRange, "OID out of range")
			}
			return a[0], nil
		}},
	},
	IntOfOID: {{Params: "l", Result: 'w', Call: func(a []Value) (Value, error) { return intValue(int64(int32(a[0].I))), nil }}},
	NameOf:   {{Params: "s", Result: 's', Call: func(a []Value) (Value, error) { return ParseName(a[0].S), nil }}},
	CharOf: {
		{Params: "s", Result: 's', Call: func(a []Value) (Value, error) { return ParseChar(a[0].S), nil }},
		{Params: "w", Result: 's', Call: func(a []Value) (Value, error) {
			if a[0].I < math.MinInt8 || a[0].I > math.MaxInt8 {
				return Value{}, Errorf(CodeNumericOutOfRange, `"char" out of range`)
			}
			return charValue(byte(a[0].I)), nil
		}},
	},
	IntOfChar: {{Params: "s", Result: 'w', Call: func(a []Value) (Value, error) { return intValue(int64(int8(charByte(a[0].S)))), nil }}},
}

// ParseOID reads an oid. As in PostgreSQL, negative numbers of 32 bits stand for those above the greatest
// integer.
func ParseOID(s string) (Value, error) {
	x, rest, fits := leadingInt(trimSpace(s), 64)
	switch {
	case fits && (rest != "" || trimSpace(s) == ""):
		return Value{}, errSyntax("oid", s)
	case !fits || x < math.MinInt32 || x > math.MaxUint32:
		return Value{}, Errorf(CodeNumericOutOfRange, "value \"%s\" is out of range for type oid", s)
	}
	return intValue(int64(uint32(x))), nil
}

// ParseName returns what a name keeps of a text.
func ParseName(s string) Value {
	n := min(len(s), nameBytes)
	for n < len(s) && n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return textValue(s[:n])
}

// ParseChar reads a "char": a backslash and three octal digits, or the first byte.
func ParseChar(s string) Value {
	if s == "" {
		return textValue(s)
	}
	return charValue(charByte(s))
}

// charByte is the byte that the text of a "char" stands for.
func charByte(s string) byte {
	switch {
	case s == "":
		return 0
	case len(s) == 4 && s[0] == '\\':
		if x, err := strconv.ParseUint(s[1:], 8, 16); err == nil {
			return byte(x)
		}
	}
	return s[0]
}

// charValue is a byte as "char" writes it.
func charValue(b byte) Value {
	switch {
	case b == 0:
		return textValue("")
	case b >= utf8.RuneSelf:
		return textValue(`\` + strconv.FormatUint(uint64(b), 8))
	}
	return textValue(string(rune(b)))
}
