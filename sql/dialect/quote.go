package dialect

import "strings"

// IsPlain reports whether a name reads back as it is without quotes, keywords
// aside.
func IsPlain(name string) bool {
	if name == "" || !isIdentStart(name[0]) || foldASCII(name) != name {
		return false
	}
	for i := range len(name) {
		if !isIdentPart(name[i]) {
			return false
		}
	}
	return true
}

// QuoteName makes an identifier of a name, with quotes where PostgreSQL writes it with some.
func QuoteName(name string) string {
	lower := name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == "" && (name[0] < '0' || name[0] > '9')
	if lower && Keyword(name) <= Unreserved {
		return name
	}
	return QuoteIdent(name)
}

// QuoteIdent writes a name in double quotes.
func QuoteIdent(name string) string {
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}
