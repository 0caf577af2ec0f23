package convert

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// ElementText is the constant by which routines know the elements of an array.
func ElementText(array algebra.Type) *algebra.Const {
	return term.TextConst(algebra.ElementOf(array).String())
}

// AsArray is the array that a vector is; any other expression is left as it is.
func AsArray(e algebra.Expr, pos sql.Pos) algebra.Expr {
	if !e.Type().IsVector() {
		return e
	}
	return term.Call(value.VectorArray, algebra.TArray(algebra.Type{Kind: e.Type().Elem}), pos, e)
}

// arrayConversion converts a text or an array to an array.
func arrayConversion(e algebra.Expr, to algebra.Type, how sqltype.Context, pos sql.Pos) *algebra.Call {
	e = AsArray(e, pos)
	from := e.Type()
	switch {
	case from.Kind != algebra.Array:
		return term.Call(value.ArrayIn, to, pos, ElementText(to), e)
	case how == sqltype.Explicit:
		return term.Call(value.ArrayCast, to, pos, ElementText(from), ElementText(to), e)
	}
	return term.Call(value.ArrayAssign, to, pos, ElementText(from), ElementText(to), e)
}
