package convert

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Modified is a value of a time type as the modifier of another type of its kind has it,
// and of that type.
func Modified(b *scope.Binder, e algebra.Expr, to algebra.Type, pos sql.Pos) algebra.Expr {
	digits, fields := to.TimeModifier()
	switch {
	case e.Type() == to:
		return e
	case digits < 0 && fields == "":
		return b.Folded(term.Call(algebra.Cast, to, pos, e))
	case digits < 0:
		digits = algebra.MaxSecondDigits
	}
	precision := term.Int32Const(int64(digits))
	if to.Kind != algebra.Interval {
		return b.Folded(term.Call(value.RoundTime, to, pos, e, precision))
	}
	return b.Folded(term.Call(value.IntervalTo, to, pos, e, term.TextConst(algebra.LastField(fields)), precision))
}
