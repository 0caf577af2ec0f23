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

// ConcatAll binds concat(…): each argument as text, NULL as the empty text.
func ConcatAll(x *scope.Exprs, e *sql.FuncCall) algebra.Expr {
	args, positions := convert.Args(x, e)
	if len(args) == 0 {
		panic(term.NoFunction("concat", nil, e.Pos))
	}
	var all algebra.Expr
	for i, arg := range args {
		arg = outputText(x, arg, positions[i])
		// A key that is never NULL here can be in the rows of a coarser
		// grouping set: only a constant is certain not to be.
		if c, isConst := arg.(*algebra.Const); !isConst || c.Val.Kind == value.Null {
			arg = term.Coalesce([]algebra.Expr{arg, term.TextConst("")}, algebra.TText)
		}
		if all == nil {
			all = arg
		} else {
			all = term.Call(algebra.Concat, algebra.TText, e.Pos, all, arg)
		}
	}
	return all
}

// ConcatWithSeparator binds concat_ws(separator, …): each argument that is not
// NULL as text behind the separator, and then without the first of those.
func ConcatWithSeparator(x *scope.Exprs, e *sql.FuncCall) algebra.Expr {
	args, positions := convert.Args(x, e)
	if len(args) < 2 || !term.IsTextual(args[0]) {
		panic(term.NoFunction("concat_ws", args, e.Pos))
	}
	sep := convert.Coerce(x, args[0], algebra.TText, sqltype.Implicit, positions[0])
	all := algebra.Expr(term.TextConst(""))
	for i, arg := range args[1:] {
		arg = outputText(x, arg, positions[i+1])
		part := term.Call(algebra.Concat, algebra.TText, e.Pos, sep, arg)
		all = term.Call(algebra.Concat, algebra.TText, e.Pos, all, term.Coalesce([]algebra.Expr{part, term.TextConst("")}, algebra.TText))
	}
	length := term.Call(algebra.Length, algebra.TInt32, e.Pos, sep)
	from := term.Call(algebra.Add, algebra.TInt32, e.Pos, length, term.Int32Const(1))
	return term.Call(algebra.Substring, algebra.TText, e.Pos, all, from)
}

// outputText is a value as a text, as a client sees it.
func outputText(x *scope.Exprs, v algebra.Expr, pos sql.Pos) algebra.Expr {
	if v.Type().Kind == algebra.Bool {
		v = term.BoolOutput(v)
	}
	return convert.Coerce(x, convert.Shown(x.Binder, v), algebra.TText, sqltype.Assignment, pos)
}
