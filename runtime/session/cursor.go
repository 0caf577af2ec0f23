package session

import (
	"time"

	"github.com/cubeloom/cubeloom/runtime/session/result"
)

// CodeDuplicateCursor and codeCursorName are SQLSTATEs of cursors.
const (
	CodeDuplicateCursor = "42P03"
	codeCursorName      = "34000"
	CodeNotInState      = "55000"
)

// SqlCursor is a cursor of DECLARE. Its query has run as a whole.
type SqlCursor struct {
	Text    string // of DECLARE
	Made    time.Time
	Result  *result.Result
	Starts  []int64 // the first row of each block
	At      int64   // the row that it stands on, counted from 1; 0 before the first, one more than there are behind the last
	Forward bool    // it must not go back
	Hold    bool
	Tx      *transaction // in which it was declared, until that commits
}
