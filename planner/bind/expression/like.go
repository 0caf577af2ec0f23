package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// like binds LIKE, ILIKE and SIMILAR TO on text.
func like(x *scope.Exprs, e *sql.Like) algebra.Expr {
	l, r := convert.Pair(x, e.X, e.Pattern)
	return likeOf(x, e, l, r)
}

// likeOf is LIKE, ILIKE or SIMILAR TO of bound operands.
func likeOf(x *scope.Exprs, e *sql.Like, l, r algebra.Expr) algebra.Expr {
	f, op := algebra.Like, "~~"
	if e.Fold {
		f, op = algebra.ILike, "~~*"
	}
	if e.Not {
		op = "!" + op
	}
	if !term.IsTextual(l) || !term.IsTextual(r) {
		panic(term.NoOperator(op, l, r, e.Pos))
	}
	args := []algebra.Expr{convert.Shown(x.Binder, l), r, &algebra.Const{Val: value.Value{Kind: value.Text, S: `\`}, Typ: algebra.TText}}
	if e.Escape != nil {
		args[2] = escape(x, e.Escape)
	}
	if e.Similar && e.Escape == nil {
		args = args[:2]
	}
	positions := []sql.Pos{e.X.Position(), e.Pattern.Position(), e.Pos}
	for i := range args {
		args[i] = convert.Coerce(x, args[i], algebra.TText, sqltype.Implicit, positions[i])
	}
	if e.Similar {
		pattern := term.Call("similar_to_escape", algebra.TText, e.Pos, args[1:]...)
		return term.NegateIf(e.Not, term.Call(algebra.RegexpLike, algebra.TBool, e.Pos, args[0], pattern, term.TextConst("")))
	}
	return term.NegateIf(e.Not, term.Call(f, algebra.TBool, e.Pos, args...))
}

// escape binds the constant of ESCAPE.
func escape(x *scope.Exprs, e sql.Expr) algebra.Expr {
	bound := convert.ExprAs(x, e, algebra.TText, sqltype.Implicit)
	c := x.Constant(bound, int(e.Position()))
	if n := len([]rune(c.Val.S)); n > 1 {
		panic(&value.Error{
			Code: value.CodeInvalidEscape, Message: "invalid escape string",
			Hint: "Escape string must be empty or one character.", Pos: int(e.Position()),
		})
	}
	return c
}

// likeOps are the operator forms of LIKE.
var likeOps = map[string]sql.Like{
	"~~": {}, "!~~": {Not: true}, "~~*": {Fold: true}, "!~~*": {Not: true, Fold: true},
}
