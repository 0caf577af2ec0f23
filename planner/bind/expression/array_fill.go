package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql/value"
)

// arrayFill binds array_fill(element, lengths[, first subscripts]). It fails where an array is NULL.
func arrayFill(c *CallSite, args []algebra.Expr) algebra.Expr {
	integers := algebra.TArray(algebra.TInt32)
	if len(args) != 2 && len(args) != 3 {
		panic(term.NoFunction(c.Name, args, c.Pos))
	}
	given := algebra.Expr(&algebra.Const{Val: value.Value{Kind: value.Bool, B: true}, Typ: algebra.TBool})
	for i, arg := range args[1:] {
		if t := arg.Type(); t.Kind != algebra.Unknown && t != integers {
			panic(term.NoFunction(c.Name, args, c.Pos))
		}
		array := convert.Coerce(c.Exprs, arg, integers, sqltype.Implicit, c.Positions[i+1])
		given = c.Folded(term.Call(algebra.And, algebra.TBool, c.Pos, given, term.NotNull(array)))
		args[i+1] = orEmpty(c.Exprs.Binder, array)
	}
	typ := args[0].Type()
	switch typ.Kind {
	case algebra.Unknown:
		panic(value.Errorf(value.CodeDatatypeMismatch, "could not determine polymorphic type because input has type unknown"))
	case algebra.Array:
		panic(SeveralDimensions(c.Pos))
	}
	args[0] = ArrayItem(c.Exprs, args[0], c.Pos)
	if len(args) == 2 {
		args = append(args, &algebra.Const{Val: value.Value{Kind: value.Text, S: "{}"}, Typ: integers})
	}
	return c.Folded(term.Call(value.ArrayFill, algebra.TArray(typ), c.Pos, append(args, given)...))
}
