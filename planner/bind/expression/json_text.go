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

// joinedTexts are texts behind each other.
func joinedTexts(parts []algebra.Expr, pos sql.Pos) algebra.Expr {
	for len(parts) > 1 {
		pairs := parts[:0:0]
		for i := 0; i+1 < len(parts); i += 2 {
			pairs = append(pairs, term.Call(algebra.Concat, algebra.TText, pos, parts[i], parts[i+1]))
		}
		if len(parts)%2 == 1 {
			pairs = append(pairs, parts[len(parts)-1])
		}
		parts = pairs
	}
	return parts[0]
}

// JSONKey is the key of an object; NULL is an error when the query runs. The index is that
// of the argument from 1 on, or 0 for the key of an aggregate.
func JSONKey(x *scope.Exprs, key algebra.Expr, index int, pos sql.Pos) algebra.Expr {
	key = shownText(x, key, pos)
	filled := term.Coalesce([]algebra.Expr{key, term.TextConst("")}, algebra.TText)
	return term.Call(value.JSONKey, algebra.TText, pos, filled, term.Int32Const(int64(index)), term.IsNull(key))
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
	case t.Kind == algebra.Array:
		return term.Call(value.JSONOfArray, algebra.TText, pos, convert.ElementText(t), v)
	case t.Kind == algebra.Bool, t.IsJSON(), t.IsExact() && !t.Alias.IsName():
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
