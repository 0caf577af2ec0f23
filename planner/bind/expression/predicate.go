package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
)

func is(x *scope.Exprs, e *sql.Is) (algebra.Expr, error) {
	f := map[string]algebra.Func{
		"null": algebra.IsNull, "unknown": algebra.IsNull, "true": algebra.IsTrue, "false": algebra.IsFalse,
	}[e.What]
	if row, ok := e.X.(*sql.Row); ok && e.What == "null" {
		return nullRow(x, e, row)
	}
	var arg algebra.Expr
	var err error
	if e.What == "null" {
		if arg, err = x.Expr(e.X); err == nil {
			arg, err = convert.ResolveUnknown(x, arg, e.X.Position())
		}
	} else {
		arg, err = convert.Condition(x, e.X, "IS "+map[bool]string{true: "NOT "}[e.Not]+term.Upper(e.What))
	}
	if err != nil {
		return nil, err
	}
	return term.NegateIf(e.Not, term.Call(f, algebra.TBool, e.Pos, arg)), nil
}

func isDistinct(x *scope.Exprs, e *sql.IsDistinct) (algebra.Expr, error) {
	if l, isRow := e.L.(*sql.Row); isRow {
		if r, alsoRow := e.R.(*sql.Row); alsoRow {
			return distinctRows(x, e, l, r)
		}
	}
	l, r, err := convert.Pair(x, e.L, e.R)
	if err != nil {
		return nil, err
	}
	cmp, err := Compare(x, algebra.Distinct, l, r, term.Operands{Op: "=", Left: e.L.Position(), Right: e.R.Position(), Pos: e.Pos})
	if err != nil {
		return nil, err
	}
	return term.NegateIf(e.Not, cmp), nil
}

func between(x *scope.Exprs, e *sql.Between) (algebra.Expr, error) {
	lower, err := inRange(x, e, e.Lo, e.Hi)
	if err != nil {
		return nil, err
	}
	if e.Symmetric {
		swapped, err := inRange(x, e, e.Hi, e.Lo)
		if err != nil {
			return nil, err
		}
		lower = term.Call(algebra.Or, algebra.TBool, e.Pos, lower, swapped)
	}
	return term.NegateIf(e.Not, lower), nil
}

// inRange is x >= lo AND x <= hi.
func inRange(x *scope.Exprs, e *sql.Between, lo, hi sql.Expr) (algebra.Expr, error) {
	ge, err := comparison(x, algebra.Ge, ">=", e.X, lo, e.Pos)
	if err != nil {
		return nil, err
	}
	le, err := comparison(x, algebra.Le, "<=", e.X, hi, e.Pos)
	if err != nil {
		return nil, err
	}
	return term.Call(algebra.And, algebra.TBool, e.Pos, ge, le), nil
}
