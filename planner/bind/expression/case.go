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
func caseExpr(x *scope.Exprs, e *sql.Case) (algebra.Expr, error) {
	x = x.Without("CASE")
	var operand algebra.Expr
	if e.Operand != nil {
		var err error
		if operand, err = x.Expr(e.Operand); err != nil {
			return nil, err
		}
		if operand, err = convert.ResolveUnknown(x, operand, e.Operand.Position()); err != nil {
			return nil, err
		}
	}
	out := &algebra.Case{Whens: make([]algebra.When, len(e.Whens))}
	results := make([]algebra.Expr, 1, len(e.Whens)+1)
	positions := make([]sql.Pos, 1, len(e.Whens)+1)
	for i, when := range e.Whens {
		cond, err := caseCondition(x, e, operand, when.Cond)
		if err != nil {
			return nil, err
		}
		then, err := x.Expr(when.Then)
		if err != nil {
			return nil, err
		}
		out.Whens[i].Cond = cond
		results, positions = append(results, then), append(positions, when.Then.Position())
	}
	// As in PostgreSQL the type of ELSE, or the NULL in its place, counts first.
	results[0], positions[0] = &algebra.Const{Typ: algebra.TUnknown}, e.Pos
	if e.Else != nil {
		var err error
		if results[0], err = x.Expr(e.Else); err != nil {
			return nil, err
		}
		positions[0] = e.Else.Position()
	}
	var err error
	if results, out.Typ, err = convert.Unify(x, results, "CASE", positions); err != nil {
		return nil, err
	}
	for i := range out.Whens {
		out.Whens[i].Then = results[i+1]
	}
	if e.Else != nil {
		out.Else = results[0]
	}
	return out, nil
}

func caseCondition(x *scope.Exprs, e *sql.Case, operand algebra.Expr, cond sql.Expr) (algebra.Expr, error) {
	if operand == nil {
		return convert.Condition(x, cond, "CASE/WHEN")
	}
	with, err := x.Expr(cond)
	if err != nil {
		return nil, err
	}
	return Compare(x, algebra.Eq, operand, with, term.Operands{Op: "=", Left: e.Operand.Position(), Right: cond.Position(), Pos: cond.Position()})
}
