package cubeloom

import "github.com/cubeloom/cubeloom/sql"

// Complete tells whether text ends with a whole statement, so that a prompt
// need not ask for more lines.
func Complete(text string) bool {
	pieces, err := sql.Split(text)
	return err != nil || len(pieces) > 0 && pieces[len(pieces)-1].Terminated
}
