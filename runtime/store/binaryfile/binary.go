// Package binaryfile reads and writes tables in PostgreSQL's binary COPY format.
package binaryfile

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"github.com/cubeloom/cubeloom/sql/value/long"
	"io"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value"
)

// signature begins every file.
const signature = "PGCOPY\n\xff\r\n\x00"

// hasOIDs is a flag of files that PostgreSQL before version 12 wrote.
const hasOIDs = 1 << 16

// maxField bounds a field, in bytes, as in PostgreSQL.
const maxField = 1 << 30

// perValue is what a value takes in a batch, in bytes, that of its text aside.
const perValue = 24

// checkRows is how often cancellation is looked for.
const checkRows = 1024

// Write writes a relation, whose columns are typed by columns, and returns the
// number of its rows. Each call of w.Write is one row, the first with the header
// before it as PostgreSQL sends them, or the trailer.
func Write(ctx context.Context, w io.Writer, rel runtime.Relation, columns []store.Column) (int64, error) {
	ordinals := make([]int, len(columns))
	part := runtime.CellRows
	for i, c := range columns {
		ordinals[i] = i
		part = min(part, runtime.CellRowsOf(c.Type))
	}
	cells := make([]runtime.Cells, len(columns))
	row := append([]byte(signature), make([]byte, 8)...)
	for n := range rel.Blocks() {
		block, err := rel.Load(n, ordinals)
		if err != nil {
			return 0, err
		}
		for from := 0; from < block.Rows; from += part {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			to := min(from+part, block.Rows)
			for c := range cells {
				cells[c].Binary(block.Cols[c], columns[c].Type, from, to)
			}
			for i := range to - from {
				row = appendRow(row, cells, i)
				if _, err := w.Write(row); err != nil {
					return 0, writeError(err)
				}
				row = row[:0]
			}
		}
	}
	if _, err := w.Write(append(row, 0xff, 0xff)); err != nil {
		return 0, writeError(err)
	}
	return rel.Rows(), nil
}

// appendRow appends the fields of row i, each with its length, -1 for NULL.
func appendRow(dst []byte, cells []runtime.Cells, i int) []byte {
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(cells)))
	for c := range cells {
		if cells[c].IsNull(i) {
			dst = append(dst, 0xff, 0xff, 0xff, 0xff)
			continue
		}
		cell := cells[c].Bytes(i)
		dst = long.AppendBytes(binary.BigEndian.AppendUint32(dst, uint32(len(cell))), cell)
	}
	return dst
}

// writeError is an error of the writer, unless it says itself what it is.
func writeError(err error) error {
	var e *value.Error
	if errors.As(err, &e) {
		return e
	}
	return value.Errorf(value.CodeIO, "could not write: %v", err)
}

// Load appends rows to a table: field i goes to column columns[i] of the table,
// the columns that are not named get NULL. It returns the number of rows. A bad
// row ends it with an error that says line and column.
func Load(ctx context.Context, r io.Reader, app *store.Appender, columns []int) (int64, error) {
	l := &loader{in: bufio.NewReaderSize(r, 64<<10), columns: columns, batch: app.NewBatch(), table: app.Table(), meter: runtime.NewMeter(ctx)}
	defer l.meter.Release()
	if err := l.header(); err != nil {
		return 0, err
	}
	before := app.Rows()
	for {
		if l.line%checkRows == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		more, err := l.row()
		if err != nil {
			return 0, l.place(err)
		}
		if !more || l.batch.Full() {
			part, err := l.batch.Seal()
			if err != nil {
				return 0, err
			}
			if err := app.Add(part); err != nil {
				return 0, err
			}
			l.meter.Shrink(l.meter.Used())
		}
		if !more {
			return app.Rows() - before, nil
		}
	}
}

// loader is the state of one Load.
type loader struct {
	in      *bufio.Reader
	columns []int
	batch   *store.Batch
	table   *store.Table
	line    int64  // the row that is read, from 1
	column  string // the field that is read, or ""
	field   []byte
	meter   *value.Meter // of the field and the batch
}

// bad is the error for bytes that are not of the format.
func bad(format string, args ...any) error {
	return value.Errorf(value.CodeBadCopyFormat, format, args...)
}

