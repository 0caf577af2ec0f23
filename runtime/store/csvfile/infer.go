package csvfile

import (
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value"
)

// guesses are the types that inference tries, in this order; a column that is
// none of them is text.
var guesses = []struct {
	typ algebra.Type
	is  func(s string) bool
}{
	{algebra.TBool, func(s string) bool { return strings.EqualFold(s, "true") || strings.EqualFold(s, "false") }},
	{algebra.TInt64, func(s string) bool { _, err := value.ParseInt(s, 64); return err == nil }},
	{algebra.TFloat64, isNumber},
	{algebra.TDate, func(s string) bool { _, ok := date([]byte(s)); return ok && len(s) == 10 }},
	{algebra.TTime, func(s string) bool { _, ok := clock([]byte(s)); return ok }},
	{algebra.TTimestampTZ, value.IsMoment},
	{algebra.TTimestamp, isTimestamp},
}

// isNumber takes numbers, and of the words only those that nothing else means.
func isNumber(s string) bool {
	_, err := value.ParseFloat64(s)
	return err == nil && strings.ContainsAny(s, "0123456789")
}

// isTimestamp takes what begins as ISO writes a timestamp.
func isTimestamp(s string) bool {
	if _, ok := date([]byte(s)); !ok || len(s) < 16 {
		return false
	}
	_, err := value.ParseTimestamp(s)
	return err == nil
}

// inferType is the first guess that all values but the empty ones agree on.
func inferType(rows [][]string, column int) algebra.Type {
	seen := false
	for _, g := range guesses {
		fits := true
		for _, row := range rows {
			if column < len(row) && row[column] != "" {
				seen = true
				if fits = g.is(row[column]); !fits {
					break
				}
			}
		}
		if fits && seen {
			return g.typ
		}
	}
	return algebra.TText
}

// inferColumns guesses the columns of a file of which rows are a sample. first
// is the first row, which is the header if header says so, or if it looks like
// one where header is nil.
func inferColumns(first []string, rows [][]string, header *bool) (columns []store.Column, hasHeader bool) {
	columns = make([]store.Column, len(first))
	for i := range columns {
		columns[i].Type = inferType(rows, i)
	}
	if header != nil {
		hasHeader = *header
	} else {
		hasHeader = looksLikeHeader(first, rows, columns)
	}
	if !hasHeader {
		rows = append([][]string{first}, rows...)
	}
	taken := map[string]bool{}
	for i := range columns {
		columns[i].Type = inferType(rows, i)
		name := fmt.Sprint("column", i)
		if hasHeader && first[i] != "" {
			name = strings.TrimPrefix(first[i], "\ufeff") // a byte order mark before the first name
		}
		for base, k := name, 1; taken[name]; k++ {
			name = fmt.Sprintf("%s_%d", base, k)
		}
		taken[name] = true
		columns[i].Name = name
	}
	return columns, hasHeader
}

// looksLikeHeader reports whether the first row is not of the other rows' types,
// or, where these are all text, has the form of names that no other row has.
func looksLikeHeader(first []string, rows [][]string, columns []store.Column) bool {
	typed := false
	for i, c := range columns {
		if c.Type.Kind == algebra.Text {
			continue
		}
		typed = true
		if inferType([][]string{{first[i]}}, 0) != c.Type && first[i] != "" && !(c.Type == algebra.TFloat64 && isNumber(first[i])) {
			return true
		}
	}
	if typed {
		return false
	}
	seen := map[string]bool{}
	for i, s := range first {
		if !isName(s) || seen[s] {
			return false
		}
		seen[s] = true
		for _, row := range rows {
			if i < len(row) && row[i] == s {
				return false
			}
		}
	}
	return true
}

// isName reports whether s has the form of a column name.
func isName(s string) bool {
	for i, c := range s {
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
		if !letter && (i == 0 || c != ' ' && (c < '0' || c > '9')) {
			return false
		}
	}
	return s != ""
}

// sniffDelimiter picks the delimiter that the first lines have most often, and
// equally often.
func sniffDelimiter(sample string, quote byte) byte {
	best, most := byte(','), 0
	for _, d := range []byte(",\t|;") {
		count := -1
		for i, line := range strings.SplitN(sample, "\n", 11) {
			n := unquoted(line, d, quote)
			if i == 10 || line == "" {
				break
			}
			if count >= 0 && n != count {
				count = 0
				break
			}
			count = n
		}
		if count > most {
			best, most = d, count
		}
	}
	return best
}

// unquoted counts a byte outside of quotes.
func unquoted(line string, d, quote byte) int {
	n, open := 0, false
	for i := range len(line) {
		switch line[i] {
		case quote:
			open = !open
		case d:
			if !open {
				n++
			}
		}
	}
	return n
}
