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
var JSONForms = map[function.Form]func(x *scope.Exprs, name string, e *sql.FuncCall) (algebra.Expr, error){
	"to_json": toJSON, "row_to_json": rowToJSON, "json_build_object": buildObject, "json_build_array": buildArray, "json_extract_path": extractPath, "jsonb_set": setPath,
}

// toJSON binds to_json and array_to_json.
func toJSON(x *scope.Exprs, name string, e *sql.FuncCall) (algebra.Expr, error) {
	args, positions, _, err := JSONArgs(x, e)
	if err != nil {
		return nil, err
	}
	switch {
	case len(args) != 1 || name == "array_to_json" && args[0].Type().Kind != algebra.Array && args[0].Type().Kind != algebra.Unknown:
		return nil, term.NoFunction(name, args, e.Pos)
	case args[0].Type().Kind == algebra.Unknown:
		return nil, value.ErrorAt(int(e.Pos), value.CodeDatatypeMismatch, "could not determine polymorphic type because input has type unknown")
	}
	text, err := InJSON(x, args[0], positions[0])
	if err != nil {
		return nil, err
	}
	return x.Folded(term.OfJSON(name, text, e.Pos)), nil
}

// buildObject binds json_build_object(key, value, …) to the concatenation of its parts.
func buildObject(x *scope.Exprs, name string, e *sql.FuncCall) (algebra.Expr, error) {
	args, positions, _, err := JSONArgs(x, e)
	if err != nil {
		return nil, err
	}
	if len(args)%2 != 0 {
		return nil, &value.Error{
			Code: value.CodeInvalidParameter, Message: "argument list must have even number of elements",
			Hint: "The arguments of " + name + "() must consist of alternating keys and values.", Pos: value.NoPos,
		}
	}
	parts, opening := []algebra.Expr{term.TextConst("{")}, ""
	for i, arg := range args {
		var part algebra.Expr
		behind := ", "
		if i%2 == 0 {
			part, err = JSONKey(x, arg, i+1, positions[i])
			behind = " : "
		} else {
			part, err = InJSONOrNull(x, arg, positions[i])
		}
		if err != nil {
			return nil, err
		}
		parts = append(parts, term.Call(algebra.Concat, algebra.TText, e.Pos, term.TextConst(opening), part))
		opening = behind
	}
	return term.OfJSON(name, joinedTexts(append(parts, term.TextConst("}")), e.Pos), e.Pos), nil
}

// buildArray binds json_build_array(value, …).
func buildArray(x *scope.Exprs, name string, e *sql.FuncCall) (algebra.Expr, error) {
	args, positions, _, err := JSONArgs(x, e)
	if err != nil {
		return nil, err
	}
	parts := []algebra.Expr{term.TextConst("[")}
	for i, arg := range args {
		part, err := InJSONOrNull(x, arg, positions[i])
		if err != nil {
			return nil, err
		}
		if i > 0 {
			parts = append(parts, term.TextConst(", "))
		}
		parts = append(parts, part)
	}
	return term.OfJSON(name, joinedTexts(append(parts, term.TextConst("]")), e.Pos), e.Pos), nil
}

// extractPath binds json_extract_path and its kin to the operators #> and #>>.
func extractPath(x *scope.Exprs, name string, e *sql.FuncCall) (algebra.Expr, error) {
	args, positions, err := convert.Args(x, e)
	if err != nil {
		return nil, err
	}
	typ := term.JSONType(name)
	if len(args) < 2 || args[0].Type() != typ && args[0].Type().Kind != algebra.Unknown {
		return nil, term.NoFunction(name, args, e.Pos)
	}
	for _, arg := range args[1:] {
		if k := arg.Type().Kind; k != algebra.Text && k != algebra.Unknown {
			return nil, term.NoFunction(name, args, e.Pos)
		}
	}
	path, err := arrayOf(x, args[1:], positions[1:], algebra.TText, sqltype.Implicit, e.Pos)
	if err != nil {
		return nil, err
	}
	of, err := convert.Coerce(x, args[0], typ, sqltype.Implicit, positions[0])
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(name, "_text") {
		return x.Folded(term.Call(value.JSONGetText, algebra.TText, e.Pos, of, path)), nil
	}
	return x.Folded(term.Call(value.JSONGet, typ, e.Pos, of, path)), nil
}

// setPath binds jsonb_set and jsonb_insert.
func setPath(x *scope.Exprs, name string, e *sql.FuncCall) (algebra.Expr, error) {
	args, positions, err := convert.Args(x, e)
	if err != nil {
		return nil, err
	}
	params := []algebra.Type{algebra.TJSONB, textsType, algebra.TJSONB, algebra.TBool}
	if len(args) < 3 || len(args) > 4 {
		return nil, term.NoFunction(name, args, e.Pos)
	}
	for i, arg := range args {
		if t := arg.Type(); t.Kind != algebra.Unknown && (t.Kind != params[i].Kind || t.Elem != params[i].Elem) {
			return nil, term.NoFunction(name, args, e.Pos)
		}
		if args[i], err = convert.Coerce(x, arg, params[i], sqltype.Implicit, positions[i]); err != nil {
			return nil, err
		}
	}
	return x.Folded(term.Call(algebra.Func(name), algebra.TJSONB, e.Pos, args...)), nil
}
