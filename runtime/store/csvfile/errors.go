package csvfile

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/cubeloom/cubeloom/runtime/store"
)

// place says what is being read, for errors.
type place struct {
	file  string // empty: standard input
	table string // empty: none
}

// shownBytes is how much of a bad value an error shows.
const shownBytes = 100

// fail adds the row's place to an error.
func (p *parser) fail(err error) error { return p.failAt(nil, nil, err) }

// failAt adds the place of a field of the row to an error: file, line, column
// and value. A user error becomes a copy; any other error is left alone.
func (p *parser) failAt(column *store.Column, raw []byte, err error) error {
	var e *value.Error
	if !errors.As(err, &e) {
		return err
	}
	var b strings.Builder
	if p.place.table != "" {
		fmt.Fprintf(&b, "COPY %s, ", p.place.table)
	}
	if p.place.file != "" {
		fmt.Fprintf(&b, "file %q, ", p.place.file)
	}
	fmt.Fprintf(&b, "line %d", p.line)
	if column != nil {
		fmt.Fprintf(&b, ", column %s", column.Name)
	}
	if raw != nil {
		fmt.Fprintf(&b, ": %q", shown(raw))
	}
	located := *e
	located.Pos = value.NoPos
	located.Where = b.String()
	return &located
}

// shown is the value as an error shows it.
func shown(raw []byte) string {
	if len(raw) <= shownBytes {
		return string(raw)
	}
	n := shownBytes
	for n > 0 && !utf8.RuneStart(raw[n]) {
		n--
	}
	return string(raw[:n]) + "..."
}
