package server

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/planner/value"
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

// sendRows sends rows of a cursor, at most limit where that is positive, and
// gives their number and whether the cursor is at its end.
func (s *session) sendRows(cur *cubeloom.Cursor, columns []cubeloom.Column, formats []int16, limit int64) (n int64, end bool, err error) {
	for limit <= 0 || n < limit {
		if !cur.Next() {
			return n, true, cur.Err()
		}
		s.conn.out = appendDataRow(s.conn.out, cur, columns, formats)
		n++
		if len(s.conn.out) >= flushSize {
			s.conn.flush()
			if s.conn.err != nil {
				return n, true, s.conn.err
			}
			if err := s.interrupted(); err != nil {
				return n, true, err
			}
		}
	}
	return n, false, nil
}

// appendDataRow appends the message of one row.
func appendDataRow(out []byte, cur *cubeloom.Cursor, columns []cubeloom.Column, formats []int16) []byte {
	start := len(out)
	out = append(out, 'D', 0, 0, 0, 0)
	out = binary.BigEndian.AppendUint16(out, uint16(len(columns)))
	for i := range columns {
		at := len(out)
		out = append(out, 0xff, 0xff, 0xff, 0xff)
		if cur.IsNull(i) {
			continue
		}
		if formatOf(formats, i) == pgproto3.BinaryFormat {
			out = cur.AppendBinary(out, i)
		} else {
			out = cur.AppendText(out, i)
		}
		binary.BigEndian.PutUint32(out[at:], uint32(len(out)-at-4))
	}
	binary.BigEndian.PutUint32(out[start+1:], uint32(len(out)-start-1))
	return out
}

// validText checks a text that a client sent.
func validText(b []byte) (string, error) {
	text := string(b)
	if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
		return "", value.Errorf(value.CodeUntranslatable, "invalid byte sequence for encoding \"UTF8\"")
	}
	return text, nil
}
