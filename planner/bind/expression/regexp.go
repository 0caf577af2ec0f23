package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
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
func regexpMatch(x *scope.Exprs, e *sql.Binary, op regexpOp) algebra.Expr {
	l, r := convert.Pair(x, e.L, e.R)
	return regexpOf(x, op, l, r, term.Operands{Op: e.Op, Left: e.L.Position(), Right: e.R.Position(), Pos: e.Pos})
}

// regexpOf is regexpMatch of bound operands.
func regexpOf(x *scope.Exprs, op regexpOp, l, r algebra.Expr, at term.Operands) algebra.Expr {
	if !term.IsTextual(l) || !term.IsTextual(r) {
		panic(term.NoOperator(at.Op, l, r, at.Pos))
	}
	l = convert.Coerce(x, convert.Shown(x.Binder, l), algebra.TText, sqltype.Implicit, at.Left)
	r = convert.Coerce(x, r, algebra.TText, sqltype.Implicit, at.Right)
	return term.NegateIf(op.not, term.Call(algebra.RegexpLike, algebra.TBool, at.Pos, l, r, term.TextConst(op.flags)))
}
