package rewrite

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// nullable reports whether an expression may be NULL, for all that is plain to see.
func nullable(e algebra.Expr) bool {
	ref, ok := e.(*algebra.ColumnRef)
	return !ok || ref.Column.Nullable
}

// notNulls is the condition that none is NULL, nil where none can be.
func notNulls(exprs []algebra.Expr) algebra.Expr {
	var conds []algebra.Expr
	for _, e := range exprs {
		if nullable(e) {
			conds = append(conds, notNull(e))
		}
	}
	return conjunction(conds)
}

func firstOr(col *algebra.ColumnRef, factors []algebra.Expr) algebra.Expr {
	if col != nil {
		return col
	}
	return factors[0]
}

func zeroOf(t algebra.Type) algebra.Expr {
	zero := value.Value{Kind: value.Int}
	switch {
	case t.Kind == algebra.Float64:
		zero = value.Value{Kind: value.Float}
	case t.Kind == algebra.Decimal || t.Kind == algebra.Numeric:
		zero = value.Value{Kind: value.Decimal, Num: value.Num{Scale: t.Scale}}
	}
	return &algebra.Const{Val: zero, Typ: t}
}

// orZero is a sum of counts, which is 0 where nothing has been counted.
func orZero(col *algebra.ColumnRef, none bool) algebra.Expr {
	if !none {
		return col
	}
	return &algebra.Case{Whens: []algebra.When{{Cond: notNull(col), Then: col}}, Else: zeroOf(col.Type()), Typ: col.Type()}
}

// productOf multiplies the factors of an accumulation, or parts of it, without
// losing digits.
func productOf(factors []algebra.Expr, acc *accumulation) algebra.Expr {
	if acc.of.Arg != nil && acc.power == 1 && len(factors) == len(acc.factors) && len(factors) == 1 {
		return factors[0]
	}
	out := factors[0]
	for _, e := range factors[1:] {
		out = times(out, e)
	}
	return out
}

// times is an exact product, or one of double precision.
func times(a, b algebra.Expr) algebra.Expr {
	var typ algebra.Type
	switch {
	case a.Type().IsFloat() || b.Type().IsFloat():
		typ = algebra.TFloat64
		a, b = asType(a, typ), asType(b, typ)
	case a.Type().Kind == algebra.Numeric || b.Type().Kind == algebra.Numeric:
		typ = algebra.TNumeric
		a, b = asType(a, typ), asType(b, typ)
	default:
		a, b = asDecimal(a), asDecimal(b)
		digits, scale := a.Type().Precision+b.Type().Precision, a.Type().Scale+b.Type().Scale
		typ = algebra.TDecimal(min(digits, maxDigits), scale)
	}
	return &algebra.Call{Func: algebra.Mul, Args: []algebra.Expr{a, b}, Typ: typ, Pos: value.NoPos}
}

// asDecimal is an exact number as a decimal.
func asDecimal(e algebra.Expr) algebra.Expr {
	switch e.Type().Kind {
	case algebra.Int16:
		return asType(e, algebra.TDecimal(5, 0))
	case algebra.Int32:
		return asType(e, algebra.TDecimal(10, 0))
	case algebra.Int64:
		return asType(e, algebra.TDecimal(19, 0))
	}
	return e
}
