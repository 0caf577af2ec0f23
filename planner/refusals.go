package planner

import (
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// notSupported is the refusal of a construct.
func notSupported(pos sql.Pos, construct string) error {
	return value.ErrorAt(int(pos), value.CodeFeatureNotSupported, "%s not supported", construct)
}

// plural says "1 column" and "2 columns".
func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}

// itoa is a number in decimal.
func itoa(n int) string { return strconv.Itoa(n) }

// nameText is a qualified name as it was written.
func nameText(name sql.Name) string {
	parts := make([]string, len(name))
	for i, id := range name {
		parts[i] = id.Name
	}
	return strings.Join(parts, ".")
}

func upper(s string) string { return strings.ToUpper(s) }
