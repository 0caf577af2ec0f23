package write

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// ExecuteArguments computes the arguments of EXECUTE and converts them to the types of
// the parameters.
func ExecuteArguments(b *scope.Binder, args []sql.Expr, types []algebra.Type) ([]scope.Param, error) {
	x := &scope.Exprs{Binder: b, Scope: &scope.Scope{}, Clause: "EXECUTE parameters", Alone: "EXECUTE parameter"}
	params := make([]scope.Param, len(args))
	for i, e := range args {
		v, err := argument(x, e, i+1, types[i])
		if err != nil {
			return nil, err
		}
		params[i] = scope.Param{Value: v, Type: types[i]}
	}
	return params, nil
}

// argument computes argument i, counted from 1.
func argument(x *scope.Exprs, e sql.Expr, i int, to algebra.Type) (value.Value, error) {
	bound, err := x.Expr(e)
	if err != nil {
		return value.Value{}, err
	}
	if sqltype.ConversionNeeds(bound.Type(), to) > sqltype.Assignment {
		return value.Value{}, &value.Error{
			Code:    value.CodeDatatypeMismatch,
			Message: "parameter $" + term.Itoa(i) + " of type " + sqltype.Name(bound.Type()) + " cannot be coerced to the expected type " + sqltype.Name(to),
			Hint:    "You will need to rewrite or cast the expression.",
			Pos:     int(e.Position()),
		}
	}
	if bound, err = convert.Coerce(x, bound, to, sqltype.Assignment, e.Position()); err != nil {
		return value.Value{}, err
	}
	k, err := x.Constant(bound, int(e.Position()))
	if err != nil {
		return value.Value{}, err
	}
	return k.Val, nil
}
