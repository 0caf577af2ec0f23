package cubeloom

import (
	"context"
	"fmt"
	"time"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// codeDuplicateCursor and codeCursorName are SQLSTATEs of cursors.
const (
	codeDuplicateCursor = "42P03"
	codeCursorName      = "34000"
	codeNotInState      = "55000"
)

// sqlCursor is a cursor of DECLARE. Its query has run as a whole.
type sqlCursor struct {
	text    string // of DECLARE
	made    time.Time
	result  *answer
	starts  []int64 // the first row of each block
	at      int64   // the row that it stands on, counted from 1; 0 before the first, one more than there are behind the last
	forward bool    // it must not go back
	hold    bool
	tx      *transaction // in which it was declared, until that commits
}

// declare runs DECLARE.
func (s *Session) declare(ctx context.Context, stmt *sql.Declare, text string) (*answer, error) {
	if s.tx.alone && !stmt.Hold {
		return nil, value.Errorf(value.CodeNoActiveTransaction, "DECLARE CURSOR can only be used in transaction blocks")
	}
	if s.cursors[stmt.Name.Name] != nil {
		return nil, value.Errorf(codeDuplicateCursor, "cursor %q already exists", stmt.Name.Name)
	}
	res, err := s.runQuery(ctx, stmt.Query, false)
	if err != nil {
		return nil, err
	}
	res.held = s.account.Keep()
	c := &sqlCursor{text: text, made: time.Now(), result: res, hold: stmt.Hold, tx: s.tx, forward: stmt.Scroll != nil && !*stmt.Scroll}
	if c.starts, err = runtime.BlockStarts(res.rows); err != nil {
		return nil, err
	}
	s.account = s.db.memory.Below(s.settings.MemoryLimit) // the other is the cursor's
	if s.cursors == nil {
		s.cursors = map[string]*sqlCursor{}
	}
	s.cursors[stmt.Name.Name] = c
	return &answer{Tag: "DECLARE CURSOR"}, nil
}

// cursor finds a cursor.
func (s *Session) cursor(name string) (*sqlCursor, error) {
	if c := s.cursors[name]; c != nil {
		return c, nil
	}
	return nil, value.Errorf(codeCursorName, "cursor %q does not exist", name)
}

// fetch runs FETCH and MOVE.
func (s *Session) fetch(stmt *sql.Fetch) (*answer, error) {
	c, err := s.cursor(stmt.Name.Name)
	if err != nil {
		return nil, err
	}
	from, to, at := c.rows(stmt)
	if c.forward && (at < c.at || at == c.at && from < to || !stmt.Absolute && stmt.Count < 0) {
		return nil, &value.Error{Code: codeNotInState, Message: "cursor can only scan forward", Hint: "Declare it with SCROLL option to enable backward scan.", Pos: value.NoPos}
	}
	rows := runtime.RowRange
	if !stmt.Absolute && !stmt.Relative && stmt.Count < 0 {
		rows = runtime.RowsBackward
	}
	c.at = at
	if stmt.Move {
		return &answer{Tag: fmt.Sprintf("MOVE %d", to-from)}, nil
	}
	return &answer{
		Columns: c.result.Columns, Tag: fmt.Sprintf("FETCH %d", to-from), rows: rows(c.result.rows, c.starts, from, to),
		held: c.result.held.Share(),
	}, nil
}

// rows are the rows from to to-1, counted from 0, that FETCH takes, and where the
// cursor stands then.
func (c *sqlCursor) rows(stmt *sql.Fetch) (from, to, at int64) {
	n, count := c.result.count(), stmt.Count
	within := func(row int64) int64 { return min(max(row, 0), n+1) }
	switch {
	case stmt.Absolute && count < 0:
		at = within(n + 1 + count)
	case stmt.Absolute:
		at = within(count)
	case stmt.Relative, count == 0:
		at = within(c.at + count)
	case count > 0:
		return min(c.at, n), min(c.at, n) + min(count, n-min(c.at, n)), within(c.at + min(count, n+1))
	default:
		to = max(c.at-1, 0)
		return to - min(-count, to), to, within(c.at + max(count, -n-1))
	}
	if at < 1 || at > n {
		return 0, 0, at
	}
	return at - 1, at, at
}

// closeCursor runs CLOSE.
func (s *Session) closeCursor(stmt *sql.CloseCursor) (*answer, error) {
	if stmt.All {
		s.closeCursors()
		return &answer{Tag: "CLOSE CURSOR ALL"}, nil
	}
	if _, err := s.cursor(stmt.Name.Name); err != nil {
		return nil, err
	}
	s.forgetCursor(stmt.Name.Name)
	return &answer{Tag: "CLOSE CURSOR"}, nil
}

// forgetCursor closes a cursor.
func (s *Session) forgetCursor(name string) {
	s.cursors[name].result.close()
	delete(s.cursors, name)
}

// closeCursors closes all cursors.
func (s *Session) closeCursors() {
	for name := range s.cursors {
		s.forgetCursor(name)
	}
}

// endCursors closes the cursors that do not outlive a transaction.
func (s *Session) endCursors(ended *transaction, committed bool) {
	for name, c := range s.cursors {
		switch {
		case !c.hold, !committed && c.tx == ended:
			s.forgetCursor(name)
		case c.tx == ended:
			c.tx = nil
		}
	}
}

// CursorColumns gives the columns of a cursor that DECLARE made, false where
// there is none of that name.
func (s *Session) CursorColumns(name string) ([]Column, bool) {
	c := s.cursors[name]
	if c == nil {
		return nil, false
	}
	return c.result.Columns, true
}

// discard runs DISCARD. PLANS and SEQUENCES have nothing to forget.
func (s *Session) discard(stmt *sql.Discard) (*answer, error) {
	if stmt.What == "temp" {
		s.tx.tx.DropTemporary()
	}
	if stmt.What != "all" {
		return &answer{Tag: "DISCARD " + upperWords[stmt.What]}, nil
	}
	if !s.tx.implicit {
		return nil, value.Errorf(value.CodeActiveTransaction, "DISCARD ALL cannot run inside a transaction block")
	}
	s.closeCursors()
	s.tx.tx.DropTemporary()
	s.deallocateAll()
	s.settings = s.startup
	s.tx.kept = s.startup
	return &answer{Tag: "DISCARD ALL"}, nil
}

var upperWords = map[string]string{"plans": "PLANS", "sequences": "SEQUENCES", "temp": "TEMP"}
