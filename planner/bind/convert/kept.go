package convert

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// ForJSON is an array with the elements that JSON has of it as texts: moments in the session's
// zone and always in the format of ISO 8601, intervals in the session's style.
func ForJSON(x *scope.Exprs, array algebra.Expr, pos sql.Pos) algebra.Expr {
	texts := algebra.TArray(algebra.TText)
	switch elem := array.Type().Elem; {
	case elem == algebra.TimestampTZ && !x.InUTC():
		return x.Folded(term.Call(value.ArrayCast, texts, pos, ElementText(array.Type()), ElementText(texts), array,
			term.TextConst(value.Style{}.String()), term.TextConst(x.Zone().String())))
	case elem == algebra.Interval:
		return Coerce(x, array, texts, sqltype.Explicit, pos)
	}
	return array
}

// KeptText is the text of a value as an element of an array is kept.
func KeptText(x *scope.Exprs, e algebra.Expr, pos sql.Pos) algebra.Expr {
	switch e.Type().Kind {
	case algebra.Bool:
		return term.BoolOutput(e)
	case algebra.TimestampTZ:
		return x.Folded(term.Call(value.TZText, algebra.TText, pos, e, utc()))
	case algebra.Date, algebra.Timestamp, algebra.Interval:
		return x.Folded(term.Call(algebra.Cast, algebra.TText, pos, e))
	}
	return Coerce(x, e, algebra.TText, sqltype.Explicit, pos)
}

// OfKeptText is the value of an element, of type typ, whose text is kept in an array.
func OfKeptText(text algebra.Expr, typ algebra.Type, pos sql.Pos) algebra.Expr {
	if typ.Kind == algebra.TimestampTZ {
		return term.Call(value.TZParse, typ, pos, text, utc())
	}
	return Conversion(text, typ, sqltype.Explicit, pos)
}

func utc() *algebra.Const { return term.TextConst("UTC") }
