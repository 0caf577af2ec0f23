package expression

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// orderRows binds (a, b) < (c, d) and its kin as a < c OR a = c AND b < d: the
// first columns that differ decide, and where they are NULL nothing does.
func orderRows(x *scope.Exprs, e *sql.Binary, l, r *sql.Row) algebra.Expr {
	sameLength(l, r, e.Pos)
	strict := comparisons[strings.TrimSuffix(e.Op, "=")]
	last := len(l.Exprs) - 1
	result := comparison(x, comparisons[e.Op], e.Op, l.Exprs[last], r.Exprs[last], e.Pos)
	for i := last - 1; i >= 0; i-- {
		before := comparison(x, strict, e.Op, l.Exprs[i], r.Exprs[i], e.Pos)
		equal := comparison(x, algebra.Eq, e.Op, l.Exprs[i], r.Exprs[i], e.Pos)
		result = term.Call(algebra.Or, algebra.TBool, e.Pos, before, term.Call(algebra.And, algebra.TBool, e.Pos, equal, result))
	}
	return result
}

func sameLength(l, r *sql.Row, pos sql.Pos) {
	if len(l.Exprs) != len(r.Exprs) || len(l.Exprs) == 0 {
		panic(value.ErrorAt(int(pos), value.CodeSyntax, "unequal number of entries in row expressions"))
	}
}

// distinctRows binds (a, b) IS DISTINCT FROM (c, d).
func distinctRows(x *scope.Exprs, e *sql.IsDistinct, l, r *sql.Row) algebra.Expr {
	sameLength(l, r, e.Pos)
	tests := make([]algebra.Expr, len(l.Exprs))
	for i := range l.Exprs {
		tests[i] = x.Expr(&sql.IsDistinct{L: l.Exprs[i], R: r.Exprs[i], Pos: e.Pos})
	}
	return term.NegateIf(e.Not, term.Connect(algebra.Or, tests, e.Pos))
}

// nullRow binds (a, b) IS NULL: each of them is, and IS NOT NULL: none is.
func nullRow(x *scope.Exprs, e *sql.Is, row *sql.Row) algebra.Expr {
	tests := make([]algebra.Expr, len(row.Exprs))
	for i, field := range row.Exprs {
		bound := convert.Resolved(x, field)
		tests[i] = term.NegateIf(e.Not, term.IsNull(bound))
	}
	if len(tests) == 0 {
		panic(refuseExpr(row))
	}
	return term.Connect(algebra.And, tests, e.Pos)
}
