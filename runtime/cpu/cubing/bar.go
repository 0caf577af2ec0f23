package cubing

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// bar is a condition on an accumulator, other than on the number of rows.
type bar struct {
	kernel.Bar
	op     kernel.AccOp
	arg    int // operand, or -1 for none
	filter int // operand, or -1
}

func newBar(p *plan, b kernel.Bar, acc *kernel.Acc) bar {
	out := bar{Bar: b, op: acc.Op, arg: -1, filter: -1}
	if len(acc.Args) > 0 {
		out.arg = p.operand(acc.Args[0])
	}
	if acc.Filter != kernel.NoValue {
		out.filter = p.operand(acc.Filter)
	}
	return out
}

// start is what the bar's accumulator is of no rows.
func (b *bar) start() int64 {
	switch b.op {
	case kernel.AccMin:
		return math.MaxInt64
	case kernel.AccMax:
		return math.MinInt64
	}
	return 0
}

// passes reports whether a group passes that has had some row that counts.
func (b *bar) passes(x int64) bool {
	if b.AtMost {
		return x <= b.Limit
	}
	return x >= b.Limit
}

// with is what the accumulator becomes with one row. Sums are of numbers that are not
// negative, and stay at the greatest number that there is.
func (b *bar) with(x int64, args []vector.View, row int32) int64 {
	if b.filter >= 0 {
		if f := &args[b.filter]; f.Null != nil && f.Null[row] != 0 || f.IntAt(int(row)) == 0 {
			return x
		}
	}
	if b.arg < 0 {
		return x + 1
	}
	v := &args[b.arg]
	if v.Null != nil && v.Null[row] != 0 {
		return x
	}
	switch b.op {
	case kernel.AccMin:
		return min(x, clamped(v, row))
	case kernel.AccMax:
		return max(x, clamped(v, row))
	case kernel.AccSum:
		sum := x + clamped(v, row)
		if sum < x {
			return math.MaxInt64
		}
		return sum
	}
	return x + 1
}

// clamped is an integer, or the nearest of 64 bits.
func clamped(v *vector.View, row int32) int64 {
	if v.Form != vector.FormI128 {
		return v.IntAt(int(row))
	}
	x := v.I128[row]
	switch {
	case x.Hi == int64(x.Lo)>>63:
		return int64(x.Lo)
	case x.Hi < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}
