package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql/value"
)

// bitOps are the operators on the bits of integers.
var bitOps = map[string]algebra.Func{
	"&": value.BitAnd, "|": value.BitOr, "#": value.BitXor, "<<": value.ShiftLeft, ">>": value.ShiftRight,
}

// bits binds an operator on bits: of two integers, or of one and the number of
// places that it is shifted by.
func bits(x *scope.Exprs, f algebra.Func, l, r algebra.Expr, at term.Operands) (algebra.Expr, error) {
	var err error
	if l.Type().Kind == algebra.Unknown && r.Type().IsInteger() {
		if l, err = convert.Coerce(x, l, r.Type(), sqltype.Implicit, at.Left); err != nil {
			return nil, err
		}
	}
	if r.Type().Kind == algebra.Unknown && l.Type().IsInteger() {
		if r, err = convert.Coerce(x, r, l.Type(), sqltype.Implicit, at.Right); err != nil {
			return nil, err
		}
	}
	if l.Type().Kind == algebra.Unknown && r.Type().Kind == algebra.Unknown {
		return nil, term.NotUnique(at, l, r)
	}
	shift := f == value.ShiftLeft || f == value.ShiftRight
	if !l.Type().IsInteger() || !r.Type().IsInteger() || shift && r.Type().Kind == algebra.Int64 {
		return nil, term.NoOperator(at.Op, l, r, at.Pos)
	}
	result := l.Type()
	if !shift && r.Type().Kind > result.Kind {
		result = r.Type()
	}
	if shift && result.Kind == algebra.Int16 {
		return nil, term.NotSupported(at.Pos, "the operator "+at.Op+" of smallint is")
	}
	wide, by := result, result
	if wide.Kind == algebra.Int16 {
		wide, by = algebra.TInt32, algebra.TInt32
	}
	if shift {
		by = algebra.TInt32
	}
	if l, err = convert.Coerce(x, l, wide, sqltype.Implicit, at.Left); err != nil {
		return nil, err
	}
	if r, err = convert.Coerce(x, r, by, sqltype.Implicit, at.Right); err != nil {
		return nil, err
	}
	return convert.Coerce(x, term.Call(f, wide, at.Pos, l, r), result, sqltype.Assignment, at.Pos)
}
