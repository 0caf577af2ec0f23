package call

import (
	"strconv"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
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

// variadic binds a call with VARIADIC, or returns the call with the elements of the array in its place.
func variadic(x *scope.Exprs, form function.Form, name string, e *sql.FuncCall) (bound algebra.Expr, written *sql.FuncCall) {
	args, positions := convert.Args(x, e)
	last := len(args) - 1
	if last != variadicArguments[form] {
		panic(term.NoFunction(name, args, e.Pos))
	}
	if form == "json_extract_path" {
		return expression.ExtractPath(x, name, args, positions, e.Pos), nil
	}
	args[last] = convert.AsArray(args[last], positions[last])
	if args[last].Type().Kind != algebra.Array {
		panic(value.ErrorAt(int(positions[last]), value.CodeDatatypeMismatch, "VARIADIC argument must be an array"))
	}
	v := &variadicCall{Exprs: x, form: form, name: name, call: e, array: args[last]}
	switch form {
	case "concat":
		return v.listed(term.TextConst("")), nil
	case "concat_ws":
		if !term.IsTextual(args[0]) {
			panic(term.NoFunction(name, args, e.Pos))
		}
		return v.listed(convert.Coerce(x, args[0], algebra.TText, sqltype.Implicit, positions[0])), nil
	case "num_nulls", "num_nonnulls":
		return v.nulls(), nil
	}
	if name == "jsonb_build_array" {
		return x.Folded(term.OfJSON(name, expression.InJSON(x, v.array, positions[last]), e.Pos)), nil
	}
	return v.expanded()
}

// variadicCall is a call with VARIADIC of an array.
type variadicCall struct {
	*scope.Exprs
	form  function.Form
	name  string
	call  *sql.FuncCall
	array algebra.Expr
}

func (v *variadicCall) of(f algebra.Func, typ algebra.Type, args ...algebra.Expr) algebra.Expr {
	return v.Folded(term.Call(f, typ, v.call.Pos, args...))
}

// listed is the texts of the elements with a separator between them.
func (v *variadicCall) listed(separator algebra.Expr) algebra.Expr {
	texts := convert.ShownTexts(v.Exprs, v.array, v.Opts.Style, v.call.Pos)
	return v.of(value.ArrayText, algebra.TText, texts, separator)
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

// expanded is the call with the elements of an array whose number is known in its place, or a constant where the array is
// NULL.
func (v *variadicCall) expanded() (null algebra.Expr, written *sql.FuncCall) {
	call := *v.call
	last := len(call.Args) - 1
	array := call.Args[last]
	call.Variadic, call.Args = false, call.Args[:last:last]
	lower, n, known := v.bounds(array)
	switch {
	case !known && v.form == "format":
		return nil, &call
	case !known:
		return &algebra.Const{Typ: term.JSONType(v.name)}, nil
	}
	for i := range n {
		index := &sql.Literal{Kind: sql.IntegerLiteral, Text: strconv.FormatInt(lower+i, 10), Pos: array.Position()}
		call.Args = append(call.Args, &sql.Subscript{X: array, Lower: index, Pos: array.Position()})
	}
	return nil, &call
}

// bounds are the first subscript of an array and the number of its elements; known is false for an array that is NULL. It
// panics where the number is found when the query runs.
func (v *variadicCall) bounds(array sql.Expr) (lower, n int64, known bool) {
	if cast, ok := array.(*sql.Cast); ok {
		array = cast.X
	}
	if written, ok := array.(*sql.Array); ok {
		return 1, int64(len(written.Exprs)), true
	}
	c, ok := v.array.(*algebra.Const)
	switch {
	case !ok:
		panic(term.NotSupported(array.Position(), v.name+" with VARIADIC of an array that is not constant is"))
	case c.Val.Kind == value.Null:
		return 0, 0, false
	}
	return value.ArrayLowerBound(c.Val.S), int64(len(value.SplitArray(v.Opts.Meter, c.Val.S))), true
}
