package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
)

func is(x *scope.Exprs, e *sql.Is) algebra.Expr {
	f := map[string]algebra.Func{
		"null": algebra.IsNull, "unknown": algebra.IsNull, "true": algebra.IsTrue, "false": algebra.IsFalse,
	}[e.What]
	var arg algebra.Expr
	if e.What == "null" {
		if arg = convert.Resolved(x, e.X); arg.Type().Kind == algebra.Record {
			return nullRow(x, e, arg)
		}
	} else {
		arg = convert.Condition(x, e.X, "IS "+map[bool]string{true: "NOT "}[e.Not]+term.Upper(e.What))
	}
	return term.NegateIf(e.Not, term.Call(f, algebra.TBool, e.Pos, arg))
}

func isDistinct(x *scope.Exprs, e *sql.IsDistinct) algebra.Expr {
	if l, isRow := e.L.(*sql.Row); isRow {
		if r, alsoRow := e.R.(*sql.Row); alsoRow {
			return distinctRows(x, e, l, r)
		}
	}
	l, r := convert.Pair(x, e.L, e.R)
	cmp := Compare(x, algebra.Distinct, l, r, term.Operands{Op: "=", Left: e.L.Position(), Right: e.R.Position(), Pos: e.Pos})
	return term.NegateIf(e.Not, cmp)
}

func between(x *scope.Exprs, e *sql.Between) algebra.Expr {
	lower := inRange(x, e, e.Lo, e.Hi)
	if e.Symmetric {
		swapped := inRange(x, e, e.Hi, e.Lo)
		lower = term.Call(algebra.Or, algebra.TBool, e.Pos, lower, swapped)
	}
	return term.NegateIf(e.Not, lower)
}

// inRange is x >= lo AND x <= hi.
func inRange(x *scope.Exprs, e *sql.Between, lo, hi sql.Expr) algebra.Expr {
	ge := binary(x, &sql.Binary{Op: ">=", L: e.X, R: lo, Pos: e.Pos})
	le := binary(x, &sql.Binary{Op: "<=", L: e.X, R: hi, Pos: e.Pos})
	return term.Call(algebra.And, algebra.TBool, e.Pos, ge, le)
}
