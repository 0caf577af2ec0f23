package csvfile

import (
	"context"
	"errors"
	"io"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/ordered"
)

// Write writes a relation, whose columns are named and typed by columns, and
// gives the number of its rows. Each call of w.Write is one row, or the header,
// as the wire protocol wants it: writers that do not care are buffered. Up to threads blocks are formatted at the same
// time. What has been written when it fails stays written.
func Write(ctx context.Context, w io.Writer, rel runtime.Relation, columns []store.Column, opt Options, threads int) (int64, error) {
	f := &formatter{opt: &opt, columns: columns, ordinals: make([]int, len(columns)), force: make([]bool, len(columns))}
	for i, c := range columns {
		f.ordinals[i] = i
		f.force[i] = !opt.Text && opt.ForceQuote.has(c.Name)
	}
	if opt.Header {
		if _, err := w.Write(f.header()); err != nil {
			return 0, writeError(err)
		}
	}
	next := 0
	err := ordered.Run(threads, func() (func() (written, error), error) {
		if err := ctx.Err(); err != nil || next == rel.Blocks() {
			return nil, err
		}
		n := next
		next++
		return func() (written, error) {
			b, err := rel.Load(n, f.ordinals)
			if err != nil {
				return written{}, err
			}
			return f.block(&b), nil
		}, nil
	}, func(rows written) error {
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

// written is the text of a block, and where each row ends in it.
type written struct {
	text []byte
	ends []int
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
	opt      *Options
	columns  []store.Column
	ordinals []int
	force    []bool // always quote
}

// header is the line of the column names.
func (f *formatter) header() []byte {
	var out []byte
	for i, c := range f.columns {
		if i > 0 {
			out = append(out, f.opt.Delimiter)
		}
		out = f.text(out, c.Name, false)
	}
	return append(out, '\n')
}

// block writes the rows of a block.
func (f *formatter) block(b *runtime.Block) written {
	out := make([]byte, 0, b.Rows*len(f.columns)*8)
	ends := make([]int, b.Rows)
	var scratch []byte
	for i := range b.Rows {
		for c, chunk := range b.Cols[:len(f.columns)] {
			if c > 0 {
				out = append(out, f.opt.Delimiter)
			}
			if !chunk.IsValid(i) {
				out = append(out, f.opt.Null...)
				continue
			}
			if t := f.columns[c].Type; t.Kind == algebra.Text {
				out = f.text(out, chunk.TextAt(i), f.force[c])
			} else {
				scratch = appendValue(scratch[:0], chunk, i, t)
				out = f.plain(out, scratch, f.force[c])
			}
		}
		out = append(out, '\n')
		ends[i] = len(out)
	}
	return written{out, ends}
}

// appendValue writes a value that is neither NULL nor text.
func appendValue(dst []byte, c *runtime.Chunk, i int, t algebra.Type) []byte {
	switch v := c.Value(i, t); t.Kind {
	case algebra.Bool:
		if v.B {
			return append(dst, 't')
		}
		return append(dst, 'f')
	case algebra.Float64:
		return value.AppendFloat64(dst, v.F)
	case algebra.Decimal, algebra.Numeric:
		return v.Num.Append(dst)
	case algebra.Date:
		return value.AppendDate(dst, int32(v.I))
	case algebra.Timestamp:
		return value.AppendTimestamp(dst, v.I)
	case algebra.Interval:
		return append(dst, v.Interval.String()...)
	default:
		return value.Int128Of(v.I).Append(dst)
	}
}

// plain writes a value's text, which may need quotes but has no character that
// must be escaped within them but a delimiter, as interval and float have none.
func (f *formatter) plain(out, text []byte, force bool) []byte {
	for _, c := range text {
		if c == f.opt.Delimiter || c == f.opt.Quote && !f.opt.Text {
			return f.text(out, string(text), force)
		}
	}
	if force || !f.opt.Text && string(text) == f.opt.Null {
		return f.quote(out, string(text))
	}
	return append(out, text...)
}

// text writes a text, with quotes or escapes where it needs them.
func (f *formatter) text(out []byte, s string, force bool) []byte {
	if f.opt.Text {
		return f.escape(out, s)
	}
	if force || s == f.opt.Null || len(f.columns) == 1 && s == `\.` || f.special(s) {
		return f.quote(out, s)
	}
	return append(out, s...)
}

// special tells whether a field of CSV cannot stand without quotes.
func (f *formatter) special(s string) bool {
	for i := range len(s) {
		if c := s[i]; c == f.opt.Delimiter || c == f.opt.Quote || c == '\n' || c == '\r' {
			return true
		}
	}
	return false
}

// quote writes a field of CSV with quotes.
func (f *formatter) quote(out []byte, s string) []byte {
	out = append(out, f.opt.Quote)
	for i := range len(s) {
		if s[i] == f.opt.Quote || s[i] == f.opt.Escape {
			out = append(out, f.opt.Escape)
		}
		out = append(out, s[i])
	}
	return append(out, f.opt.Quote)
}

// escape writes a field of the text format.
func (f *formatter) escape(out []byte, s string) []byte {
	for i := range len(s) {
		switch c := s[i]; c {
		case '\b':
			out = append(out, `\b`...)
		case '\f':
			out = append(out, `\f`...)
		case '\n':
			out = append(out, `\n`...)
		case '\r':
			out = append(out, `\r`...)
		case '\t':
			out = append(out, `\t`...)
		case '\v':
			out = append(out, `\v`...)
		default:
			if c == '\\' || c == f.opt.Delimiter {
				out = append(out, '\\')
			}
			out = append(out, c)
		}
	}
	return out
}
