package value

import (
	"regexp"
	"strings"
)

// sizeUnits are the units of sizes in bytes, in lower case, as powers of two.
var sizeUnits = map[string]uint{"": 0, "bytes": 0, "kb": 10, "mb": 20, "gb": 30, "tb": 40, "pb": 50}

// sizeNumber is the number at the beginning of a size.
var sizeNumber = regexp.MustCompile(`^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][ \t\n\v\f\r]*[+-]?[0-9]+)?`)

// maxSizeText bounds a text that pg_size_bytes looks at, in bytes: no number with more digits is in range.
const maxSizeText = 1 << 10

// sizeBytes is a size with a unit, such as 1 GB, in bytes.
func sizeBytes(a []Value) (Value, error) {
	invalid := Errorf(CodeInvalidParameter, "invalid size: \"%s\"", a[0].S)
	text := trimSpace(a[0].S)
	if len(text) > maxSizeText {
		return Value{}, invalid
	}
	number := sizeNumber.FindString(text)
	if number == "" {
		return Value{}, invalid
	}
	unit := trimSpace(text[len(number):])
	bits, ok := sizeUnits[strings.ToLower(unit)]
	if !ok {
		invalid.Detail = "Invalid size unit: \"" + unit + "\"."
		invalid.Hint = `Valid units are "bytes", "kB", "MB", "GB", "TB", and "PB".`
		return Value{}, invalid
	}
	n, err := ParseNum(number)
	if err == nil {
		n, err = n.Mul(NumOf(1 << bits))
	}
	if err != nil {
		return Value{}, ErrIntRange(64)
	}
	size, err := n.Int(64)
	return intValue(size), err
}
