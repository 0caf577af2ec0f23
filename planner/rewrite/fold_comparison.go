package rewrite

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// foldComparison puts a constant on the right and takes a cast off the left; it reports
// whether it took one, so that what is left may be simplified once more.
func foldComparison(e *algebra.Call, mirrored algebra.Func) (folded *algebra.Call, again bool) {
	if _, ok := e.Args[0].(*algebra.Const); ok {
		exchanged := *e
		exchanged.Func = mirrored
		exchanged.Args = []algebra.Expr{e.Args[1], e.Args[0]}
		e = &exchanged
	}
	constant, ok := e.Args[1].(*algebra.Const)
	if !ok || constant.Val.Kind == value.Null {
		return e, false
	}
	inner, ok := widened(e.Args[0])
	if !ok {
		return e, false
	}
	f, bound, ok := narrowBound(e.Func, constant, e.Args[0].Type(), inner.Type())
	if !ok {
		return e, false
	}
	return &algebra.Call{Func: f, Args: []algebra.Expr{inner, bound}, Typ: algebra.TBool, Pos: e.Pos}, true
}

// widened returns what a cast widens: one under which no two values become the
// same and their order stays.
func widened(e algebra.Expr) (algebra.Expr, bool) {
	cast, ok := e.(*algebra.Call)
	if !ok || cast.Func != algebra.Cast {
		return nil, false
	}
	inner := cast.Args[0]
	_, ok = widening(inner.Type(), cast.Typ)
	return inner, ok
}

// widening returns the factor by which a widening cast multiplies the integers
// that represent the values.
func widening(from, to algebra.Type) (factor value.Int128, ok bool) {
	switch {
	case from.IsInteger() && to.IsInteger() && from.Kind < to.Kind:
		return value.Int128Of(1), true
	case from.Kind == algebra.Date && to.Kind == algebra.Timestamp:
		return value.Int128Of(86400 * 1e6), true
	case from.Kind == algebra.Timestamp && to.Kind == algebra.TimestampTZ:
		return value.Int128Of(1), true
	case (from.IsInteger() || from.Kind == algebra.Decimal) && to.Kind == algebra.Decimal && to.Scale >= from.Scale:
		return value.Pow10(int(to.Scale - from.Scale)), true
	}
	return value.Int128{}, false
}

// narrowBound returns the comparison with a value before a widening cast that is
// the same as the comparison f with c after it: where c lies between two
// values, < becomes <= the lower one, and so on. NULL has no place among values.
func narrowBound(f algebra.Func, c *algebra.Const, wide, narrow algebra.Type) (algebra.Func, *algebra.Const, bool) {
	factor, ok := widening(narrow, wide)
	if !ok || c.Val.Kind == value.Null {
		return f, nil, false
	}
	x := value.Int128Of(c.Val.I)
	if c.Val.Kind == value.Decimal {
		x = c.Val.Num.Coef
		if c.Val.Num.Scale != wide.Scale {
			return f, nil, false
		}
	}
	q, rem, ok := x.QuoRem(factor)
	if !ok {
		return f, nil, false
	}
	if narrow.Kind == algebra.Date && !value.IsFiniteTimestamp(c.Val.I) {
		q, rem = value.Int128Of(int64(value.TimestampToDate(c.Val.I))), value.Int128{}
	}
	if rem.Sign() != 0 {
		if rem.Sign() < 0 {
			q = q.SubWrap(value.Int128Of(1)) // toward minus infinity
		}
		switch f {
		case algebra.Lt:
			f = algebra.Le
		case algebra.Ge:
			f = algebra.Gt
		case algebra.Eq, algebra.Ne:
			return f, nil, false
		}
	}
	bound, ok := narrowConst(q, narrow)
	return f, bound, ok
}

// narrowConst is an integer as a constant of a type, where it fits.
func narrowConst(x value.Int128, typ algebra.Type) (*algebra.Const, bool) {
	limit, ok := algebra.TypeRange(typ)
	if !ok || !limit.Contains(algebra.Range{Lo: x, Hi: x}) {
		return nil, false
	}
	if typ.Kind == algebra.Decimal {
		return &algebra.Const{Val: value.Value{Kind: value.Decimal, Num: value.Num{Coef: x, Scale: typ.Scale}}, Typ: typ}, true
	}
	i, _ := x.Int64()
	return &algebra.Const{Val: value.Value{Kind: value.Int, I: i}, Typ: typ}, true
}

// unwrapIn takes a widening cast off the subject of IN where every constant
// is a widened value.
func unwrapIn(e *algebra.Call) algebra.Expr {
	inner, ok := widened(e.Args[0])
	if !ok {
		return e
	}
	args := []algebra.Expr{inner}
	for _, arg := range e.Args[1:] {
		_, bound, ok := narrowBound(algebra.Eq, arg.(*algebra.Const), e.Args[0].Type(), inner.Type())
		if !ok {
			return e
		}
		args = append(args, bound)
	}
	return newCall(algebra.In, args...)
}
