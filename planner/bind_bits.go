package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql/value"
)

// bitOps are the operators on the bits of integers.
var bitOps = map[string]algebra.Func{
	"&": value.BitAnd, "|": value.BitOr, "#": value.BitXor, "<<": value.ShiftLeft, ">>": value.ShiftRight,
}

// bits binds an operator on bits: of two integers, or of one and the number of
// places that it is shifted by.
func (x *exprBinder) bits(f algebra.Func, l, r algebra.Expr, at operands) (algebra.Expr, error) {
	var err error
	if l.Type().Kind == algebra.Unknown && r.Type().IsInteger() {
		if l, err = x.coerce(l, r.Type(), sqltype.Implicit, at.left); err != nil {
			return nil, err
		}
	}
	if r.Type().Kind == algebra.Unknown && l.Type().IsInteger() {
		if r, err = x.coerce(r, l.Type(), sqltype.Implicit, at.right); err != nil {
			return nil, err
		}
	}
	if l.Type().Kind == algebra.Unknown && r.Type().Kind == algebra.Unknown {
		return nil, notUnique(at, l, r)
	}
	shift := f == value.ShiftLeft || f == value.ShiftRight
	if !l.Type().IsInteger() || !r.Type().IsInteger() || shift && r.Type().Kind == algebra.Int64 {
		return nil, noOperator(at.op, l, r, at.pos)
	}
	result := l.Type()
	if !shift && r.Type().Kind > result.Kind {
		result = r.Type()
	}
	if shift && result.Kind == algebra.Int16 {
		return nil, notSupported(at.pos, "the operator "+at.op+" of smallint is")
	}
	wide, by := result, result
	if wide.Kind == algebra.Int16 {
		wide, by = algebra.TInt32, algebra.TInt32
	}
	if shift {
		by = algebra.TInt32
	}
	if l, err = x.coerce(l, wide, sqltype.Implicit, at.left); err != nil {
		return nil, err
	}
	if r, err = x.coerce(r, by, sqltype.Implicit, at.right); err != nil {
		return nil, err
	}
	return x.coerce(call(f, wide, at.pos, l, r), result, sqltype.Assignment, at.pos)
}
