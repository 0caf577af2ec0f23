package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// bitOps are the operators on the bits of integers.
var bitOps = map[string]algebra.Func{
	"&": value.BitAnd, "|": value.BitOr, "#": value.BitXor, "<<": value.ShiftLeft, ">>": value.ShiftRight,
}

// bits binds an operator on bits: of two integers, or of one and the number of
// places that it is shifted by.
func bits(x *scope.Exprs, f algebra.Func, l, r algebra.Expr, at term.Operands) algebra.Expr {
	shift := f == value.ShiftLeft || f == value.ShiftRight
	if l.Type().Kind == algebra.Unknown && r.Type().IsInteger() {
		l = convert.Coerce(x, l, r.Type(), sqltype.Implicit, at.Left)
	}
	if r.Type().Kind == algebra.Unknown && l.Type().IsInteger() {
		typ := l.Type()
		if shift {
			typ = algebra.TInt32
		}
		r = convert.Coerce(x, r, typ, sqltype.Implicit, at.Right)
	}
	if l.Type().Kind == algebra.Unknown && r.Type().Kind == algebra.Unknown {
		panic(term.NotUnique(at, l, r))
	}
	if !l.Type().IsInteger() || !r.Type().IsInteger() || shift && r.Type().Kind == algebra.Int64 {
		panic(term.NoOperator(at.Op, l, r, at.Pos))
	}
	result := l.Type()
	if !shift && r.Type().Kind > result.Kind {
		result = r.Type()
	}
	wide, by := result, result
	if wide.Kind == algebra.Int16 {
		wide, by = algebra.TInt32, algebra.TInt32
	}
	if shift {
		by = algebra.TInt32
	}
	l = convert.Coerce(x, l, wide, sqltype.Implicit, at.Left)
	r = convert.Coerce(x, r, by, sqltype.Implicit, at.Right)
	shifted := term.Call(f, wide, at.Pos, l, r)
	if f == value.ShiftLeft && result.Kind == algebra.Int16 {
		shifted = lowHalf(shifted, at.Pos)
	}
	return convert.Coerce(x, shifted, result, sqltype.Assignment, at.Pos)
}

// lowHalf is the smallint that the low 16 bits of an integer are.
func lowHalf(e algebra.Expr, pos sql.Pos) *algebra.Call {
	half := term.Int32Const(16)
	up := term.Call(value.ShiftLeft, algebra.TInt32, pos, e, half)
	return term.Call(value.ShiftRight, algebra.TInt32, pos, up, half)
}
