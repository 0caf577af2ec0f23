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

// QuoteIdent writes a name in double quotes.
func QuoteIdent(name string) string {
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}
