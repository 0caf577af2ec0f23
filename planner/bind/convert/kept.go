package convert

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// ShownTexts is an array with the texts that a style, and the session's zone, show of its elements, or
// the array itself where they are those that are kept.
func ShownTexts(x *scope.Exprs, array algebra.Expr, style value.Style, pos sql.Pos) algebra.Expr {
	if !algebra.ShownElement(array.Type(), style, x.Zone()).Differs() {
		return array
	}
	texts := algebra.TArray(algebra.TText)
	return x.Folded(term.Call(value.ArrayCast, texts, pos, ElementText(array.Type()), ElementText(texts), array,
		term.TextConst(style.String()), term.TextConst(x.Zone().String())))
}

// KeptText is the text of a value as an element of an array is kept.
func KeptText(x *scope.Exprs, e algebra.Expr, pos sql.Pos) algebra.Expr {
	switch e.Type().Kind {
	case algebra.Bool:
		return term.BoolOutput(e)
	case algebra.TimestampTZ:
		return x.Folded(term.Call(value.TZText, algebra.TText, pos, e, utc()))
	case algebra.Date, algebra.Timestamp, algebra.Interval, algebra.Float64, algebra.Float32:
		return x.Folded(Conversion(e, algebra.TText, sqltype.Explicit, pos))
	}
	return Coerce(x, Shown(x.Binder, e), algebra.TText, sqltype.Explicit, pos)
}

// OfKeptText is the value of an element, of type typ, whose text is kept in an array.
func OfKeptText(text algebra.Expr, typ algebra.Type, pos sql.Pos) algebra.Expr {
	switch {
	case typ.Kind == algebra.TimestampTZ:
		return term.Call(value.TZParse, typ, pos, text, utc())
	case typ.IsChar() && typ.Length > 0:
		return term.Call(algebra.RTrim, typ, pos, text, term.TextConst(" "))
	}
	return Conversion(text, typ, sqltype.Explicit, pos)
}

func utc() *algebra.Const { return term.TextConst("UTC") }
