package scalar

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// JSONObject binds json_build_object(key, value, …) to the concatenation of its parts.
func JSONObject(x *scope.Exprs, e *sql.FuncCall) (algebra.Expr, error) {
	args, positions, err := convert.Args(x, e)
	if err != nil {
		return nil, err
	}
	if len(args)%2 != 0 {
		return nil, &value.Error{
			Code: value.CodeInvalidParameter, Message: "argument list must have even number of elements",
			Hint: "The arguments of json_build_object() must consist of alternating keys and values.", Pos: value.NoPos,
		}
	}
	text, opening := algebra.Expr(term.TextConst("{")), ""
	for i, arg := range args {
		var part algebra.Expr
		behind := ", "
		if i%2 == 0 {
			part, err = jsonKey(x, arg, i, positions[i])
			behind = " : "
		} else {
			part, err = jsonValue(x, arg, positions[i])
		}
		if err != nil {
			return nil, err
		}
		text = term.Call(algebra.Concat, algebra.TText, e.Pos, text, term.Call(algebra.Concat, algebra.TText, e.Pos, term.TextConst(opening), part))
		opening = behind
	}
	text = term.Call(algebra.Concat, algebra.TText, e.Pos, text, term.TextConst("}"))
	return term.Call(algebra.Cast, algebra.TAlias(algebra.JSONText), e.Pos, text), nil
}

// jsonKey is the key of an object; NULL is an error when the query runs.
func jsonKey(x *scope.Exprs, key algebra.Expr, index int, pos sql.Pos) (algebra.Expr, error) {
	key, err := jsonText(x, key, pos)
	if err != nil {
		return nil, err
	}
	filled := term.Coalesce([]algebra.Expr{key, term.TextConst("")}, algebra.TText)
	return term.Call(value.JSONKey, algebra.TText, pos, filled, term.Int32Const(int64(index+1)), term.IsNull(key)), nil
}

// jsonValue is a value of an object, null for NULL.
func jsonValue(x *scope.Exprs, v algebra.Expr, pos sql.Pos) (algebra.Expr, error) {
	var err error
	switch t := v.Type(); {
	case t.Kind == algebra.Timestamp, t.Kind == algebra.TimestampTZ, t.Kind == algebra.Array, t.IsVector():
		return nil, term.NotSupported(pos, "a value of type "+sqltype.Name(t)+" in JSON is")
	case t.Alias == algebra.JSONText:
		v = term.Call(algebra.Cast, algebra.TText, pos, v)
	case t.Kind == algebra.Bool, t.IsExact() && !t.Alias.IsName():
		v, err = convert.Coerce(x, v, algebra.TText, sqltype.Assignment, pos)
	case t.IsFloat():
		if v, err = convert.Coerce(x, v, algebra.TText, sqltype.Assignment, pos); err == nil {
			v = term.Call(value.JSONNumber, algebra.TText, pos, v)
		}
	default:
		if v, err = jsonText(x, v, pos); err == nil {
			v = term.Call(value.JSONString, algebra.TText, pos, v)
		}
	}
	if err != nil {
		return nil, err
	}
	return term.Coalesce([]algebra.Expr{v, term.TextConst("null")}, algebra.TText), nil
}

// jsonText is a value as a text with the blanks of its type.
func jsonText(x *scope.Exprs, v algebra.Expr, pos sql.Pos) (algebra.Expr, error) {
	v, err := convert.ResolveUnknown(x, v, pos)
	if err != nil {
		return nil, err
	}
	return convert.Coerce(x, convert.Shown(x.Binder, v), algebra.TText, sqltype.Assignment, pos)
}
