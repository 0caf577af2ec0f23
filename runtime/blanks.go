package runtime

import (
	"unicode/utf8"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// maxBlanks bounds what Cells take for the blanks of character(n), in bytes of a column.
const maxBlanks = 1 << 20

// CellRowsOf is how many rows a caller formats at a time of a column of some type: CellRows,
// but for those whose blanks would take too much.
func CellRowsOf(t algebra.Type) int {
	if !hasBlanks(t) {
		return CellRows
	}
	return max(1, min(CellRows, maxBlanks/int(t.Length)))
}

// hasBlanks reports whether values are shown with blanks that they are kept without.
func hasBlanks(t algebra.Type) bool { return t.IsChar() && t.Length > 0 }

// appendBlanks appends the blanks that follow a value of character(n).
func appendBlanks(dst []byte, s string, t algebra.Type) []byte {
	for n := utf8.RuneCountInString(s); n < int(t.Length); n++ {
		dst = append(dst, ' ')
	}
	return dst
}

// isPadded reports whether a chunk holds values of character(n), and not NULLs alone.
func isPadded(chunk *Chunk, t algebra.Type) bool {
	return hasBlanks(t) && chunk.Nulls < chunk.Rows && (chunk.Type == kernel.Str || chunk.Type == kernel.Code)
}
