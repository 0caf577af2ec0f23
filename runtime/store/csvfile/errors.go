package csvfile

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/cubeloom/cubeloom/sql/value"
)

// shownBytes is how much of a bad value an error shows.
const shownBytes = 100

// fail adds the row's place to an error: the table or the file, line and row. A user
// error becomes a copy; any other error is left alone.
func (p *parser) fail(err error) error {
	row := p.data[p.row:]
	return p.place.of(err, p.line, "", row[:p.rowLength(row)])
}

// failAt adds the place of a field of the row to an error: the table or the file, line,
// column and value.
func (p *parser) failAt(column string, raw []byte, err error) error {
	return p.place.of(err, p.line, ", column "+column, raw)
}

// of adds a place to an error.
func (at Place) of(err error, line int, column string, raw []byte) error {
	var e *value.Error
	if !errors.As(err, &e) {
		return err
	}
	located := *e
	located.Pos = value.NoPos
	where := "COPY " + at.Table
	if at.Table == "" {
		where = fmt.Sprintf("file %q", at.File)
	}
	located.Where = fmt.Sprintf("%s, line %d%s: %s", where, line, column, shown(raw))
	return &located
}

// rowLength is the length of the row that data starts with, without its line end.
func (p *parser) rowLength(data []byte) int {
	s := splitter{opt: p.opt, rows: 1, buf: data}
	var at scan
	if s.scan(&at); at.rows == 0 {
		return len(data)
	}
	return len(bytes.TrimRight(data[:at.end], "\r\n"))
}

// shown is a value as an error shows it: in quotes, with escapes where it is no text.
func shown(raw []byte) string {
	text := string(raw)
	if len(raw) > shownBytes {
		n := shownBytes
		for n > 0 && !utf8.RuneStart(raw[n]) {
			n--
		}
		text = string(raw[:n]) + "..."
	}
	if checkText([]byte(text)) != nil {
		return strconv.Quote(text)
	}
	return `"` + text + `"`
}

// checkText refuses bytes that are not UTF-8, and NUL.
func checkText(raw []byte) error {
	for i := 0; i < len(raw); {
		r, size := utf8.DecodeRune(raw[i:])
		if r == 0 || r == utf8.RuneError && size == 1 {
			return value.Errorf(value.CodeUntranslatable, "invalid byte sequence for encoding \"UTF8\": 0x%02x", raw[i])
		}
		i += size
	}
	return nil
}
