package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
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
			return roundedToReal(call(algebra.Cast, algebra.TFloat64, pos, e), pos)
		case algebra.Float64:
			return roundedToReal(e, pos)
		case algebra.Text:
			return call(value.RealOfText, to, pos, e)
		}
		return call(value.RealOfText, to, pos, call(algebra.Cast, algebra.TText, pos, e))
	}
	switch {
	case to == algebra.TText:
		return call(value.TextOfReal, to, pos, e)
	case to.Kind == algebra.Text:
		return conversion(call(value.TextOfReal, algebra.TText, pos, e), to, how, pos)
	case to == algebra.TNumeric:
		return call(value.NumberOfReal, to, pos, e)
	case to.Kind == algebra.Decimal:
		return call(algebra.Cast, to, pos, call(value.NumberOfReal, algebra.TNumeric, pos, e))
	case to.Kind == algebra.Float64:
		return ofReal(e, pos)
	}
	return call(algebra.Cast, to, pos, ofReal(e, pos))
}

// roundedToReal is double precision as real.
func roundedToReal(e algebra.Expr, pos sql.Pos) algebra.Expr {
	return call(value.RealOfFloat, algebra.TFloat32, pos, e)
}

// ofReal is a real as double precision.
func ofReal(e algebra.Expr, pos sql.Pos) algebra.Expr {
	return call(algebra.Cast, algebra.TFloat64, pos, e)
}

// onReal applies a function of double precision to a real, or to another number as
// it is.
func onReal(e algebra.Expr, pos sql.Pos, f func(algebra.Expr) algebra.Expr) algebra.Expr {
	if e.Type() != algebra.TFloat32 {
		return f(e)
	}
	return roundedToReal(f(ofReal(e, pos)), pos)
}

// isWide reports whether an expression is a number that no numeric holds. Beside a
// real it is one of double precision, as every other number is.
func (b *binder) isWide(e algebra.Expr) bool {
	c, ok := e.(*algebra.Const)
	return ok && b.tooWide[c] != nil
}

// isRealSum reports whether an aggregate is a sum of reals, which is one of double
// precision, rounded.
func isRealSum(f algebra.AggFunc, typ algebra.Type) bool {
	return f == algebra.Sum && typ == algebra.TFloat32
}

// absOfReal is the one function of reals that gives a real.
func absOfReal(c *callSite, args []algebra.Expr) (algebra.Expr, error) {
	return onReal(args[0], c.pos, func(e algebra.Expr) algebra.Expr { return call(algebra.Abs, e.Type(), c.pos, e) }), nil
}
