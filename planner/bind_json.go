package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// jsonObject binds json_build_object(key, value, …) to the concatenation of its parts.
func (x *exprBinder) jsonObject(e *sql.FuncCall) (algebra.Expr, error) {
	args, positions, err := x.args(e)
	if err != nil {
		return nil, err
	}
	if len(args)%2 != 0 {
		return nil, &value.Error{
			Code: value.CodeInvalidParameter, Message: "argument list must have even number of elements",
			Hint: "The arguments of json_build_object() must consist of alternating keys and values.", Pos: value.NoPos,
		}
	}
	text, opening := algebra.Expr(textConst("{")), ""
	for i, arg := range args {
		var part algebra.Expr
		behind := ", "
		if i%2 == 0 {
			part, err = x.jsonKey(arg, i, positions[i])
			behind = " : "
		} else {
			part, err = x.jsonValue(arg, positions[i])
		}
		if err != nil {
			return nil, err
		}
		text = call(algebra.Concat, algebra.TText, e.Pos, text, call(algebra.Concat, algebra.TText, e.Pos, textConst(opening), part))
		opening = behind
	}
	text = call(algebra.Concat, algebra.TText, e.Pos, text, textConst("}"))
	return call(algebra.Cast, algebra.TAlias(algebra.JSONText), e.Pos, text), nil
}

// jsonKey is the key of an object; NULL is an error when the query runs.
func (x *exprBinder) jsonKey(key algebra.Expr, index int, pos sql.Pos) (algebra.Expr, error) {
	key, err := x.jsonText(key, pos)
	if err != nil {
		return nil, err
	}
	filled := coalesce([]algebra.Expr{key, textConst("")}, algebra.TText)
	return call(value.JSONKey, algebra.TText, pos, filled, int32Const(int64(index+1)), isNull(key)), nil
}

// jsonValue is a value of an object, null for NULL.
func (x *exprBinder) jsonValue(v algebra.Expr, pos sql.Pos) (algebra.Expr, error) {
	var err error
	switch t := v.Type(); {
	case t.Kind == algebra.Timestamp, t.Kind == algebra.TimestampTZ, t.Kind == algebra.Array, t.IsVector():
		return nil, notSupported(pos, "a value of type "+sqltype.Name(t)+" in JSON is")
	case t.Alias == algebra.JSONText:
		v = call(algebra.Cast, algebra.TText, pos, v)
	case t.Kind == algebra.Bool, t.IsExact() && !t.Alias.IsName():
		v, err = x.coerce(v, algebra.TText, sqltype.Assignment, pos)
	case t.IsFloat():
		if v, err = x.coerce(v, algebra.TText, sqltype.Assignment, pos); err == nil {
			v = call(value.JSONNumber, algebra.TText, pos, v)
		}
	default:
		if v, err = x.jsonText(v, pos); err == nil {
			v = call(value.JSONString, algebra.TText, pos, v)
		}
	}
	if err != nil {
		return nil, err
	}
	return coalesce([]algebra.Expr{v, textConst("null")}, algebra.TText), nil
}

// jsonText is a value as a text with the blanks of its type.
func (x *exprBinder) jsonText(v algebra.Expr, pos sql.Pos) (algebra.Expr, error) {
	v, err := x.settle(v, pos)
	if err != nil {
		return nil, err
	}
	return x.coerce(x.shown(v), algebra.TText, sqltype.Assignment, pos)
}
