package planner

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// operands says how an operator was written and where, for messages.
type operands struct {
	op               string
	left, right, pos sql.Pos
}

// numbers binds arithmetic on two numbers: both are promoted to the wider
// kind, and the type of an exact result follows PostgreSQL's scale.
func (x *exprBinder) numbers(f algebra.Func, l, r algebra.Expr, at operands) (algebra.Expr, error) {
	wide := l.Type()
	if sqltype.Rank(r.Type().Kind) > sqltype.Rank(wide.Kind) {
		wide = r.Type()
	}
	switch {
	case f == algebra.Mod && wide.IsFloat():
		return nil, noOperator(at.op, l, r, at.pos)
	case f == algebra.Power && wide.IsInteger():
		wide = algebra.TFloat64
	}
	if wide.Kind == algebra.Decimal || wide.Kind == algebra.Numeric {
		return x.exactNumbers(f, l, r, at)
	}
	single := l.Type() == algebra.TFloat32 && r.Type() == algebra.TFloat32 && f != algebra.Power
	if wide == algebra.TFloat32 {
		wide = algebra.TFloat64
	}
	var err error
	if l, err = x.coerce(l, wide, sqltype.Implicit, at.left); err != nil {
		return nil, err
	}
	if r, err = x.coerce(r, wide, sqltype.Implicit, at.right); err != nil {
		return nil, err
	}
	if single {
		return roundedToReal(call(f, wide, at.pos, l, r), at.pos), nil
	}
	return call(f, wide, at.pos, l, r), nil
}

// exactNumbers binds arithmetic on numerics.
func (x *exprBinder) exactNumbers(f algebra.Func, l, r algebra.Expr, at operands) (algebra.Expr, error) {
	lt, rt := numericOperand(l), numericOperand(r)
	typ := exactResult(f, lt, rt)
	if typ.Kind == algebra.Numeric {
		lt, rt = algebra.TNumeric, algebra.TNumeric
	}
	var err error
	if l, err = x.coerce(l, lt, sqltype.Implicit, at.left); err != nil {
		return nil, err
	}
	if r, err = x.coerce(r, rt, sqltype.Implicit, at.right); err != nil {
		return nil, err
	}
	return call(f, typ, at.pos, l, r), nil
}

// numericOperand is the numeric type that an operand has in exact arithmetic:
// an integer constant has the digits that it is written with.
func numericOperand(e algebra.Expr) algebra.Type {
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

// noOperator is PostgreSQL's message for operands that an operator does not
// take.
func noOperator(op string, l, r algebra.Expr, pos sql.Pos) error {
	return &value.Error{
		Code:    value.CodeUndefinedFunction,
		Message: "operator does not exist: " + sqltype.Name(l.Type()) + " " + op + " " + sqltype.Name(r.Type()),
		Hint:    "No operator matches the given name and argument types. You might need to add explicit type casts.",
		Pos:     int(pos),
	}
}

func notUnique(at operands, l, r algebra.Expr) error {
	return &value.Error{
		Code:    value.CodeAmbiguousFunction,
		Message: "operator is not unique: " + sqltype.Name(l.Type()) + " " + at.op + " " + sqltype.Name(r.Type()),
		Hint:    "Could not choose a best candidate operator. You might need to add explicit type casts.",
		Pos:     int(at.pos),
	}
}
