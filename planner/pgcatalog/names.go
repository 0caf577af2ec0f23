package pgcatalog

import (
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Quote makes an identifier of a name.
func Quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// CodeUndefinedDatabase is the SQLSTATE of a database that there is not.
const CodeUndefinedDatabase = "3D000"

// ErrNoRole is the error of a role that there is not.
func ErrNoRole(name string) error {
	return value.Errorf(value.CodeUndefinedObject, "role %q does not exist", name)
}

// ServerVersion is the version of PostgreSQL whose behaviour sessions have.
const (
	ServerVersion       = "15.18"
	ServerVersionNumber = "150018"
)

const nullText = "NULL::text"

// nameLiteral is a constant of the type name.
func nameLiteral(name string) string { return QuoteText(name) + "::name" }

// QuoteText makes a literal of a text.
func QuoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// QuoteName makes an identifier of a name, with quotes where it needs them.
func QuoteName(name string) string { return dialect.QuoteName(name) }

// isLower reports whether a name is one that quotes do not change, but for keywords.
func isLower(name string) bool {
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == "" && (name[0] < '0' || name[0] > '9')
}

// nameOf are the parts of a name as SQL writes it, their quotes resolved.
func nameOf(text string) []string {
	cursor, err := dialect.NewCursor(text, nil)
	if err != nil {
		return []string{text}
	}
	parts, err := sqlstate.Try(cursor.QualifiedName)
	if err != nil {
		return []string{text}
	}
	return lists.Map(parts, func(p dialect.Ident) string { return p.Name })
}

// unqualified is the last part of a name as SQL writes it.
func unqualified(text string) string {
	parts := nameOf(text)
	return parts[len(parts)-1]
}

func yesNo(yes bool) string {
	if yes {
		return "YES"
	}
	return "NO"
}

func itoa(n int) string { return strconv.Itoa(n) }

// textArray is an array of texts as it is kept.
func textArray(texts []string) string {
	items := lists.Map(texts, func(t string) value.Item { return value.Item{Text: t} })
	return value.JoinArray(nil, items)
}

// keyText is a list of columns as int2vector and arrays are written.
func keyText(columns []int, separator string) string {
	words := lists.Map(columns, func(c int) string { return itoa(c + 1) })
	return strings.Join(words, separator)
}
