package fusion

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators/aggregate"
	"github.com/cubeloom/cubeloom/operators/cubing"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// bars divides conditions on groups into those that a group passes whenever a part of its
// rows does, and the others. A condition that may raise an error is with the others, as is
// each that stands behind it, which it may not be guarded by.
func (c *cube) bars() (bars []cubing.Bar, rest []algebra.Expr) {
	guarded := false
	for _, cond := range c.having {
		guarded = guarded || algebra.MayRaise(cond, nil)
		bar, ok := c.bar(cond)
		if guarded || !ok {
			rest = append(rest, cond)
			continue
		}
		bars = append(bars, bar)
	}
	return bars, rest
}

// flipped are comparisons with their operands exchanged.
var flipped = map[algebra.Func]algebra.Func{algebra.Ge: algebra.Le, algebra.Gt: algebra.Lt, algebra.Le: algebra.Ge, algebra.Lt: algebra.Gt}

// bar returns the bar that a condition is, if it is proven to be one.
func (c *cube) bar(cond algebra.Expr) (b cubing.Bar, ok bool) {
	call, isCall := cond.(*algebra.Call)
	if !isCall || len(call.Args) != 2 || flipped[call.Func] == "" {
		return b, false
	}
	op, x, y := call.Func, uncast(call.Args[0]), uncast(call.Args[1])
	if _, first := x.(*algebra.Const); first {
		op, x, y = flipped[op], y, x
	}
	ref, isRef := x.(*algebra.ColumnRef)
	limit, isConst := y.(*algebra.Const)
	if !isRef || !isConst {
		return b, false
	}
	acc := c.accumulator(ref.Column.ID)
	if acc == nil || !c.rises(acc, op) {
		return b, false
	}
	scale := 0
	if acc.Arg != nil && acc.Op != kernel.AccCount {
		scale = int(acc.Arg.Type().Scale)
	}
	b = cubing.Bar{Acc: acc.Cols[0], AtMost: op == algebra.Le || op == algebra.Lt}
	b.Limit, ok = bound(limit.Val, scale, op)
	sums := acc.Op != kernel.AccMin && acc.Op != kernel.AccMax
	return b, ok && (!sums || b.Limit > 0)
}

// uncast returns what a cast between exact numbers that loses nothing is of.
func uncast(e algebra.Expr) algebra.Expr {
	call, ok := e.(*algebra.Call)
	if !ok || call.Func != algebra.Cast || len(call.Args) != 1 {
		return e
	}
	from := call.Args[0].Type()
	if from.IsInteger() && call.Typ.Kind == algebra.Numeric {
		return call.Args[0]
	}
	return e
}

// accumulator finds the accumulator of a column.
func (c *cube) accumulator(id algebra.ColumnID) *aggregate.Accumulator {
	for i := range c.accs {
		if len(c.accs[i].Cols) == 1 && c.accs[i].Cols[0].ID == id {
			return &c.accs[i]
		}
	}
	return nil
}

// rises reports whether a comparison of an accumulator with a constant only gets truer with
// more rows: counts, and sums of what is proven not to be negative, only grow.
func (c *cube) rises(acc *aggregate.Accumulator, op algebra.Func) bool {
	least := op == algebra.Ge || op == algebra.Gt
	switch {
	case acc.Distinct:
		return false
	case acc.Op == kernel.AccCountStar, acc.Op == kernel.AccCount:
		return least
	}
	switch acc.Op {
	case kernel.AccMin, kernel.AccMax:
		_, ok := algebra.TypeRange(acc.Arg.Type())
		return ok && least == (acc.Op == kernel.AccMax)
	case kernel.AccSum:
		if c.ranges == nil {
			c.ranges = algebra.ColumnRanges(c.node.Input)
		}
		rng, ok := c.ranges.Of(c.args[acc.Cols[0].ID])
		return least && ok && rng.Lo.Sign() >= 0
	}
	return false
}

// bound is the integer of a scale with which a comparison says the same of integers of
// that scale.
func bound(v value.Value, scale int, op algebra.Func) (limit int64, ok bool) {
	x := value.Int128Of(v.I)
	shift := scale
	switch v.Kind {
	case value.Int:
	case value.Decimal:
		x, shift = v.Num.Coef, scale-int(v.Num.Scale)
	default:
		return 0, false
	}
	exact := true
	if shift >= 0 {
		if x, ok = x.Rescale(shift); !ok {
			return 0, false
		}
	} else {
		if shift < -maxShift {
			return 0, false
		}
		quo, rem, _ := x.QuoRem(value.Pow10(-shift))
		exact = rem.Sign() == 0
		if x = quo; rem.Sign() < 0 { // quotients go toward zero
			x = x.SubWrap(value.Int128Of(1))
		}
	}
	limit, ok = x.Int64() // the greatest integer that is not above the constant
	if !ok || limit <= math.MinInt64+1 || limit >= math.MaxInt64-1 {
		return 0, false
	}
	switch {
	case op == algebra.Gt, op == algebra.Ge && !exact:
		limit++
	case op == algebra.Lt && exact:
		limit--
	}
	return limit, true
}

// maxShift is the greatest power of ten that 128 bits hold.
const maxShift = 38
