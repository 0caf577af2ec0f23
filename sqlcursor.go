package cubeloom

import (
	"context"
	"fmt"

	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql"
)

// codeDuplicateCursor and codeCursorName are SQLSTATEs of cursors.
const (
	codeDuplicateCursor = "42P03"
	codeCursorName      = "34000"
)

// sqlCursor is a cursor of DECLARE. Its query has run as a whole.
type sqlCursor struct {
	result *Result
	starts []int64 // the first row of each block
	next   int64   // row to fetch
	hold   bool
	tx     *transaction // in which it was declared, until that commits
}

// declare runs DECLARE.
func (s *Session) declare(ctx context.Context, stmt *sql.Declare) (*Result, error) {
	if s.tx == nil && !stmt.Hold {
		return nil, value.Errorf(value.CodeNoActiveTransaction, "DECLARE CURSOR can only be used in transaction blocks")
	}
	if s.cursors[stmt.Name.Name] != nil {
		return nil, value.Errorf(codeDuplicateCursor, "cursor %q already exists", stmt.Name.Name)
	}
	res, err := s.runQuery(ctx, stmt.Query)
	if err != nil {
		return nil, err
	}
	c := &sqlCursor{result: res, hold: stmt.Hold, tx: s.tx}
	if c.starts, err = runtime.BlockStarts(res.rows); err != nil {
		return nil, err
	}
	if s.cursors == nil {
		s.cursors = map[string]*sqlCursor{}
	}
	s.cursors[stmt.Name.Name] = c
	return &Result{Tag: "DECLARE CURSOR"}, nil
}

// cursor finds a cursor.
func (s *Session) cursor(name string) (*sqlCursor, error) {
	if c := s.cursors[name]; c != nil {
		return c, nil
	}
	return nil, value.Errorf(codeCursorName, "cursor %q does not exist", name)
}

// fetch runs FETCH and MOVE.
func (s *Session) fetch(stmt *sql.Fetch) (*Result, error) {
	c, err := s.cursor(stmt.Name.Name)
	if err != nil {
		return nil, err
	}
	from, to := c.next, c.result.Rows()
	if stmt.Count < to-from {
		to = from + stmt.Count
	}
	c.next = to
	if stmt.Move {
		return &Result{Tag: fmt.Sprintf("MOVE %d", to-from)}, nil
	}
	return &Result{
		Columns: c.result.Columns, Tag: fmt.Sprintf("FETCH %d", to-from),
		rows: runtime.RowRange(c.result.rows, c.starts, from, to),
	}, nil
}

// closeCursor runs CLOSE.
func (s *Session) closeCursor(stmt *sql.CloseCursor) (*Result, error) {
	if stmt.All {
		clear(s.cursors)
		return &Result{Tag: "CLOSE CURSOR ALL"}, nil
	}
	if _, err := s.cursor(stmt.Name.Name); err != nil {
		return nil, err
	}
	delete(s.cursors, stmt.Name.Name)
	return &Result{Tag: "CLOSE CURSOR"}, nil
}

// endCursors closes the cursors that do not outlive a transaction.
func (s *Session) endCursors(ended *transaction, committed bool) {
	for name, c := range s.cursors {
		switch {
		case !c.hold, !committed && c.tx == ended:
			delete(s.cursors, name)
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

// discard runs DISCARD. Only ALL has something to forget: no plans are kept.
func (s *Session) discard(stmt *sql.Discard) (*Result, error) {
	if stmt.What != "all" {
		return &Result{Tag: "DISCARD " + upperWords[stmt.What]}, nil
	}
	if s.tx != nil && !s.tx.implicit {
		return nil, value.Errorf(value.CodeActiveTransaction, "DISCARD ALL cannot run inside a transaction block")
	}
	clear(s.cursors)
	s.deallocateAll()
	s.settings = s.startup
	if s.tx != nil {
		s.tx.kept = s.startup
	}
	return &Result{Tag: "DISCARD ALL"}, nil
}

var upperWords = map[string]string{"plans": "PLANS", "sequences": "SEQUENCES", "temp": "TEMP"}
