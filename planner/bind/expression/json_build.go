package expression

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// JSONForms bind the functions that make values of JSON, by their forms.
var JSONForms = map[function.Form]func(x *scope.Exprs, name string, e *sql.FuncCall) algebra.Expr{
	"to_json": toJSON, "row_to_json": rowToJSON, "json_build_object": buildObject, "json_build_array": buildArray, "json_extract_path": extractPath, "jsonb_set": setPath,
	"json_object": objectOfTexts, "jsonb_path": queryPath,
}

// toJSON binds to_json and array_to_json.
func toJSON(x *scope.Exprs, name string, e *sql.FuncCall) algebra.Expr {
	args, positions := convert.Args(x, e)
	switch {
	case len(args) != 1 || name == "array_to_json" && args[0].Type().Kind != algebra.Array && args[0].Type().Kind != algebra.Unknown:
		panic(term.NoFunction(name, args, e.Pos))
	case args[0].Type().Kind == algebra.Unknown:
		panic(value.ErrorAt(int(e.Pos), value.CodeDatatypeMismatch, "could not determine polymorphic type because input has type unknown"))
	}
	text := InJSON(x, args[0], positions[0])
	return x.Folded(term.OfJSON(name, text, e.Pos))
}

// buildObject binds json_build_object(key, value, …) to the concatenation of its parts.
func buildObject(x *scope.Exprs, name string, e *sql.FuncCall) algebra.Expr {
	args, positions := convert.Args(x, e)
	if len(args)%2 != 0 {
		panic(value.ErrOddPairs(name))
	}
	parts, opening := []algebra.Expr{term.TextConst("{")}, ""
	for i, arg := range args {
		var part algebra.Expr
		behind := ", "
		if i%2 == 0 {
			part = JSONKey(x, arg, i+1, positions[i])
			behind = " : "
		} else {
			part = InJSONOrNull(x, arg, positions[i])
		}
		parts = append(parts, term.Call(algebra.Concat, algebra.TText, e.Pos, term.TextConst(opening), part))
		opening = behind
	}
	return term.OfJSON(name, joinedTexts(append(parts, term.TextConst("}")), e.Pos), e.Pos)
}

// buildArray binds json_build_array(value, …).
func buildArray(x *scope.Exprs, name string, e *sql.FuncCall) algebra.Expr {
	args, positions := convert.Args(x, e)
	parts := []algebra.Expr{term.TextConst("[")}
	for i, arg := range args {
		part := InJSONOrNull(x, arg, positions[i])
		if i > 0 {
			parts = append(parts, term.TextConst(", "))
		}
		parts = append(parts, part)
	}
	return term.OfJSON(name, joinedTexts(append(parts, term.TextConst("]")), e.Pos), e.Pos)
}

// BuildVariadic binds json_build_object and json_build_array of the elements of an array.
func BuildVariadic(x *scope.Exprs, name string, array algebra.Expr, pos sql.Pos) algebra.Expr {
	element, shown := convert.ElementText(array.Type()), convert.ShownTexts(x, array, isoStyle(x), pos)
	if strings.HasSuffix(name, "array") {
		text := x.Folded(term.Call(value.JSONOfArray, algebra.TText, pos, element, shown, term.TextConst(", ")))
		return x.Folded(term.OfJSON(name, text, pos))
	}
	if array.Type().Element().IsJSON() {
		panic(errKeyNotScalar())
	}
	text := x.Folded(term.Call(value.JSONOfPairs, algebra.TText, pos, element, shown, term.TextConst(name)))
	return x.Folded(term.OfJSON(name, text, pos))
}

// extractPath binds json_extract_path and its kin to the operators #> and #>>.
func extractPath(x *scope.Exprs, name string, e *sql.FuncCall) algebra.Expr {
	args, positions := convert.Args(x, e)
	if len(args) < 2 {
		panic(term.NoFunction(name, args, e.Pos))
	}
	for _, arg := range args[1:] {
		if k := arg.Type().Kind; k != algebra.Text && k != algebra.Unknown {
			panic(term.NoFunction(name, args, e.Pos))
		}
	}
	path := arrayOf(x, args[1:], positions[1:], algebra.TText, sqltype.Implicit, e.Pos)
	return ExtractPath(x, name, []algebra.Expr{args[0], path}, positions, e.Pos)
}

// ExtractPath binds json_extract_path and its kin of a value and the array of a path.
func ExtractPath(x *scope.Exprs, name string, args []algebra.Expr, positions []sql.Pos, pos sql.Pos) algebra.Expr {
	typ := term.JSONType(name)
	takeParams(x, name, args, []algebra.Type{typ, textsType}, positions, pos)
	if strings.HasSuffix(name, "_text") {
		return x.Folded(term.Call(value.JSONGetText, algebra.TText, pos, args...))
	}
	return x.Folded(term.Call(value.JSONGet, typ, pos, args...))
}

