package scalar

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// TypeOf is the name of an expression's type, which is not evaluated.
func TypeOf(x *scope.Exprs, e *sql.FuncCall) algebra.Expr {
	args, _ := convert.Args(x, e)
	if len(args) != 1 {
		panic(term.NoFunction("pg_typeof", args, e.Pos))
	}
	if d := x.DomainOf(args[0]); d != nil {
		return term.TextConst(d.String())
	}
	return term.TextConst(sqltype.Name(args[0].Type()))
}

// CountNulls is the number of arguments that are NULL, or are not.
func CountNulls(x *scope.Exprs, name string, e *sql.FuncCall) algebra.Expr {
	args, positions := convert.Args(x, e)
	if len(args) == 0 {
		panic(term.NoFunction(name, nil, e.Pos))
	}
	var sum algebra.Expr
	for i, arg := range args {
		arg = convert.ResolveUnknown(x, arg, positions[i])
		cond := term.IsNull(arg)
		if name == "num_nonnulls" {
			cond = term.NotNull(arg)
		}
		one := &algebra.Case{Whens: []algebra.When{{Cond: cond, Then: term.Int32Const(1)}}, Else: term.Int32Const(0), Typ: algebra.TInt32}
		if sum == nil {
			sum = one
		} else {
			sum = term.Call(algebra.Add, algebra.TInt32, e.Pos, sum, one)
		}
	}
	return sum
}

// intervalFields is how many arguments make_interval has.
const intervalFields = 7

// MakeInterval binds make_interval, whose arguments may be left out.
func MakeInterval(x *scope.Exprs, e *sql.FuncCall) algebra.Expr {
	if len(e.Args) > intervalFields {
		given, _ := convert.Args(x, e)
		panic(term.NoFunction("make_interval", given, e.Pos))
	}
	args := make([]algebra.Expr, intervalFields)
	for n, arg := range e.Args {
		typ := algebra.TInt32
		if n == len(args)-1 {
			typ = algebra.TFloat64
		}
		args[n] = convert.ExprAs(x, arg, typ, sqltype.Implicit)
	}
	for n := range args {
		if args[n] == nil && n == len(args)-1 {
			args[n] = term.FloatConst(0)
		} else if args[n] == nil {
			args[n] = term.Int32Const(0)
		}
	}
	return term.Call(value.MakeInterval, algebra.TInterval, e.Pos, args...)
}
