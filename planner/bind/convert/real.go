package convert

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

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
