package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql/value"
)

// jsonOperator is an operator of json or jsonb: the routine, the type of the result,
// Unknown for that of the left operand, and the types that the right one may have, of
// which an untyped literal takes the first.
type jsonOperator struct {
	f      algebra.Func
	result algebra.Type
	right  []algebra.Type
	binary bool // of jsonb alone
}

var textsType = algebra.TArray(algebra.TText)

var jsonOperators = map[string]jsonOperator{
	"->":  {f: value.JSONGet, right: []algebra.Type{algebra.TText, algebra.TInt32}},
	"->>": {f: value.JSONGetText, result: algebra.TText, right: []algebra.Type{algebra.TText, algebra.TInt32}},
	"#>":  {f: value.JSONGet, right: []algebra.Type{textsType}},
	"#>>": {f: value.JSONGetText, result: algebra.TText, right: []algebra.Type{textsType}},
	"@>":  {f: "jsonb_contains", result: algebra.TBool, right: []algebra.Type{algebra.TJSONB}, binary: true},
	"<@":  {f: "jsonb_contained", result: algebra.TBool, right: []algebra.Type{algebra.TJSONB}, binary: true},
	"?":   {f: "jsonb_exists", result: algebra.TBool, right: []algebra.Type{algebra.TText}, binary: true},
	"?|":  {f: "jsonb_exists_any", result: algebra.TBool, right: []algebra.Type{textsType}, binary: true},
	"?&":  {f: "jsonb_exists_all", result: algebra.TBool, right: []algebra.Type{textsType}, binary: true},
	"||":  {f: "jsonb_concat", right: []algebra.Type{algebra.TJSONB}, binary: true},
	"-":   {f: "jsonb_delete", right: []algebra.Type{algebra.TText, algebra.TInt32, textsType}, binary: true},
	"@?":  {f: value.JSONPathExists, result: algebra.TBool, right: []algebra.Type{algebra.TJSONPath}, binary: true},
	"@@":  {f: value.JSONPathMatch, result: algebra.TBool, right: []algebra.Type{algebra.TJSONPath}, binary: true},
	"#-":  {f: "jsonb_delete_path", right: []algebra.Type{textsType}, binary: true},
}

// jsonBinary binds an operator of JSON; nil where it is none of the operands' types.
func jsonBinary(x *scope.Exprs, l, r algebra.Expr, at term.Operands) algebra.Expr {
	op, ok := jsonOperators[at.Op]
	if !ok {
		return nil
	}
	if l.Type().Kind == algebra.Unknown && r.Type().Kind == algebra.JSONBinary && op.right[0] == algebra.TJSONB {
		l = convert.Coerce(x, l, algebra.TJSONB, sqltype.Implicit, at.Left)
	}
	if t := l.Type(); !t.IsJSON() || op.binary && t.Kind != algebra.JSONBinary {
		return nil
	}
	r = convert.AsArray(r, at.Right)
	for _, typ := range op.right {
		from := r.Type()
		if from.Kind != typ.Kind && sqltype.ConversionNeeds(from, typ) != sqltype.Implicit || from.Kind == algebra.Array && from.Elem != typ.Elem {
			continue
		}
		bound := convert.Coerce(x, r, typ, sqltype.Implicit, at.Right)
		result := op.result
		if result.Kind == algebra.Unknown {
			result = l.Type()
		}
		return x.Folded(term.Call(op.f, result, at.Pos, l, bound))
	}
	return nil
}

func withoutOrder(k algebra.Kind) bool { return k == algebra.JSONText || k == algebra.JSONPath }

// HasNoOrder reports whether values of a type cannot be compared: those of json and
// jsonpath, and arrays and rows of them.
func HasNoOrder(t algebra.Type) bool {
	return withoutOrder(t.Kind) || withoutOrder(t.Elem) || t.Kind == algebra.Record && fieldWithoutOrder(t) != algebra.TUnknown
}

// fieldWithoutOrder is the type of a field of a row type that HasNoOrder; unknown where none does.
func fieldWithoutOrder(row algebra.Type) algebra.Type {
	for _, f := range row.Fields() {
		switch {
		case !HasNoOrder(f.Type):
		case f.Type.Kind == algebra.Record:
			return fieldWithoutOrder(f.Type)
		default:
			return f.Type
		}
	}
	return algebra.TUnknown
}