// header reads what stands before the rows.
func (l *loader) header() error {
	head := make([]byte, len(signature)+8)
	if _, err := io.ReadFull(l.in, head); err != nil {
		return readError(err, "COPY file signature not recognized")
	}
	flags, extension := binary.BigEndian.Uint32(head[len(signature):]), binary.BigEndian.Uint32(head[len(signature)+4:])
	switch {
	case string(head[:len(signature)]) != signature:
		return bad("COPY file signature not recognized")
	case flags&hasOIDs != 0:
		return bad("invalid COPY file header (WITH OIDS)")
	case flags>>16 != 0:
		return bad("unrecognized critical flags in COPY file header")
	case int32(extension) < 0:
		return bad("invalid COPY file header (missing length)")
	}
	if _, err := io.CopyN(io.Discard, l.in, int64(extension)); err != nil {
		return readError(err, "invalid COPY file header (wrong length)")
	}
	return nil
}

// readError is an error of the reader; an early end has a message of its own.
func readError(err error, early string) error {
	var e *value.Error
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return bad("%s", early)
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return value.Errorf(value.CodeIO, "could not read the input: %v", err)
}

// row reads a row into the batch; false at the trailer.
func (l *loader) row() (more bool, err error) {
	l.line++
	l.column = ""
	var word [4]byte
	if _, err := io.ReadFull(l.in, word[:2]); err != nil {
		if err == io.EOF {
			return false, nil // PostgreSQL takes a missing trailer, too
		}
		return false, readError(err, "unexpected EOF in COPY data")
	}
	switch n := int(int16(binary.BigEndian.Uint16(word[:]))); {
	case n == -1:
		if _, err := l.in.ReadByte(); err == nil {
			return false, bad("received copy data after EOF marker")
		} else if err != io.EOF {
			return false, readError(err, "")
		}
		return false, nil
	case n != len(l.columns):
		return false, bad("row field count is %d, expected %d", n, len(l.columns))
	}
	given := make([]bool, len(l.table.Columns()))
	for _, c := range l.columns {
		given[c] = true
		if err := l.readField(c); err != nil {
			return false, err
		}
	}
	for c, has := range given {
		if !has {
			if err := l.null(c); err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// readField reads the field of column c.
func (l *loader) readField(c int) error {
	col := &l.table.Columns()[c]
	l.column = col.Name
	var word [4]byte
	if _, err := io.ReadFull(l.in, word[:]); err != nil {
		return readError(err, "unexpected EOF in COPY data")
	}
	n := int(int32(binary.BigEndian.Uint32(word[:])))
	switch {
	case n == -1:
		return l.null(c)
	case n < 0 || n > maxField:
		return bad("invalid field size")
	}
	if err := l.meter.Grow(perValue); err != nil {
		return err
	}
	// Memory grows with what has arrived and not with what was announced.
	l.field = l.field[:0]
	for len(l.field) < n {
		step := min(n-len(l.field), 64<<10)
		at := len(l.field)
		// In the field and the value, and in a column that grows by doubling.
		if err := l.meter.Grow(4 * step); err != nil {
			return err
		}
		l.field = long.AppendZeros(l.field, step)
		if _, err := io.ReadFull(l.in, l.field[at:]); err != nil {
			return readError(err, "unexpected EOF in COPY data")
		}
	}
	v, err := runtime.ParseBinary(l.field, col.Type)
	if err != nil {
		return err
	}
	return l.store(c, col.Type, v)
}

// null appends a NULL to column c where it takes one.
func (l *loader) null(c int) error {
	if col := &l.table.Columns()[c]; col.NotNull {
		e := value.Errorf(value.CodeNotNullViolation,
			"null value in column %q of relation %q violates not-null constraint", col.Name, l.table.Name())
		e.Object = l.table.Column(col.Name)
		return e
	}
	l.batch.Col(c).Null()
	return nil
}

// store appends a value to column c, whose precision or length it must suit.
func (l *loader) store(c int, t algebra.Type, v value.Value) error {
	switch {
	case t.Kind == algebra.Decimal:
		coef, err := v.Num.Decimal(int(t.Precision), int(t.Scale))
		if err != nil {
			return err
		}
		l.batch.Col(c).Decimal(coef)
		return nil
	case t.Kind == algebra.Interval:
		v.Interval = t.Cut(v.Interval)
	case t.HasTimeModifier():
		v.I = t.Rounded(v.I)
	case t.Kind == algebra.Text && t.Length > 0:
		text, err := value.Clip(nil, v.S, t.Length, algebra.LimitedBy(t))
		if err != nil {
			return err
		}
		v.S = text
		if t.Padded {
			v.S = strings.TrimRight(text, " ")
		}
	}
	return l.batch.Col(c).Append(v)
}

// place adds line and column to an error.
func (l *loader) place(err error) error {
	var e *value.Error
	if !errors.As(err, &e) {
		return err
	}
	located := *e
	located.Where = fmt.Sprintf("COPY %s, line %d", l.table.Name(), l.line)
	if l.column != "" {
		located.Where += ", column " + l.column
	}
	return &located
}
