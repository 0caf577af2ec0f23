package cuda

import (
	"fmt"
	"strings"
)

// Line writes a line.
func (e *text) Line(format string, args ...any) {
	e.lines.WriteString(strings.Repeat("    ", e.depth))
	fmt.Fprintf(&e.lines, format, args...)
	e.lines.WriteByte('\n')
}

// Begin opens a block of the source with a line, and End closes it.
func (e *text) Begin(format string, args ...any) {
	e.Line("%s", strings.TrimSpace(fmt.Sprintf(format, args...)+" {"))
	e.depth++
}

// Else closes a block of a condition, and opens that of the other case.
func (e *text) Else() {
	e.depth--
	e.Begin("} else")
}

func (e *text) End() { e.endWith("") }

// endWith is End with what follows the block.
func (e *text) endWith(more string) {
	e.depth--
	e.Line("}%s", more)
}

// Temp is a new name.
func (e *text) Temp(prefix string) string {
	e.temps++
	return fmt.Sprintf("%s_t%d", prefix, e.temps)
}
