package call

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scalar"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// variadicArguments say how many arguments stand before the array of VARIADIC, by the forms of the functions that take any
// number of them. All others take the array as it is.
var variadicArguments = map[function.Form]int{
	"concat": 0, "concat_ws": 1, "format": 1, "num_nulls": 0, "num_nonnulls": 0,
	"json_build_array": 0, "json_build_object": 0, "json_extract_path": 1,
}

// variadic binds a call with VARIADIC.
func variadic(x *scope.Exprs, form function.Form, name string, e *sql.FuncCall) algebra.Expr {
	args, positions := convert.Args(x, e)
	last := len(args) - 1
	if last != variadicArguments[form] {
		panic(term.NoFunction(name, args, e.Pos))
	}
	if form == "json_extract_path" {
		return expression.ExtractPath(x, name, args, positions, e.Pos)
	}
	args[last] = convert.AsArray(args[last], positions[last])
	if args[last].Type().Kind != algebra.Array {
		panic(value.ErrorAt(int(positions[last]), value.CodeDatatypeMismatch, "VARIADIC argument must be an array"))
	}
	v := &variadicCall{Exprs: x, name: name, call: e, array: args[last]}
	switch form {
	case "concat":
		return v.of(value.ArrayText, algebra.TText, v.texts(), term.TextConst(""))
	case "concat_ws", "format":
		if !term.IsTextual(args[0]) {
			panic(term.NoFunction(name, args, e.Pos))
		}
		first := convert.Coerce(x, args[0], algebra.TText, sqltype.Implicit, positions[0])
		if form == "concat_ws" {
			return v.of(value.ArrayText, algebra.TText, v.texts(), first)
		}
		none := &algebra.Const{Val: value.Value{Kind: value.Text, S: "{}"}, Typ: v.array.Type()}
		v.array = x.Folded(term.Coalesce([]algebra.Expr{v.array, none}, v.array.Type()))
		return scalar.FormatArray(x, first, v.texts(), e.Pos)
	case "num_nulls", "num_nonnulls":
		return v.nulls()
	}
	return expression.BuildVariadic(x, name, v.array, positions[last])
}

// variadicCall is a call with VARIADIC of an array.
type variadicCall struct {
	*scope.Exprs
	name  string
	call  *sql.FuncCall
	array algebra.Expr
}

func (v *variadicCall) of(f algebra.Func, typ algebra.Type, args ...algebra.Expr) algebra.Expr {
	return v.Folded(term.Call(f, typ, v.call.Pos, args...))
}

// texts are the elements as texts.
func (v *variadicCall) texts() algebra.Expr {
	return convert.ShownTexts(v.Exprs, v.array, v.Opts.Style, v.call.Pos)
}

// nulls is how many elements are NULL, or are not.
func (v *variadicCall) nulls() algebra.Expr {
	places := v.of(value.ArrayPositions, algebra.TArray(algebra.TInt32), convert.ElementText(v.array.Type()), v.array, term.TextConst("NULL"))
	nulls := v.of(value.Cardinality, algebra.TInt32, places)
	if v.name == "num_nulls" {
		return nulls
	}
	return v.of(algebra.Sub, algebra.TInt32, v.of(value.Cardinality, algebra.TInt32, v.array), nulls)
}
