package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
)

// opposites are the comparisons that hold where others do not.
var opposites = map[string]string{"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

// quantifiedTest is one comparison of ANY, or the negation of one of ALL.
func quantifiedTest(x *scope.Exprs, l, r algebra.Expr, left sql.Pos, e *sql.Quantified) algebra.Expr {
	if _, ok := comparisons[e.Op]; ok {
		op := e.Op
		if e.All {
			op = opposites[op]
		}
		return Compare(x, comparisons[op], l, r, term.Operands{Op: e.Op, Left: left, Right: e.Pos, Pos: e.Pos})
	}
	if op, ok := regexpOps[e.Op]; ok {
		return term.NegateIf(e.All, regexpOf(x, op, l, r, term.Operands{Op: e.Op, Left: left, Right: e.Pos, Pos: e.Pos}))
	}
	like, ok := likeOps[e.Op]
	if !ok {
		panic(term.NotSupported(e.Pos, "the operator "+e.Op+" with ANY or ALL is"))
	}
	at := &sql.Literal{Pos: e.Pos}
	like.X, like.Pattern, like.Pos = at, at, e.Pos
	return term.NegateIf(e.All, likeOf(x, &like, l, r))
}
