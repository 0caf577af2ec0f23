package convert

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Kernels know double precision only: a real is a double precision number with the
// value of a real, arithmetic on reals is that on double precision, rounded, and
// conversions from and to other types are routines.

// realConversion converts from real or to it.
func realConversion(e algebra.Expr, to algebra.Type, how sqltype.Context, pos sql.Pos) algebra.Expr {
	from := e.Type()
	if to.Kind == algebra.Float32 {
		switch from.Kind {
		case algebra.Float32:
			return e
		case algebra.Int16, algebra.Int32:
			return RoundedToReal(term.Call(algebra.Cast, algebra.TFloat64, pos, e), pos)
		case algebra.Float64:
			return RoundedToReal(e, pos)
		case algebra.Text:
			return term.Call(value.RealOfText, to, pos, e)
		}
		return term.Call(value.RealOfText, to, pos, term.Call(algebra.Cast, algebra.TText, pos, e))
	}
	switch {
	case to == algebra.TText:
		return term.Call(value.TextOfReal, to, pos, e)
	case to.Kind == algebra.Text:
		return Conversion(term.Call(value.TextOfReal, algebra.TText, pos, e), to, how, pos)
	case to == algebra.TNumeric:
		return term.Call(value.NumberOfReal, to, pos, e)
	case to.Kind == algebra.Decimal:
		return term.Call(algebra.Cast, to, pos, term.Call(value.NumberOfReal, algebra.TNumeric, pos, e))
	case to.Kind == algebra.Float64:
		return OfReal(e, pos)
	}
	return term.Call(algebra.Cast, to, pos, OfReal(e, pos))
}

// RoundedToReal is double precision as real.
func RoundedToReal(e algebra.Expr, pos sql.Pos) algebra.Expr {
	return term.Call(value.RealOfFloat, algebra.TFloat32, pos, e)
}

// OfReal is a real as double precision.
func OfReal(e algebra.Expr, pos sql.Pos) algebra.Expr {
	return term.Call(algebra.Cast, algebra.TFloat64, pos, e)
}

// OnReal applies a function of double precision to a real, or to another number as
// it is.
func OnReal(e algebra.Expr, pos sql.Pos, f func(algebra.Expr) algebra.Expr) algebra.Expr {
	if e.Type() != algebra.TFloat32 {
		return f(e)
	}
	return RoundedToReal(f(OfReal(e, pos)), pos)
}

// IsWide reports whether an expression is a number that no numeric holds. Beside a
// real it is one of double precision, as every other number is.
func IsWide(b *scope.Binder, e algebra.Expr) bool {
	c, ok := e.(*algebra.Const)
	return ok && b.TooWide[c] != nil
}

// IsRealSum reports whether an aggregate is a sum of reals, which is one of double
// precision, rounded.
func IsRealSum(f algebra.AggFunc, typ algebra.Type) bool {
	return f == algebra.Sum && typ == algebra.TFloat32
}
