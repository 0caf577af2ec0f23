package cuda

import (
	"fmt"
	"strings"
)

// Line writes a line.
func (e *Entry) Line(format string, args ...any) {
	e.text.WriteString(strings.Repeat("    ", e.depth))
	fmt.Fprintf(&e.text, format, args...)
	e.text.WriteByte('\n')
}

// Begin opens a block of the source with a line, and End closes it.
func (e *Entry) Begin(format string, args ...any) {
	e.Line("%s", strings.TrimSpace(fmt.Sprintf(format, args...)+" {"))
	e.depth++
}

// Else closes a block of a condition, and opens that of the other case.
func (e *Entry) Else() {
	e.depth--
	e.Begin("} else")
}

func (e *Entry) End() {
	e.depth--
	e.Line("}")
}

// Temp is a new name.
func (e *Entry) Temp(prefix string) string {
	e.temps++
	return fmt.Sprintf("%s_t%d", prefix, e.temps)
}
