package convert

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// readers are the routines that read texts as values that are held as texts.
var readers = map[algebra.Kind]algebra.Func{algebra.JSONText: value.JSONIn, algebra.JSONBinary: value.JSONBIn, algebra.UUID: value.UUIDIn, algebra.Bytea: value.ByteaIn, algebra.JSONPath: value.JSONPathIn}

// Conversion is the call that converts e to a type.
func Conversion(e algebra.Expr, to algebra.Type, how sqltype.Context, pos sql.Pos) algebra.Expr {
	from := e.Type()
	switch {
	case to.Kind == algebra.Array:
		return arrayConversion(e, to, how, pos)
	case from == to:
		return e
	case from.Kind == algebra.Enum || to.Kind == algebra.Enum:
		return enumConversion(e, to, how, pos)
	case readers[to.Kind] != "" && from.Kind == algebra.Text, to.Kind == algebra.JSONBinary && from.Kind == algebra.JSONText:
		return term.Call(readers[to.Kind], to, pos, e)
	case from.Kind != algebra.Text && to.Kind == algebra.Time, from.Kind == algebra.Time && to.Kind == algebra.Interval:
		return clockConversion(e, to, pos)
	case from.Kind == algebra.JSONBinary && to.Kind == algebra.Bool:
		return term.Call(value.JSONBBool, to, pos, e, term.TextConst(to.String()))
	case from.Kind == algebra.JSONBinary && to.IsNumber():
		return Conversion(term.Call(value.JSONBNumber, algebra.TNumeric, pos, e, term.TextConst(sqltype.Name(to))), to, how, pos)
	case from.Kind == algebra.Float32 || to.Kind == algebra.Float32:
		return realConversion(e, to, how, pos)
	case from.Kind == algebra.Text && to.Length > 0 && how == sqltype.Assignment:
		return term.Call(algebra.Assign, to, pos, e)
	}
	return term.Call(algebra.Cast, to, pos, e)
}

// enumConversion converts between an enum and a text, or to the enum that ALTER TYPE makes of one.
func enumConversion(e algebra.Expr, to algebra.Type, how sqltype.Context, pos sql.Pos) algebra.Expr {
	from := e.Type()
	switch {
	case from.Kind == algebra.Text:
		return term.Call(value.EnumIn, to, pos, ElementText(algebra.TArray(to)), e)
	case to == algebra.TText:
		return term.Call(value.EnumOut, to, pos, ElementText(algebra.TArray(from)), e)
	}
	return Conversion(enumConversion(e, algebra.TText, how, pos), to, how, pos)
}

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
