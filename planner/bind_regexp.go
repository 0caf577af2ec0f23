package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
)

// regexpOp is an operator that matches a regular expression.
type regexpOp struct {
	flags string
	not   bool
}

var regexpOps = map[string]regexpOp{
	"~": {}, "~*": {flags: "i"}, "!~": {not: true}, "!~*": {flags: "i", not: true},
}

// regexpMatch binds x ~ pattern and its kin.
func (x *exprBinder) regexpMatch(e *sql.Binary, op regexpOp) (algebra.Expr, error) {
	l, r, err := x.pair(e.L, e.R)
	if err != nil {
		return nil, err
	}
	if !isTextual(l) || !isTextual(r) {
		return nil, noOperator(e.Op, l, r, e.Pos)
	}
	if l, err = x.coerce(x.shown(l), algebra.TText, implicitCast, e.L.Position()); err != nil {
		return nil, err
	}
	if r, err = x.coerce(r, algebra.TText, implicitCast, e.R.Position()); err != nil {
		return nil, err
	}
	return negateIf(op.not, call(algebra.RegexpLike, algebra.TBool, e.Pos, l, r, textConst(op.flags))), nil
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
	sep, err := x.coerce(args[0], algebra.TText, implicitCast, positions[0])
	if err != nil {
		return nil, err
	}
	all := algebra.Expr(textConst(""))
	for i, arg := range args[1:] {
		if arg.Type().Kind == algebra.Bool {
			arg = boolOutput(arg)
		}
		if arg, err = x.coerce(x.shown(arg), algebra.TText, assignmentCast, positions[i+1]); err != nil {
			return nil, err
		}
		part := call(algebra.Concat, algebra.TText, e.Pos, sep, arg)
		all = call(algebra.Concat, algebra.TText, e.Pos, all, coalesce([]algebra.Expr{part, textConst("")}, algebra.TText))
	}
	length := call(algebra.Length, algebra.TInt32, e.Pos, sep)
	from := call(algebra.Add, algebra.TInt32, e.Pos, length, int32Const(1))
	return call(algebra.Substring, algebra.TText, e.Pos, all, from), nil
}
