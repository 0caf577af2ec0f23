package value

import (
	"fmt"
	"strings"
)

// textKey makes the key of a text.
var textKey = strings.NewReplacer("\x01", "\x02\x02", "\x02", "\x02\x03")

// orderedDigits is a text of a number that orders as numbers do, made of its digits, of
// which so many stand before the point.
func orderedDigits(digits string, whole int, negative bool) string {
	for strings.HasPrefix(digits, "0") {
		digits, whole = digits[1:], whole-1
	}
	digits = strings.TrimRight(digits, "0")
	if digits == "" {
		return "1"
	}
	key := fmt.Sprintf("%06d%s", 500_000+whole, digits)
	if !negative {
		return "2" + key
	}
	turned := []byte(key)
	for i, c := range turned {
		turned[i] = '0' + '9' - c
	}
	return "0" + string(turned) + "~"
}
