package cubeloom

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/dialect"
)

// WithoutLiterals gives a text of SQL with ? in the place of each text, number and string
// of bits, for logs that others read. What cannot be read as SQL is left out.
func WithoutLiterals(text string) string {
	cursor, err := dialect.NewCursor(text, nil)
	if err != nil {
		return "?"
	}
	var out strings.Builder
	from := 0
	for {
		switch t := cursor.Next(); t.Kind {
		case dialect.End:
			return out.String() + text[from:]
		case dialect.Invalid:
			return out.String() + text[from:t.Pos] + "?"
		case dialect.String, dialect.Bits, dialect.Integer, dialect.Decimal:
			out.WriteString(text[from:t.Pos] + "?")
			from = t.End
		}
	}
}
