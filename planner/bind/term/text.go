package term

import (
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// NotSupported is the refusal of a construct.
func NotSupported(pos sql.Pos, construct string) error {
	return value.ErrorAt(int(pos), value.CodeFeatureNotSupported, "%s not supported", construct)
}

// Plural says "1 column" and "2 columns".
func Plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}

// Itoa is a number in decimal.
func Itoa(n int) string { return strconv.Itoa(n) }

func Upper(s string) string { return strings.ToUpper(s) }
