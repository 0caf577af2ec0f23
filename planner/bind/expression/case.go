package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
)

// caseExpr binds both forms of CASE; the simple one compares its operand with
// the value of each arm.
func caseExpr(x *scope.Exprs, e *sql.Case) algebra.Expr {
	x = x.Without("CASE")
	var operand algebra.Expr
	if e.Operand != nil {
		operand = x.Expr(e.Operand)
		operand = convert.ResolveUnknown(x, operand, e.Operand.Position())
	}
	out := &algebra.Case{Whens: make([]algebra.When, len(e.Whens))}
	results := make([]algebra.Expr, 1, len(e.Whens)+1)
	positions := make([]sql.Pos, 1, len(e.Whens)+1)
	for i, when := range e.Whens {
		cond := caseCondition(x, e, operand, when.Cond)
		then := x.Expr(when.Then)
		out.Whens[i].Cond = cond
		results, positions = append(results, then), append(positions, when.Then.Position())
	}
	// As in PostgreSQL the type of ELSE, or the NULL in its place, counts first.
	results[0], positions[0] = &algebra.Const{Typ: algebra.TUnknown}, e.Pos
	if e.Else != nil {
		results[0] = x.Expr(e.Else)
		positions[0] = e.Else.Position()
	}
	results, out.Typ = convert.Unify(x, results, "CASE", positions)
	for i := range out.Whens {
		out.Whens[i].Then = results[i+1]
	}
	if e.Else != nil {
		out.Else = results[0]
	}
	return out
}

func caseCondition(x *scope.Exprs, e *sql.Case, operand algebra.Expr, cond sql.Expr) algebra.Expr {
	if operand == nil {
		return convert.Condition(x, cond, "CASE/WHEN")
	}
	with := x.Expr(cond)
	return Compare(x, algebra.Eq, operand, with, term.Operands{Op: "=", Left: e.Operand.Position(), Right: cond.Position(), Pos: cond.Position()})
}
