package csvfile

import (
	"bytes"
	"unicode/utf8"

	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value"
)

// newParser makes a parser whose fields are set by the caller.
func newParser(opt *Options, at Place, batch *store.Batch) *parser {
	p := &parser{opt: opt, place: at, batch: batch}
	p.class[opt.Delimiter] = delimiterByte
	p.class['\n'], p.class['\r'] = newlineByte, returnByte
	if opt.Text {
		p.class['\\'] = quoteByte
	} else {
		p.class[opt.Quote] = quoteByte
	}
	return p
}

// setFields has field i of a row go to column columns[i] of the batch, and NULL to
// the other columns.
func (p *parser) setFields(all []store.Column, columns []int) {
	given := make([]bool, len(all))
	p.fields = make([]target, len(columns))
	for i, c := range columns {
		given[c] = true
		p.fields[i] = target{
			column:  all[c],
			buffer:  p.batch.Col(c),
			notNull: p.opt.ForceNotNull.has(all[c].Name),
			null:    p.opt.ForceNullable.has(all[c].Name),
		}
	}
	for c := range all {
		if !given[c] {
			p.others = append(p.others, p.batch.Col(c))
			p.lacks = p.lacks || all[c].NotNull
		}
	}
}

// parse appends the rows of a chunk, and calls full whenever the batch is.
func (p *parser) parse(chunk *chunk, full func() error) error {
	data := chunk.data
	p.data, p.line, p.broken = data, chunk.line, p.lacks
	p.unclean = !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0
	for i := 0; i < len(data) && !p.ended; {
		p.row, p.lines = i, 0
		var err error
		if i, err = p.readRow(data, i); err != nil {
			return err
		}
		if p.ended {
			return nil
		}
		for _, b := range p.others {
			b.Null()
		}
		if p.broken {
			return p.fail(p.batch.CheckNulls())
		}
		p.line += p.lines + 1
		if p.batch.Full() {
			if err := full(); err != nil {
				return err
			}
		}
	}
	return nil
}

// readRow reads one row that starts at i and returns where the next one starts.
func (p *parser) readRow(data []byte, i int) (int, error) {
	if end, ok := endMarker(data, i); ok {
		p.ended = true
		return end, nil
	}
	for field := 0; ; field++ {
		start := i
		for i < len(data) && p.class[data[i]] == plainByte {
			i++
		}
		raw, quoted, isNull := data[start:i], false, false
		var err error
		switch {
		case i == len(data) || p.class[data[i]] != quoteByte:
			isNull = string(raw) == p.opt.Null
		case p.opt.Text:
			raw, isNull, i = p.escaped(data, start)
		default:
			raw, i, err = p.quoted(data, start)
			quoted, isNull = true, string(raw) == p.opt.Null
		}
		if err == nil {
			err = p.put(field, raw, quoted, isNull)
		}
		if err != nil {
			return i, err
		}
		next, last, err := p.fieldEnd(data, i)
		if err != nil {
			return i, err
		}
		if last {
			return next, p.rowEnd(field + 1)
		}
		i = next
	}
}

// fieldEnd looks at what ends a field: where the next field or row starts, and
// whether the row ends.
func (p *parser) fieldEnd(data []byte, i int) (next int, last bool, err error) {
	switch {
	case i == len(data):
		return i, true, nil
	case data[i] == '\n':
		return i + 1, true, nil
	case data[i] != '\r':
		return i + 1, false, nil
	case i+1 == len(data):
		return i + 1, true, nil
	case data[i+1] == '\n':
		return i + 2, true, nil
	}
	hint := "Use quoted CSV field to represent carriage return."
	if p.opt.Text {
		hint = `Use "\r" to represent carriage return.`
	}
	return i, false, p.fail(&value.Error{Code: value.CodeBadCopyFormat, Hint: hint,
		Message: "unquoted carriage return found in data"})
}

// quoted reads a field with quotes in it, which starts at i, into scratch. As
// PostgreSQL does, it takes quotes anywhere in a field.
func (p *parser) quoted(data []byte, i int) (raw []byte, end int, err error) {
	p.scratch = p.scratch[:0]
	inside := false
	for ; i < len(data); i++ {
		c := data[i]
		switch {
		case !inside && c == p.opt.Quote:
			inside = true
			continue
		case !inside && p.class[c] != plainByte:
			return p.scratch, i, nil
		case inside && c == p.opt.Escape && i+1 < len(data) && (data[i+1] == p.opt.Quote || data[i+1] == p.opt.Escape):
			i++
			c = data[i]
		case inside && c == p.opt.Quote:
			inside = false
			continue
		case c == '\n':
			p.lines++
		}
		p.scratch = append(p.scratch, c)
	}
	if inside {
		return nil, i, p.fail(value.Errorf(value.CodeBadCopyFormat, "unterminated CSV quoted field"))
	}
	return p.scratch, i, nil
}

// endMarker reports whether the line at i, where a row starts, is \. alone: that
// ends the data in both formats.
func endMarker(data []byte, i int) (end int, ok bool) {
	rest := data[i:]
	if !bytes.HasPrefix(rest, []byte(`\.`)) {
		return 0, false
	}
	line, _, _ := bytes.Cut(rest, newline)
	return len(data), len(bytes.TrimSuffix(line, []byte{'\r'})) == 2
}

// rowEnd checks that a row had all its fields.
func (p *parser) rowEnd(fields int) error {
	if fields < len(p.fields) {
		return p.fail(value.Errorf(value.CodeBadCopyFormat, "missing data for column %q", p.fields[fields].column.Name))
	}
	return nil
}

// put appends a field, which was quoted, and as a text is that of NULL, or not.
func (p *parser) put(field int, raw []byte, quoted, isNull bool) error {
	if p.collect != nil {
		p.collect(raw, !quoted && isNull)
		return nil
	}
	if field >= len(p.fields) {
		return p.extra()
	}
	f := &p.fields[field]
	if f.buffer == nil {
		return nil
	}
	if isNull && (quoted && f.null || !quoted && !f.notNull) {
		return p.null(f)
	}
	return p.convert(f, raw)
}

// null appends a NULL, which may be wrong.
func (p *parser) null(f *target) error {
	p.broken = p.broken || f.column.NotNull
	f.buffer.Null()
	return nil
}

// extra refuses a field beyond the last column. A table has a column at least.
func (p *parser) extra() error {
	return p.fail(value.Errorf(value.CodeBadCopyFormat, "extra data after last expected column"))
}
