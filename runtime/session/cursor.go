package session

import (
	"time"

	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Cursor is a cursor of DECLARE. Its query has run as a whole.
type Cursor struct {
	Text    string // of DECLARE
	Made    time.Time
	Result  *result.Result
	Starts  []int64 // the first row of each block
	At      int64   // the row that it stands on, counted from 1; 0 before the first, one more than there are behind the last
	Forward bool    // it must not go back
	Hold    bool
	tx      *transaction // in which it was declared, until that commits
}

// Cursors are those that a session has declared, by name.
type Cursors map[string]*Cursor

// Find finds a cursor; one that is not there is an error of 34000.
func (c Cursors) Find(name string) (*Cursor, error) {
	if found := c[name]; found != nil {
		return found, nil
	}
	return nil, value.Errorf(value.CodeInvalidCursorName, "cursor %q does not exist", name)
}

// Close closes a cursor that is there.
func (c Cursors) Close(name string) {
	c[name].Result.Close()
	delete(c, name)
}

// CloseAll closes all cursors.
func (c Cursors) CloseAll() {
	for name := range c {
		c.Close(name)
	}
}

// end closes the cursors that do not outlive a transaction.
func (c Cursors) end(ended *transaction, committed bool) {
	for name, cursor := range c {
		switch {
		case !cursor.Hold, !committed && cursor.tx == ended:
			c.Close(name)
		case cursor.tx == ended:
			cursor.tx = nil
		}
	}
}
