package cubeloom

import "github.com/cubeloom/cubeloom/sql"

// Complete reports whether text ends with a whole statement, so that a prompt
// need not ask for more lines.
func Complete(text string) bool {
	pieces, err := sql.Split(text)
	return err != nil || len(pieces) > 0 && pieces[len(pieces)-1].Terminated
}

// OneLine writes statements in one line, as a prompt's history keeps them: comments and
// line breaks become blanks. It reports false where that would change their meaning.
func OneLine(text string) (string, bool) { return sql.OneLine(text) }
