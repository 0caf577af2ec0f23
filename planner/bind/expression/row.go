package expression

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// orderRows binds (a, b) < (c, d) and its kin as a < c OR a = c AND b < d: the
// first columns that differ decide, and where they are NULL nothing does.
func orderRows(x *scope.Exprs, e *sql.Binary, l, r *sql.Row) algebra.Expr {
	sameLength(l, r, e.Pos)
	return inOrder(e.Op, len(l.Exprs), e.Pos, func(i int, f algebra.Func) algebra.Expr {
		return comparison(x, f, e.Op, l.Exprs[i], r.Exprs[i], e.Pos)
	})
}

// inOrder is orderRows of n columns that a function compares.
func inOrder(op string, n int, pos sql.Pos, compare func(i int, f algebra.Func) algebra.Expr) algebra.Expr {
	strict := comparisons[strings.TrimSuffix(op, "=")]
	result := compare(n-1, comparisons[op])
	for i := n - 2; i >= 0; i-- {
		before, equal := compare(i, strict), compare(i, algebra.Eq)
		result = term.Call(algebra.Or, algebra.TBool, pos, before, term.Call(algebra.And, algebra.TBool, pos, equal, result))
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
func nullRow(x *scope.Exprs, e *sql.Is, row *rowValue) algebra.Expr {
	tests := lists.Map(row.values, func(v algebra.Expr) algebra.Expr {
		return term.NegateIf(e.Not, term.IsNull(convert.ResolveUnknown(x, v, e.Pos)))
	})
	if len(tests) == 0 {
		panic(refuseExpr(e.X))
	}
	return term.Connect(algebra.And, tests, e.Pos)
}
