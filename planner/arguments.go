package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// ParamTypes resolves the types that PREPARE gives its parameters.
func ParamTypes(names []sql.TypeName) ([]algebra.Type, error) {
	types := make([]algebra.Type, len(names))
	for i, name := range names {
		if name.Name == "unknown" && !name.Array {
			continue // to be inferred
		}
		t, err := sqltype.Resolve(name)
		if err != nil {
			return nil, err
		}
		// Precision and length are for whoever stores the value to check.
		switch t.Kind {
		case algebra.Decimal:
			t = algebra.TNumeric
		case algebra.Text:
			t = algebra.Type{Kind: algebra.Text, Padded: t.Padded}
		}
		types[i] = t
	}
	return types, nil
}

// executeArguments computes the arguments of EXECUTE and converts them to the types of
// the parameters.
func (b *binder) executeArguments(args []sql.Expr, types []algebra.Type) ([]Param, error) {
	x := &exprBinder{binder: b, scope: &scope{}, clause: "EXECUTE parameters", alone: "EXECUTE parameter"}
	params := make([]Param, len(args))
	for i, e := range args {
		v, err := x.argument(e, i+1, types[i])
		if err != nil {
			return nil, err
		}
		params[i] = Param{Value: v, Type: types[i]}
	}
	return params, nil
}

// argument computes argument i, counted from 1.
func (x *exprBinder) argument(e sql.Expr, i int, to algebra.Type) (value.Value, error) {
	bound, err := x.expr(e)
	if err != nil {
		return value.Value{}, err
	}
	if sqltype.ConversionNeeds(bound.Type(), to) > sqltype.Assignment {
		return value.Value{}, &value.Error{
			Code:    value.CodeDatatypeMismatch,
			Message: "parameter $" + itoa(i) + " of type " + sqltype.Name(bound.Type()) + " cannot be coerced to the expected type " + sqltype.Name(to),
			Hint:    "You will need to rewrite or cast the expression.",
			Pos:     int(e.Position()),
		}
	}
	if bound, err = x.coerce(bound, to, sqltype.Assignment, e.Position()); err != nil {
		return value.Value{}, err
	}
	k, err := x.constant(bound, int(e.Position()))
	if err != nil {
		return value.Value{}, err
	}
	return k.Val, nil
}
