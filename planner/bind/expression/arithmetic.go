package expression

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Numbers binds arithmetic on two numbers: both are promoted to the wider
// kind, and the type of an exact result follows PostgreSQL's scale.
func Numbers(x *scope.Exprs, f algebra.Func, l, r algebra.Expr, at term.Operands) algebra.Expr {
	wide := l.Type()
	if sqltype.Rank(r.Type().Kind) > sqltype.Rank(wide.Kind) {
		wide = r.Type()
	}
	switch {
	case f == algebra.Mod && wide.IsFloat():
		panic(term.NoOperator(at.Op, l, r, at.Pos))
	case f == algebra.Power && wide.IsInteger():
		wide = algebra.TFloat64
	}
	if wide.Kind == algebra.Decimal || wide.Kind == algebra.Numeric {
		return exactNumbers(x, f, l, r, at)
	}
	single := l.Type() == algebra.TFloat32 && r.Type() == algebra.TFloat32 && f != algebra.Power
	if wide == algebra.TFloat32 {
		wide = algebra.TFloat64
	}
	l = convert.Coerce(x, l, wide, sqltype.Implicit, at.Left)
	r = convert.Coerce(x, r, wide, sqltype.Implicit, at.Right)
	if single {
		return convert.RoundedToReal(term.Call(f, wide, at.Pos, l, r), at.Pos)
	}
	return term.Call(f, wide, at.Pos, l, r)
}

// exactNumbers binds arithmetic on numerics.
func exactNumbers(x *scope.Exprs, f algebra.Func, l, r algebra.Expr, at term.Operands) algebra.Expr {
	lt, rt := NumericOperand(l), NumericOperand(r)
	typ := exactResult(f, lt, rt)
	if typ.Kind == algebra.Numeric {
		lt, rt = algebra.TNumeric, algebra.TNumeric
	}
	l = convert.Coerce(x, l, lt, sqltype.Implicit, at.Left)
	r = convert.Coerce(x, r, rt, sqltype.Implicit, at.Right)
	return term.Call(f, typ, at.Pos, l, r)
}

// NumericOperand is the numeric type that an operand has in exact arithmetic:
// an integer constant has the digits that it is written with.
func NumericOperand(e algebra.Expr) algebra.Type {
	if c, ok := e.(*algebra.Const); ok && c.Typ.IsInteger() && c.Val.Kind == value.Int {
		digits := len(strings.TrimPrefix(value.NumOf(c.Val.I).String(), "-"))
		return algebra.TDecimal(uint8(digits), 0)
	}
	return sqltype.AsDecimal(e.Type())
}

// exactResult is the type of exact arithmetic: numeric(p,s) with PostgreSQL's
// scale where that does not depend on the values, else numeric.
func exactResult(f algebra.Func, l, r algebra.Type) algebra.Type {
	if l.Kind != algebra.Decimal || r.Kind != algebra.Decimal {
		return algebra.TNumeric
	}
	scale := max(l.Scale, r.Scale)
	whole := max(l.Precision-l.Scale, r.Precision-r.Scale)
	precision := int(whole) + int(scale)
	switch f {
	case algebra.Add, algebra.Sub:
		precision++
	case algebra.Mul:
		scale = l.Scale + r.Scale
		precision = int(l.Precision) + int(r.Precision)
	case algebra.Mod:
	default:
		return algebra.TNumeric
	}
	if scale > sqltype.MaxPrecision {
		return algebra.TNumeric
	}
	return algebra.TDecimal(uint8(min(precision, sqltype.MaxPrecision)), scale)
}
