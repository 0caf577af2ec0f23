package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// JSONKey is the key of an object; NULL is an error when the query runs. The index is that
// of the argument from 1 on, or 0 for the key of an aggregate.
func JSONKey(x *scope.Exprs, key algebra.Expr, index int, pos sql.Pos) algebra.Expr {
	if k := key.Type(); k.IsJSON() || k.Kind == algebra.Array || k.Kind == algebra.Record {
		panic(errKeyNotScalar())
	}
	var text algebra.Expr
	switch key.Type().Kind {
	case algebra.Date, algebra.Timestamp, algebra.TimestampTZ:
		text = InJSON(x, key, pos)
	default:
		text = term.Call(value.JSONString, algebra.TText, pos, shownText(x, key, pos))
	}
	filled := term.Coalesce([]algebra.Expr{text, term.TextConst("")}, algebra.TText)
	return term.Call(value.JSONKey, algebra.TText, pos, filled, term.Int32Const(int64(index)), term.IsNull(text))
}

func errKeyNotScalar() error {
	return value.Errorf(value.CodeInvalidParameter, "key value must be scalar, not array, composite, or json")
}

// isoStyle is the style of the session with dates and moments of ISO 8601.
func isoStyle(x *scope.Exprs) value.Style {
	return value.Style{Interval: x.Opts.Style.Interval, Floats: x.Opts.Style.Floats}
}

// InJSONOrNull is InJSON with null for NULL.
func InJSONOrNull(x *scope.Exprs, v algebra.Expr, pos sql.Pos) algebra.Expr {
	text := InJSON(x, v, pos)
	return term.Coalesce([]algebra.Expr{text, term.TextConst("null")}, algebra.TText)
}

// InJSON is the text of JSON of a value; NULL for NULL.
func InJSON(x *scope.Exprs, v algebra.Expr, pos sql.Pos) algebra.Expr {
	v = convert.AsArray(v, pos)
	text := func() algebra.Expr { return convert.Coerce(x, v, algebra.TText, sqltype.Assignment, pos) }
	switch t := v.Type(); {
	case t.Kind == algebra.Record:
		return rowObject(x, v, ",", pos)
	case t.Kind == algebra.Array:
		return term.Call(value.JSONOfArray, algebra.TText, pos, convert.ElementText(t), convert.ShownTexts(x, v, isoStyle(x), pos))
	case t.Kind == algebra.Bool, t.IsJSON(), t.IsExact() && t.Alias == algebra.NoAlias:
		return text()
	case t.IsFloat():
		return term.Call(value.JSONNumber, algebra.TText, pos, text())
	case t.Kind == algebra.Date, t.Kind == algebra.Timestamp:
		return term.Call(value.JSONMoment, algebra.TText, pos, term.Call(algebra.Cast, algebra.TText, pos, v))
	case t.Kind == algebra.TimestampTZ:
		return term.Call(value.JSONMoment, algebra.TText, pos, convert.Zoned(x.Binder, value.TZText, algebra.TText, pos, v))
	}
	return term.Call(value.JSONString, algebra.TText, pos, shownText(x, v, pos))
}

// shownText is a value as a text with the blanks of its type.
func shownText(x *scope.Exprs, v algebra.Expr, pos sql.Pos) algebra.Expr {
	v = convert.ResolveUnknown(x, v, pos)
	return convert.Coerce(x, convert.Shown(x.Binder, v), algebra.TText, sqltype.Assignment, pos)
}

// rowObject is a row as an object of JSON, with a separator between its members.
func rowObject(x *scope.Exprs, row algebra.Expr, separator string, pos sql.Pos) algebra.Expr {
	of, before := rowFields(x, row, pos), ""
	parts := []algebra.Expr{term.TextConst("{")}
	for i, f := range row.Type().Fields() {
		key := x.Folded(term.Call(value.JSONString, algebra.TText, pos, term.TextConst(f.Name)))
		key = x.Folded(term.Call(algebra.Concat, algebra.TText, pos, term.TextConst(before), key))
		parts = append(parts, x.Folded(term.Call(algebra.Concat, algebra.TText, pos, key, term.TextConst(":"))), InJSONOrNull(x, of.Fields[i], pos))
		before = separator
	}
	return present(of, joinedTexts(append(parts, term.TextConst("}")), pos))
}
