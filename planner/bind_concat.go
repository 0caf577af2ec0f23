package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// concatAll binds concat(…): each argument as text, NULL as the empty text.
func (x *exprBinder) concatAll(e *sql.FuncCall) (algebra.Expr, error) {
	args, positions, err := x.args(e)
	if err != nil {
		return nil, err
	}
	if len(args) == 0 {
		return nil, noFunction("concat", nil, e.Pos)
	}
	var all algebra.Expr
	for i, arg := range args {
		if arg.Type().Kind == algebra.Bool {
			arg = boolOutput(arg)
		}
		if arg, err = x.coerce(x.shown(arg), algebra.TText, sqltype.Assignment, positions[i]); err != nil {
			return nil, err
		}
		// A key that is never NULL here can be in the rows of a coarser
		// grouping set: only a constant is certain not to be.
		if c, isConst := arg.(*algebra.Const); !isConst || c.Val.Kind == value.Null {
			arg = coalesce([]algebra.Expr{arg, textConst("")}, algebra.TText)
		}
		if all == nil {
			all = arg
		} else {
			all = call(algebra.Concat, algebra.TText, e.Pos, all, arg)
		}
	}
	return all, nil
}

// concatWithSeparator binds concat_ws(separator, …): each argument that is not
// NULL as text behind the separator, and then without the first of those.
func (x *exprBinder) concatWithSeparator(e *sql.FuncCall) (algebra.Expr, error) {
	args, positions, err := x.args(e)
	if err != nil {
		return nil, err
	}
	if len(args) < 2 || !isTextual(args[0]) {
		return nil, noFunction("concat_ws", args, e.Pos)
	}
	sep, err := x.coerce(args[0], algebra.TText, sqltype.Implicit, positions[0])
	if err != nil {
		return nil, err
	}
	all := algebra.Expr(textConst(""))
	for i, arg := range args[1:] {
		if arg.Type().Kind == algebra.Bool {
			arg = boolOutput(arg)
		}
		if arg, err = x.coerce(x.shown(arg), algebra.TText, sqltype.Assignment, positions[i+1]); err != nil {
			return nil, err
		}
		part := call(algebra.Concat, algebra.TText, e.Pos, sep, arg)
		all = call(algebra.Concat, algebra.TText, e.Pos, all, coalesce([]algebra.Expr{part, textConst("")}, algebra.TText))
	}
	length := call(algebra.Length, algebra.TInt32, e.Pos, sep)
	from := call(algebra.Add, algebra.TInt32, e.Pos, length, int32Const(1))
	return call(algebra.Substring, algebra.TText, e.Pos, all, from), nil
}
