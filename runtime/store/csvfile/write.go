package csvfile

import (
	"context"
	"errors"
	"github.com/cubeloom/cubeloom/sql/value/long"
	"io"
	"iter"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/ordered"
	"github.com/cubeloom/cubeloom/sql/value"
)

// pieceRows is how many rows one goroutine formats at a time.
const pieceRows = 16 * runtime.CellRows

// Write writes a relation, whose columns are named and typed by columns, and
// returns the number of its rows. Each call of w.Write is one row, or the header,
// as the wire protocol wants it: writers that do not care are buffered. Rows are
// formatted by up to threads goroutines. What has been written when it fails
// stays written.
func Write(ctx context.Context, w io.Writer, rel runtime.Relation, columns []store.Column, opt Options, threads int) (int64, error) {
	f := newFormatter(ctx, &opt, columns)
	if opt.Header {
		if _, err := w.Write(f.header()); err != nil {
			return 0, writeError(err)
		}
	}
	next, from, block := 0, 0, runtime.Block{}
	account := runtime.AccountOf(ctx)
	err := ordered.Run(threads, func() (func() (written, error), error) {
		for from >= block.Rows {
			if next == rel.Blocks() {
				return nil, nil
			}
			var err error
			if block, err = rel.Load(next, f.ordinals); err != nil {
				return nil, err
			}
			next, from = next+1, 0
		}
		b, first := block, from
		last, bytes := f.chunk(&b, first)
		from = last
		return func() (written, error) {
			if err := account.Grow(bytes); err != nil {
				return written{}, err
			}
			rows := f.rows(&b, first, last)
			rows.charged = bytes
			return rows, ctx.Err()
		}, nil
	}, func(rows written) error {
		defer account.Shrink(rows.charged)
		start := 0
		for _, end := range rows.ends {
			if _, err := w.Write(rows.text[start:end]); err != nil {
				return writeError(err)
			}
			start = end
		}
		return nil
	})
	return rel.Rows(), err
}

// written is the text of some rows, and where each of them ends in it.
type written struct {
	text    []byte
	ends    []int
	charged int64
}

// pieceText is how much text of a column one goroutine formats at a time, in bytes, if
// that is more than a row.
const pieceText = 4 << 20

// chunk returns the end of the rows from from on that are formatted at a time, and what
// their text takes at the most, which grows by doubling.
func (f *formatter) chunk(b *runtime.Block, from int) (to int, bytes int64) {
	const perValue, perByte = 64, 2 // each byte may need an escape
	to = min(from+pieceRows, b.Rows)
	for to > from+1 && f.texts(b, from, to) > pieceText {
		to = from + (to-from)/2
	}
	return to, 2 * (perValue*int64(to-from)*int64(len(f.columns)) + perByte*f.texts(b, from, to))
}

// texts is the length of the texts of some rows.
func (f *formatter) texts(b *runtime.Block, from, to int) (bytes int64) {
	for c, col := range f.columns {
		bytes += b.Cols[c].TextBytes(from, to)
		if col.Type.Padded {
			bytes += int64(to-from) * int64(col.Type.Length)
		}
	}
	return bytes
}

// writeError is an error of the writer, unless it says itself what it is.
func writeError(err error) error {
	var e *value.Error
	if errors.As(err, &e) {
		return e
	}
	return value.Errorf(value.CodeIO, "could not write: %v", err)
}

// formatter writes rows; it is safe for concurrent use.
type formatter struct {
	ctx      context.Context
	opt      *Options
	columns  []store.Column
	ordinals []int
	force    []bool    // always quote
	plain    []bool    // no value of the column needs a quote or an escape
	special  [256]bool // what cannot stand in a text as it is
}

// newFormatter makes a formatter of columns.
func newFormatter(ctx context.Context, opt *Options, columns []store.Column) *formatter {
	f := &formatter{ctx: ctx, opt: opt, columns: columns, ordinals: make([]int, len(columns)), force: make([]bool, len(columns)), plain: make([]bool, len(columns))}
	marks := "\n\r" + string([]byte{opt.Delimiter, opt.Quote})
	if opt.Text {
		marks = "\b\f\n\r\t\v\\" + string([]byte{opt.Delimiter})
	}
	for i := range len(marks) {
		f.special[marks[i]] = true
	}
	unmarked := !inValues(opt.Delimiter) && (opt.Text || !inValues(opt.Quote) && !looksLikeValue(opt.Null))
	for i, c := range columns {
		f.ordinals[i] = i
		f.force[i] = !opt.Text && opt.ForceQuote.has(c.Name)
		f.plain[i] = unmarked && !f.force[i] && !c.Type.IsString() && c.Type.Kind != algebra.Enum
	}
	return f
}