// setPath binds jsonb_set and jsonb_insert.
func setPath(x *scope.Exprs, name string, e *sql.FuncCall) algebra.Expr {
	args, positions := convert.Args(x, e)
	params := []algebra.Type{algebra.TJSONB, textsType, algebra.TJSONB, algebra.TBool}
	if len(args) < 3 || len(args) > 4 {
		panic(term.NoFunction(name, args, e.Pos))
	}
	takeParams(x, name, args, params, positions, e.Pos)
	return x.Folded(term.Call(algebra.Func(name), algebra.TJSONB, e.Pos, args...))
}

// objectOfTexts binds json_object and jsonb_object.
func objectOfTexts(x *scope.Exprs, name string, e *sql.FuncCall) algebra.Expr {
	args, positions := convert.Args(x, e)
	if len(args) < 1 || len(args) > 2 {
		panic(term.NoFunction(name, args, e.Pos))
	}
	takeParams(x, name, args, []algebra.Type{textsType, textsType}, positions, e.Pos)
	return x.Folded(term.Call(algebra.Func(name), term.JSONType(name), e.Pos, args...))
}

// takeParams gives arguments that are untyped the types of their parameters, which the others
// must have.
func takeParams(x *scope.Exprs, name string, args []algebra.Expr, params []algebra.Type, positions []sql.Pos, pos sql.Pos) {
	for i, arg := range args {
		if t := arg.Type(); t.Kind != algebra.Unknown && (t.Kind != params[i].Kind || t.Elem != params[i].Elem) {
			panic(term.NoFunction(name, args, pos))
		}
	}
	for i, arg := range args {
		args[i] = convert.Coerce(x, arg, params[i], sqltype.Implicit, positions[i])
	}
}

// rowToJSON binds row_to_json(row[, pretty]).
func rowToJSON(x *scope.Exprs, name string, e *sql.FuncCall) algebra.Expr {
	args, positions := convert.Args(x, e)
	if len(args) > 0 && args[0].Type().Kind == algebra.Unknown {
		args[0] = convert.Coerce(x, args[0], algebra.TRow("record", nil), sqltype.Implicit, positions[0])
	}
	if len(args) == 0 || len(args) > 2 || args[0].Type().Kind != algebra.Record {
		panic(term.NoFunction(name, args, e.Pos))
	}
	separator := ","
	if len(args) == 2 {
		if pretty, ok := e.Args[1].(*sql.Literal); !ok || pretty.Kind != sql.BoolLiteral {
			panic(term.NotSupported(e.Args[1].Position(), name+" with an argument that is not constant is"))
		} else if pretty.Text == "true" {
			separator = ",\n "
		}
	}
	return term.OfJSON(name, rowObject(x, args[0], separator, positions[0]), e.Pos)
}

// queryPath binds jsonb_path_exists and its kin.
func queryPath(x *scope.Exprs, name string, e *sql.FuncCall) algebra.Expr {
	routine := strings.TrimSuffix(name, "_tz")
	result := algebra.TBool
	if strings.HasPrefix(routine, "jsonb_path_query") {
		result = algebra.TJSONB
	}
	return QueryPath(x, name, algebra.Func(routine), result, e)
}

// QueryPath binds a routine of a value of jsonb, a path, and what may stand behind them: the values of
// variables, and whether errors are silent. The time zone is used by functions whose name says so.
func QueryPath(x *scope.Exprs, name string, routine algebra.Func, result algebra.Type, e *sql.FuncCall) algebra.Expr {
	args, positions := convert.Args(x, e)
	if len(args) < 2 || len(args) > 4 {
		panic(term.NoFunction(name, args, e.Pos))
	}
	takeParams(x, name, args, []algebra.Type{algebra.TJSONB, algebra.TJSONPath, algebra.TJSONB, algebra.TBool}, positions, e.Pos)
	rest := []algebra.Expr{
		&algebra.Const{Val: value.Value{Kind: value.Text, S: "{}"}, Typ: algebra.TJSONB},
		&algebra.Const{Val: value.Value{Kind: value.Bool}, Typ: algebra.TBool},
	}
	args = append(args, rest[len(args)-2:]...)
	zone := ""
	if strings.HasSuffix(name, "_tz") {
		zone = x.Zone().String()
	}
	return x.Folded(term.Call(routine, result, e.Pos, append(args, term.TextConst(zone))...))
}
