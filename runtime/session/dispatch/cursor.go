package dispatch

import (
	"context"
	"fmt"
	"time"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// declare runs DECLARE.
func declare(ctx context.Context, s *session.Session, stmt *sql.Declare, text string) *result.Result {
	if s.RunsAlone() && !stmt.Hold {
		panic(value.Errorf(value.CodeNoActiveTransaction, "DECLARE CURSOR can only be used in transaction blocks"))
	}
	if len(sql.Writes(stmt.Query)) > 0 {
		panic(value.Errorf(value.CodeFeatureNotSupported, "DECLARE CURSOR must not contain data-modifying statements in WITH"))
	}
	if s.Cursors[stmt.Name.Name] != nil {
		panic(value.Errorf(value.CodeDuplicateCursor, "cursor %q already exists", stmt.Name.Name))
	}
	res := sqlstate.Must(query.Run(ctx, s, stmt.Query, false))
	c := &session.Cursor{Text: text, Made: time.Now(), Result: res, Hold: stmt.Hold, Forward: stmt.Scroll != nil && !*stmt.Scroll}
	c.Starts = sqlstate.Must(runtime.BlockStarts(res.Rows))
	s.Declare(stmt.Name.Name, c)
	return &result.Result{Tag: "DECLARE CURSOR"}
}

// fetch runs FETCH and MOVE.
func fetch(s *session.Session, stmt *sql.Fetch) *result.Result {
	c := sqlstate.Must(s.Cursors.Find(stmt.Name.Name))
	from, to, at := rows(c, stmt)
	if c.Forward && (at < c.At || at == c.At && from < to || !stmt.Absolute && stmt.Count < 0) {
		panic(&value.Error{Code: value.CodeNotInState, Message: "cursor can only scan forward", Hint: "Declare it with SCROLL option to enable backward scan.", Pos: value.NoPos})
	}
	rows := runtime.RowRange
	if !stmt.Absolute && !stmt.Relative && stmt.Count < 0 {
		rows = runtime.RowsBackward
	}
	c.At = at
	if stmt.Move {
		return &result.Result{Tag: fmt.Sprintf("MOVE %d", to-from)}
	}
	return &result.Result{
		Columns: c.Result.Columns, Tag: fmt.Sprintf("FETCH %d", to-from), Rows: rows(c.Result.Rows, c.Starts, from, to),
		Held: c.Result.Held.Share(),
	}
}

// rows are the rows from to to-1, counted from 0, that FETCH takes, and where the
// cursor stands then.
func rows(c *session.Cursor, stmt *sql.Fetch) (from, to, at int64) {
	n, count := c.Result.Count(), stmt.Count
	within := func(row int64) int64 { return min(max(row, 0), n+1) }
	switch {
	case stmt.Absolute && count < 0:
		at = within(n + 1 + count)
	case stmt.Absolute:
		at = within(count)
	case stmt.Relative, count == 0:
		at = within(c.At + count)
	case count > 0:
		return min(c.At, n), min(c.At, n) + min(count, n-min(c.At, n)), within(c.At + min(count, n+1))
	default:
		to = max(c.At-1, 0)
		return to - min(-count, to), to, within(c.At + max(count, -n-1))
	}
	if at < 1 || at > n {
		return 0, 0, at
	}
	return at - 1, at, at
}

// closeCursor runs CLOSE.
func closeCursor(s *session.Session, stmt *sql.CloseCursor) *result.Result {
	if stmt.All {
		s.Cursors.CloseAll()
		return &result.Result{Tag: "CLOSE CURSOR ALL"}
	}
	sqlstate.Must(s.Cursors.Find(stmt.Name.Name))
	s.Cursors.Close(stmt.Name.Name)
	return &result.Result{Tag: "CLOSE CURSOR"}
}
