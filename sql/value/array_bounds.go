package value

import (
	"math"
	"strconv"
	"strings"
)

// maxArraySize is the number of elements that an array may have, as in PostgreSQL.
const maxArraySize = 134217727

// readBounds reads the bounds that a user wrote before an array: [l:u]= or [u]=.
func readBounds(whole, s string) (lower, upper int64, rest string, err error) {
	inner, rest, closed := strings.Cut(s[1:], "]")
	from, to, both := strings.Cut(inner, ":")
	if !both {
		from, to = "1", from
	}
	lower, lowerErr := strconv.ParseInt(strings.Trim(from, arraySpace), 10, 32)
	upper, upperErr := strconv.ParseInt(strings.Trim(to, arraySpace), 10, 32)
	if !closed || lowerErr != nil || upperErr != nil {
		return 0, 0, "", errMalformedArray(whole, "Missing array dimension value.")
	}
	rest = strings.TrimLeft(rest, arraySpace)
	switch {
	case upper < lower:
		return 0, 0, "", Errorf("2202E", "upper bound cannot be less than lower bound")
	case strings.HasPrefix(rest, "["):
		return 0, 0, "", Errorf(CodeFeatureNotSupported, "arrays of several dimensions are not supported")
	case !strings.HasPrefix(rest, "="):
		return 0, 0, "", errMalformedArray(whole, "Missing \"=\" after array dimensions.")
	case upper == math.MaxInt32 || upper-lower+1 > maxArraySize:
		return 0, 0, "", Errorf("54000", "array size exceeds the maximum allowed (%d)", maxArraySize)
	}
	return lower, upper, strings.TrimLeft(rest[1:], arraySpace), nil
}

// appendBounds appends the bounds of n elements where the first is not 1.
func appendBounds(dst []byte, lower int64, n int) []byte {
	if lower == 1 || n == 0 {
		return dst
	}
	dst = strconv.AppendInt(append(dst, '['), lower, 10)
	dst = strconv.AppendInt(append(dst, ':'), lower+int64(n)-1, 10)
	return append(dst, "]="...)
}

// cutBounds returns the first subscript of an array that JoinArray wrote, and the
// text of its elements in their brackets.
func cutBounds(array string) (lower int64, body string) {
	if array[0] != '[' {
		return 1, array
	}
	bounds, body, _ := strings.Cut(array[1:], "]=")
	from, _, _ := strings.Cut(bounds, ":")
	lower, _ = strconv.ParseInt(from, 10, 64)
	return lower, body
}

// ArrayLowerBound is the first subscript of an array that JoinArray wrote.
func ArrayLowerBound(array string) int64 {
	lower, _ := cutBounds(array)
	return lower
}
