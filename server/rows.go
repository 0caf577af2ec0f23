package server

import (
	"strings"
	"unicode/utf8"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/jackc/pgproto3/v2"
)

// rowDescription describes the columns of a result in the formats that Bind
// asked for.
func rowDescription(columns []cubeloom.Column, formats []int16) *pgproto3.RowDescription {
	msg := &pgproto3.RowDescription{Fields: make([]pgproto3.FieldDescription, len(columns))}
	for i, col := range columns {
		t := wireTypeOf(col.Type)
		msg.Fields[i] = pgproto3.FieldDescription{
			Name: []byte(col.Name), DataTypeOID: t.oid, DataTypeSize: t.size, TypeModifier: t.modifier,
			Format: formatOf(formats, i),
		}
	}
	return msg
}

// formatOf is the format of column or parameter i: none said is text, one said
// is for all.
func formatOf(formats []int16, i int) int16 {
	switch {
	case len(formats) == 0:
		return pgproto3.TextFormat
	case len(formats) == 1:
		return formats[0]
	}
	return formats[i]
}

// checkFormats fails where the formats do not suit n columns or parameters.
func checkFormats(formats []int16, n int, what string) error {
	if len(formats) > 1 && len(formats) != n {
		return errProtocol("bind message has %d %s formats but query has %d %ss", len(formats), what, n, what)
	}
	for _, f := range formats {
		if f != pgproto3.TextFormat && f != pgproto3.BinaryFormat {
			return value.Errorf(value.CodeInvalidParameter, "unsupported format code: %d", f)
		}
	}
	return nil
}

// sendRows sends rows of a portal, at most limit where that is positive, and
// returns their number and whether the rows are at their end.
func (s *session) sendRows(p *portal, limit int64) (n int64, end bool, err error) {
	if p.cursor == nil {
		return 0, true, nil
	}
	binary := func(i int) bool { return formatOf(p.formats, i) == pgproto3.BinaryFormat }
	cells := s.cellsFor(len(p.result.Columns))
	defer release(cells)
	for limit <= 0 || n < limit {
		rows := p.cursor.Format(cells, limit-n, binary)
		if rows == 0 {
			return n, true, p.cursor.Err()
		}
		for row := range rows {
			s.sendRow(cells, row)
			if len(s.conn.out) < flushSize {
				continue
			}
			s.conn.flush()
			if s.conn.err != nil {
				return n, true, s.conn.err
			}
			if err := s.interrupted(); err != nil {
				return n, true, err
			}
		}
		n += int64(rows)
	}
	return n, false, nil
}

// cellsFor are cells for n columns. Their memory is the session's, so that a
// client which fetches a few rows at a time does not have it made each time.
func (s *session) cellsFor(n int) []cubeloom.Cells {
	if n > len(s.cells) {
		s.cells = make([]cubeloom.Cells, n)
	}
	return s.cells[:n]
}

func release(cells []cubeloom.Cells) {
	for i := range cells {
		cells[i].Release()
	}
}

// validText checks a text that a client sent.
func validText(text string) error {
	if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
		return value.Errorf(value.CodeUntranslatable, "invalid byte sequence for encoding \"UTF8\"")
	}
	return nil
}
