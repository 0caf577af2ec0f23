package cubeloom

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/dialect"
)

// Inline is the first part of a script in which the data of COPY FROM STDIN may
// stand in the lines behind it, as psql takes it.
type Inline struct {
	Text  string // statements, of which the last may be COPY FROM STDIN
	Data  string // what that reads
	Rest  string // what stands behind the data
	Ended bool   // the line \. ended the data
}

// CutCopy cuts a script behind its first COPY FROM STDIN. Without one all of it
// is Text.
func CutCopy(script string) Inline {
	pieces, err := sql.Split(script)
	if err != nil {
		return Inline{Text: script}
	}
	for _, piece := range pieces {
		if !piece.Terminated || !strings.Contains(strings.ToLower(piece.Text), "copy") {
			continue
		}
		stmt, err := sql.Parse(piece.Text)
		if c, ok := stmt.(*sql.Copy); err != nil || !ok || !c.From || c.File != "" {
			continue
		}
		end := piece.Offset + len(piece.Text)
		end += strings.IndexByte(script[end:], ';') + 1
		in := Inline{Text: script[:end]}
		_, lines, _ := strings.Cut(script[end:], "\n")
		in.Data, in.Rest, in.Ended = cutData(lines)
		return in
	}
	return Inline{Text: script}
}

// cutData cuts lines at the line \. that ends the data.
func cutData(lines string) (data, rest string, ended bool) {
	for at := 0; at < len(lines); {
		line, _, _ := strings.Cut(lines[at:], "\n")
		next := min(at+len(line)+1, len(lines))
		if strings.TrimRight(line, "\r") == `\.` {
			return lines[:at], lines[next:], true
		}
		at = next
	}
	return lines, "", false
}

// Complete reports whether text ends with a whole statement, so that a prompt
// need not ask for more lines.
func Complete(text string) bool {
	pieces, err := sql.Split(text)
	return err != nil || len(pieces) > 0 && pieces[len(pieces)-1].Terminated
}

// OneLine writes statements in one line, as a prompt's history keeps them: comments and
// line breaks become blanks. It reports false where that would change their meaning.
func OneLine(text string) (string, bool) { return sql.OneLine(text) }

// WithoutLiterals returns a text of SQL with ? in the place of each text, number and string
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
