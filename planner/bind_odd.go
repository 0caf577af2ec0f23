package planner

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// typeOf is the name of an expression's type, which is not evaluated.
func (x *exprBinder) typeOf(e *sql.FuncCall) (algebra.Expr, error) {
	args, _, err := x.args(e)
	if err != nil {
		return nil, err
	}
	if len(args) != 1 {
		return nil, noFunction("pg_typeof", args, e.Pos)
	}
	return textConst(sqltype.Name(args[0].Type())), nil
}

// countNulls is the number of arguments that are NULL, or are not.
func (x *exprBinder) countNulls(name string, e *sql.FuncCall) (algebra.Expr, error) {
	args, positions, err := x.args(e)
	if err != nil {
		return nil, err
	}
	if len(args) == 0 {
		return nil, noFunction(name, nil, e.Pos)
	}
	var sum algebra.Expr
	for i, arg := range args {
		if arg, err = x.settle(arg, positions[i]); err != nil {
			return nil, err
		}
		cond := isNull(arg)
		if name == "num_nonnulls" {
			cond = notNull(arg)
		}
		one := &algebra.Case{Whens: []algebra.When{{Cond: cond, Then: int32Const(1)}}, Else: int32Const(0), Typ: algebra.TInt32}
		if sum == nil {
			sum = one
		} else {
			sum = call(algebra.Add, algebra.TInt32, e.Pos, sum, one)
		}
	}
	return sum, nil
}

// intervalFields are the parameters of make_interval.
var intervalFields = []string{"years", "months", "weeks", "days", "hours", "mins", "secs"}

// makeInterval binds make_interval, whose arguments may have names and be left
// out.
func (x *exprBinder) makeInterval(e *sql.FuncCall) (algebra.Expr, error) {
	args := make([]algebra.Expr, len(intervalFields))
	for i, arg := range e.Args {
		n := i
		if named, ok := arg.(*sql.NamedArg); ok {
			arg = named.Value
			if n = slices.Index(intervalFields, named.Name.Name); n < 0 {
				return nil, noFunction("make_interval", nil, e.Pos)
			}
		}
		if n >= len(args) || args[n] != nil {
			return nil, noFunction("make_interval", nil, e.Pos)
		}
		typ := algebra.TInt32
		if n == len(args)-1 {
			typ = algebra.TFloat64
		}
		var err error
		if args[n], err = x.exprAs(arg, typ, sqltype.Implicit); err != nil {
			return nil, err
		}
	}
	for n := range args {
		if args[n] == nil && n == len(args)-1 {
			args[n] = floatConst(0)
		} else if args[n] == nil {
			args[n] = int32Const(0)
		}
	}
	return call(value.MakeInterval, algebra.TInterval, e.Pos, args...), nil
}
