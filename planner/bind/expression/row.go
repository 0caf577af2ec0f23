package expression

import (
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// orderRows binds (a, b) < (c, d) and its kin as a < c OR a = c AND b < d: the
// first columns that differ decide, and where they are NULL nothing does.
func orderRows(x *scope.Exprs, e *sql.Binary, l, r *sql.Row) algebra.Expr {
	l, r = sameLength(x, l, r, e.Pos)
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

// sameLength are two rows with as many entries each, and columns in the place of t.*.
func sameLength(x *scope.Exprs, l, r *sql.Row, pos sql.Pos) (*sql.Row, *sql.Row) {
	l, r = withColumns(x, l), withColumns(x, r)
	if len(l.Exprs) != len(r.Exprs) || len(l.Exprs) == 0 {
		panic(value.ErrorAt(int(pos), value.CodeSyntax, "unequal number of entries in row expressions"))
	}
	return l, r
}

// withColumns is a row with columns in the place of t.*.
func withColumns(x *scope.Exprs, row *sql.Row) *sql.Row {
	out := &sql.Row{Pos: row.Pos}
	for _, e := range row.Exprs {
		star, ok := e.(*sql.Star)
		if !ok {
			out.Exprs = append(out.Exprs, e)
			continue
		}
		for _, c := range x.Expand(star) {
			name := append(slices.Clip(star.Qualifier), sql.Ident{Name: c.Name, Pos: star.Pos})
			out.Exprs = append(out.Exprs, &sql.ColumnRef{Name: name})
		}
	}
	return out
}

// distinctRows binds (a, b) IS DISTINCT FROM (c, d).
func distinctRows(x *scope.Exprs, e *sql.IsDistinct, l, r *sql.Row) algebra.Expr {
	l, r = sameLength(x, l, r, e.Pos)
	tests := make([]algebra.Expr, len(l.Exprs))
	for i := range l.Exprs {
		tests[i] = x.Expr(&sql.IsDistinct{L: l.Exprs[i], R: r.Exprs[i], Pos: e.Pos})
	}
	return term.NegateIf(e.Not, term.Connect(algebra.Or, tests, e.Pos))
}

// nullRow binds row IS NULL: each field is, and IS NOT NULL: none is.
func nullRow(x *scope.Exprs, e *sql.Is, row algebra.Expr) algebra.Expr {
	return algebra.Conjunction(lists.Map(rowFields(x, row, e.Pos).Fields, func(v algebra.Expr) algebra.Expr { return term.NegateIf(e.Not, term.IsNull(v)) }))
}
