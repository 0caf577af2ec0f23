package write

import (
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// ExecuteArguments computes the arguments of EXECUTE and converts them to the types of
// the parameters, which have no names.
func ExecuteArguments(b *scope.Binder, args []sql.Expr, of []scope.Parameter) []scope.Param {
	x := &scope.Exprs{Binder: b, Scope: &scope.Scope{}, Clause: "EXECUTE parameters", Alone: "EXECUTE parameter"}
	params := make([]scope.Param, len(args))
	for i, e := range args {
		v := argument(x, e, i+1, &of[i])
		params[i] = scope.Param{Value: v, Type: of[i].Type}
	}
	return params
}

// argument computes argument i, counted from 1.
func argument(x *scope.Exprs, e sql.Expr, i int, of *scope.Parameter) value.Value {
	bound, to := x.Expr(e), of.Type
	if sqltype.ConversionNeeds(bound.Type(), to) > sqltype.Assignment {
		panic(&value.Error{
			Code:    value.CodeDatatypeMismatch,
			Message: "parameter $" + term.Itoa(i) + " of type " + sqltype.Name(bound.Type()) + " cannot be coerced to the expected type " + sqltype.Name(to),
			Hint:    "You will need to rewrite or cast the expression.",
			Pos:     int(e.Position()),
		})
	}
	bound = convert.Coerce(x, bound, to, sqltype.Assignment, e.Position())
	v := x.Constant(bound, int(e.Position()))
	return x.Constant(convert.InDomain(x, v, of.Domain), value.NoPos).Val
}