// inValues reports whether a character may stand in a value that is not a text.
func inValues(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.IndexByte("+-.: ", c) >= 0
}

// looksLikeValue reports whether s could be a value that is not a text.
func looksLikeValue(s string) bool {
	for i := range len(s) {
		if !inValues(s[i]) {
			return false
		}
	}
	return s != ""
}

// header is the line of the column names.
func (f *formatter) header() []byte {
	var out []byte
	for i, c := range f.columns {
		if i > 0 {
			out = append(out, f.opt.Delimiter)
		}
		out = f.field(out, []byte(c.Name), false)
	}
	return append(out, '\n')
}

// rows writes rows from to to-1 of a block, not all of them where ctx ends.
func (f *formatter) rows(b *runtime.Block, from, to int) written {
	out := make([]byte, 0, (to-from)*len(f.columns)*8)
	ends := make([]int, 0, to-from)
	cells := make([]runtime.Cells, len(f.columns))
	for c := range cells {
		cells[c].Zone, cells[c].Style, cells[c].Names = f.opt.Zone, f.opt.Style, f.opt.Names
	}
	for ; from < to; from += runtime.CellRows {
		rows := min(runtime.CellRows, to-from)
		for c := range cells {
			cells[c].Text(b.Cols[c], f.columns[c].Type, from, from+rows)
		}
		for i := range rows {
			out = f.row(out, cells, i)
			ends = append(ends, len(out))
		}
	}
	return written{text: out, ends: ends}
}

// row writes row i of the cells.
func (f *formatter) row(out []byte, cells []runtime.Cells, i int) []byte {
	for c := range cells {
		if c > 0 {
			out = append(out, f.opt.Delimiter)
		}
		switch cell := &cells[c]; {
		case cell.IsNull(i):
			out = append(out, f.opt.Null...)
		case f.plain[c]:
			out = long.AppendBytes(out, cell.Bytes(i))
		default:
			out = f.field(out, cell.Bytes(i), f.force[c])
		}
	}
	return append(out, '\n')
}

// field writes a field, with quotes or escapes where it needs them.
func (f *formatter) field(out, text []byte, force bool) []byte {
	if f.opt.Text {
		return f.escape(out, text)
	}
	if force || string(text) == f.opt.Null || len(f.columns) == 1 && string(text) == `\.` || f.isSpecial(text) {
		return f.quote(out, text)
	}
	return long.AppendBytes(out, text)
}

// isSpecial reports whether a text cannot stand as it is.
func (f *formatter) isSpecial(text []byte) bool {
	for chunk := range f.chunks(text) {
		for _, c := range chunk {
			if f.special[c] {
				return true
			}
		}
	}
	return false
}

// fieldPiece is how much of a field is looked at between two looks at the context.
const fieldPiece = 1 << 20

// chunks are the chunks of a text, until ctx ends.
func (f *formatter) chunks(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(text) > fieldPiece && yield(text[:fieldPiece]) {
			if text = text[fieldPiece:]; f.ctx.Err() != nil {
				return
			}
		}
		if len(text) <= fieldPiece {
			yield(text)
		}
	}
}

// quote writes a field of CSV with quotes.
func (f *formatter) quote(out, text []byte) []byte {
	out = append(out, f.opt.Quote)
	for chunk := range f.chunks(text) {
		out = long.Grow(out, 2*len(chunk))
		for _, c := range chunk {
			if c == f.opt.Quote || c == f.opt.Escape {
				out = append(out, f.opt.Escape)
			}
			out = append(out, c)
		}
	}
	return append(out, f.opt.Quote)
}

// letters are the escapes of the text format that are not the character itself.
var letters = map[byte]byte{'\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't', '\v': 'v'}

// escape writes a field of the text format.
func (f *formatter) escape(out, text []byte) []byte {
	for chunk := range f.chunks(text) {
		out = f.escapeChunk(out, chunk)
	}
	return out
}

func (f *formatter) escapeChunk(out, text []byte) []byte {
	out = long.Grow(out, 2*len(text))
	done := 0
	for i, c := range text {
		if !f.special[c] {
			continue
		}
		out = append(append(out, text[done:i]...), '\\')
		done = i + 1
		if letter, ok := letters[c]; ok {
			c = letter
		}
		out = append(out, c)
	}
	return append(out, text[done:]...)
}
