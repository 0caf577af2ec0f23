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
func Random(x *scope.Exprs, e *sql.FuncCall) algebra.Expr {
	if len(e.Args) > 0 {
		args, _ := convert.Args(x, e)
		panic(term.NoFunction("random", args, e.Pos))
	}
	x.Randoms++
	return term.Call(algebra.Random, algebra.TFloat64, e.Pos, term.Int64Value(x.Seed(e, x.Opts.Random)))
}

// uuidPart is one of the numbers that a call of gen_random_uuid() is made of.
type uuidPart struct {
	call *sql.FuncCall
	part int
}

// RandomUUID binds gen_random_uuid(). Its seeds are none that setseed sets.
func RandomUUID(x *scope.Exprs, e *sql.FuncCall) algebra.Expr {
	if len(e.Args) > 0 {
		args, _ := convert.Args(x, e)
		panic(term.NoFunction("gen_random_uuid", args, e.Pos))
	}
	x.Randoms++
	var parts [3]algebra.Expr
	for i := range parts {
		parts[i] = term.Call(algebra.Random, algebra.TFloat64, e.Pos, term.Int64Value(x.Seed(uuidPart{e, i}, nil)))
	}
	return term.Call(value.UUIDOf, algebra.TUUID, e.Pos, parts[:]...)
}

// SetSeed binds setseed(x) of a constant, which acts when the statement is planned
// to run.
func SetSeed(x *scope.Exprs, e *sql.FuncCall) algebra.Expr {
	args, positions := convert.Args(x, e)
	if len(args) != 1 || sqltype.CastNeeds(args[0].Type().Kind, algebra.Float64) != sqltype.Implicit {
		panic(term.NoFunction("setseed", args, e.Pos))
	}
	seed := convert.Coerce(x, args[0], algebra.TFloat64, sqltype.Implicit, positions[0])
	k := x.Constant(seed, int(positions[0]))
	if k.Val.Kind == value.Null {
		return term.TextNull()
	}
	if f := k.Val.F; !(f >= -1 && f <= 1) {
		panic(value.Errorf(value.CodeInvalidParameter, "setseed parameter %s is out of allowed range [-1,1]", value.FormatFloat64(f)))
	}
	x.Momentary = true
	if x.Opts.SetSeed != nil {
		x.Opts.SetSeed(k.Val.F)
	}
	return term.TextConst("")
}
