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

// subscriptPath is the path that subscripts of jsonb are: an array of texts.
func subscriptPath(x *scope.Exprs, subscripts []sql.Bounds) algebra.Expr {
	path, _ := jsonPath(x, subscripts)
	return path
}

// jsonPath is the path that subscripts of jsonb are, and whether the first of them is an integer.
func jsonPath(x *scope.Exprs, subscripts []sql.Bounds) (path algebra.Expr, ofArray bool) {
	for _, s := range subscripts {
		if s.Slice {
			panic(errSliceOfJSON(&subscripts[0]))
		}
	}
	var steps []algebra.Expr
	for i, s := range subscripts {
		step := x.Expr(s.Lower)
		integer := isJSONIndex(step, s.Lower)
		if !integer {
			step = convert.Coerce(x, step, algebra.TText, sqltype.Implicit, s.Lower.Position())
		}
		ofArray = ofArray || integer && i == 0
		steps = append(steps, step)
	}
	return ArrayOf(x, steps, algebra.TText, subscripts[0].Pos), ofArray
}

// errSliceOfJSON is at a bound of the first subscript, wherever the slice is.
func errSliceOfJSON(first *sql.Bounds) error {
	pos := sql.NoPos
	for _, bound := range []sql.Expr{first.Lower, first.Upper} {
		if bound != nil {
			pos = bound.Position()
		}
	}
	return value.ErrorAt(int(pos), value.CodeDatatypeMismatch, "jsonb subscript does not support slices")
}

// isJSONIndex reports whether a subscript of jsonb is an integer; it is a text if it is none.
func isJSONIndex(subscript algebra.Expr, e sql.Expr) bool {
	typ := subscript.Type()
	switch {
	case typ.Kind == algebra.Unknown, sqltype.ConversionNeeds(typ, algebra.TText) == sqltype.Implicit:
		return false
	case sqltype.ConversionNeeds(typ, algebra.TInt32) == sqltype.Implicit:
		return true
	}
	err := value.Errorf(value.CodeDatatypeMismatch, "subscript type %s is not supported", sqltype.Name(typ))
	err.Hint, err.Pos = "jsonb subscript must be coercible to either integer or text.", int(e.Position())
	panic(err)
}

// withJSON is a value of jsonb with another one where subscripts lead; what they pass is made. In the place of NULL is an
// empty array or object, as the first of them asks for.
func withJSON(x *scope.Exprs, whole algebra.Expr, subscripts []sql.Bounds, part algebra.Expr) algebra.Expr {
	path, ofArray := jsonPath(x, subscripts)
	empty := "{}"
	if ofArray {
		empty = "[]"
	}
	orElse := func(e algebra.Expr, text string) algebra.Expr {
		c := &algebra.Const{Val: value.Value{Kind: value.Text, S: text}, Typ: algebra.TJSONB}
		return x.Folded(term.Coalesce([]algebra.Expr{e, c}, algebra.TJSONB))
	}
	return x.Folded(term.Call(value.JSONBAssign, algebra.TJSONB, sql.NoPos, orElse(whole, empty), path, orElse(part, "null")))
}
