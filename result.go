package cubeloom

import (
	"time"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Error is an error that a statement can cause: SQLSTATE, message, and the
// byte offset in the statement's text, where there is one.
type Error = value.Error

// Stats says what a query cost.
type Stats = result.Stats

// Column is a column of a result: its name and type.
type Column = result.Column

// ColumnType is the SQL type of a column, and whether somebody declared the precision and
// scale of a numeric.
type ColumnType = result.ColumnType

// Notice is a message about a statement that did not fail: NOTICE or WARNING, with an
// SQLSTATE.
type Notice = result.Notice

// Result is what one statement gave: rows, or only a command tag. The rows are not
// changed by later statements, and stay valid until Close. What they take counts
// against Options.TotalMemory until then, or until nothing refers to the Result and
// its Cursors any more.
type Result struct {
	Columns []Column
	Tag     string // the command tag, such as "SELECT 5" or "CREATE TABLE"
	Notices []Notice
	Stats   Stats

	rows  runtime.Relation      // nil: a statement without rows
	zone  *time.Location        // in which moments are written
	style value.Style           // of dates, intervals and floats
	names pgcatalog.ObjectNames // of object identifiers
	held  *runtime.Hold         // the memory of the rows
}

// result is what a statement of the session gave, as its settings say that values are
// written.
func (s *Session) result(a *result.Result, err error) (*Result, error) {
	if err != nil {
		return nil, err
	}
	return &Result{
		Columns: a.Columns, Tag: a.Tag, Notices: a.Notices, Stats: a.Stats, rows: a.Rows, held: a.Held,
		zone: s.core.Settings.Location(), style: s.core.Settings.Style(), names: a.Names,
	}, nil
}

// Close drops the rows and frees their memory. Cursors and records of them
// must not be read any more. It may be called again; a Result that is not closed
// gives its memory back when it is collected as garbage.
func (r *Result) Close() {
	r.rows = nil
	r.held.Release()
}

// HasRows reports whether the statement returns rows, if only none of them.
func (r *Result) HasRows() bool { return r.rows != nil }

// Rows is the number of rows.
func (r *Result) Rows() int64 {
	if r.rows == nil {
		return 0
	}
	return r.rows.Rows()
}

// Cursor reads the rows of a Result in order. One goroutine may use it.
type Cursor struct {
	rel      runtime.Relation
	columns  []Column
	zone     *time.Location
	style    value.Style
	names    pgcatalog.ObjectNames
	ordinals []int
	block    runtime.Block
	next     int // block to load
	row      int
	err      error
	held     *runtime.Hold
}

// Cursor starts reading the rows from the first.
func (r *Result) Cursor() *Cursor {
	c := &Cursor{rel: r.rows, columns: r.Columns, zone: r.zone, style: r.style, names: r.names, held: r.held, ordinals: make([]int, len(r.Columns))}
	for i := range c.ordinals {
		c.ordinals[i] = i
	}
	return c
}

// Next moves to the next row; false at the end and after an error.
func (c *Cursor) Next() bool {
	if c.rel == nil || c.err != nil {
		return false
	}
	c.row++
	for c.row >= c.block.Rows {
		if c.next >= c.rel.Blocks() {
			return false
		}
		c.block, c.err = c.rel.Load(c.next, c.ordinals)
		if c.err != nil {
			return false
		}
		c.next++
		c.row = 0
	}
	return true
}

// Err is the error that ended the rows early, or nil.
func (c *Cursor) Err() error { return c.err }

// IsNull reports whether column i of the row is NULL.
func (c *Cursor) IsNull(i int) bool { return !c.block.Cols[i].IsValid(c.row) }

// Value is column i of the row.
func (c *Cursor) Value(i int) value.Value {
	return c.block.Cols[i].Value(c.row, c.columns[i].Type.Type)
}

// Text is column i of the row as PostgreSQL writes it; "" for NULL.
func (c *Cursor) Text(i int) string { return string(c.AppendText(nil, i)) }

// AppendText appends the text of column i of the row; nothing for NULL.
func (c *Cursor) AppendText(dst []byte, i int) []byte {
	if c.IsNull(i) {
		return dst
	}
	t := c.columns[i].Type.Type
	if t.Kind == algebra.Int64 && t.Alias.IsName() {
		return append(dst, c.names(t.Alias, c.Value(i).I)...)
	}
	return runtime.AppendText(dst, c.Value(i), t, c.style, c.zone)
}

// Cells is one column of several rows as PostgreSQL writes it. Its methods tell
// which rows are NULL and give the bytes of the others.
type Cells = runtime.Cells

// Format moves on by several rows, at most limit where that is positive, and
// formats cell i of each into cells[i], of which there is one for each column: as
// PostgreSQL's text, or in its binary format where binary, called with the
// column, says so. It returns the number of rows, 0 where Next would be false. The
// cells are valid until the next call.
func (c *Cursor) Format(cells []Cells, limit int64, binary func(i int) bool) int {
	if !c.Next() {
		return 0
	}
	rows := min(c.block.Rows-c.row, runtime.CellRows)
	for _, col := range c.columns {
		rows = min(rows, runtime.CellRowsOf(col.Type.Type))
	}
	if limit > 0 {
		rows = int(min(int64(rows), limit))
	}
	for i, col := range c.columns {
		cells[i].Zone, cells[i].Style, cells[i].Names = c.zone, c.style, c.names
		if binary(i) {
			cells[i].Binary(c.block.Cols[i], col.Type.Type, c.row, c.row+rows)
		} else {
			cells[i].Text(c.block.Cols[i], col.Type.Type, c.row, c.row+rows)
		}
	}
	c.row += rows - 1
	return rows
}
