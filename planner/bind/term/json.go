package term

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// JSONType is the type that a function of JSON is about, as its name says.
func JSONType(function string) algebra.Type {
	if strings.HasPrefix(function, "jsonb_") || function == "to_jsonb" {
		return algebra.TJSONB
	}
	return algebra.TJSON
}

// OfJSON is a text of JSON in the type that a function returns.
func OfJSON(function string, text algebra.Expr, pos sql.Pos) algebra.Expr {
	typ := JSONType(function)
	routine := algebra.Func(value.JSONMade)
	if typ == algebra.TJSONB {
		routine = value.JSONBIn
	}
	return Call(routine, typ, pos, text)
}
