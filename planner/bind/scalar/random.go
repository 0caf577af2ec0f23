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

// Random binds random(): each call has a seed of its own, from which and from the
// number of a row the value in that row is computed.
func Random(x *scope.Exprs, e *sql.FuncCall) (algebra.Expr, error) {
	if len(e.Args) > 0 {
		args, _, err := convert.Args(x, e)
		if err != nil {
			return nil, err
		}
		return nil, term.NoFunction("random", args, e.Pos)
	}
	x.Randoms++
	return term.Call(algebra.Random, algebra.TFloat64, e.Pos, term.Int64Value(x.Seed(e))), nil
}

// SetSeed binds setseed(x) of a constant, which acts when the statement is planned
// to run.
func SetSeed(x *scope.Exprs, e *sql.FuncCall) (algebra.Expr, error) {
	args, positions, err := convert.Args(x, e)
	if err != nil {
		return nil, err
	}
	if len(args) != 1 || sqltype.CastNeeds(args[0].Type().Kind, algebra.Float64) != sqltype.Implicit {
		return nil, term.NoFunction("setseed", args, e.Pos)
	}
	seed, err := convert.Coerce(x, args[0], algebra.TFloat64, sqltype.Implicit, positions[0])
	if err != nil {
		return nil, err
	}
	k, err := x.Constant(seed, int(positions[0]))
	if err != nil || k.Val.Kind == value.Null {
		return term.TextNull(), err
	}
	if f := k.Val.F; !(f >= -1 && f <= 1) {
		return nil, value.Errorf(value.CodeInvalidParameter, "setseed parameter %s is out of allowed range [-1,1]", value.FormatFloat64(f))
	}
	x.Momentary = true
	if x.Opts.SetSeed != nil {
		x.Opts.SetSeed(k.Val.F)
	}
	return term.TextConst(""), nil
}
