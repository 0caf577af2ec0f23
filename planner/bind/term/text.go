package term

import (
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
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

// NameText is a qualified name as it was written.
func NameText(name sql.Name) string {
	parts := lists.Map(name, func(id sql.Ident) string { return id.Name })
	return strings.Join(parts, ".")
}

func Upper(s string) string { return strings.ToUpper(s) }
