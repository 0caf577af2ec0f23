package eval

import (
	"cmp"
	"strings"

	"github.com/cubeloom/cubeloom/sql/value"
)

// Compare orders two values of one kind, neither NULL, as SQL does: text by
// its bytes, NaN equal to itself and above every other number.
func Compare(a, b value.Value) int {
	switch a.Kind {
	case value.Bool:
		return cmp.Compare(bit(a.B), bit(b.B))
	case value.Int:
		return cmp.Compare(a.I, b.I)
	case value.Float:
		return value.CmpFloat64(a.F, b.F)
	case value.Decimal:
		return a.Num.Cmp(b.Num)
	case value.Text:
		return strings.Compare(a.S, b.S)
	case value.Intervals:
		return a.Interval.Cmp(b.Interval)
	}
	return 0
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
