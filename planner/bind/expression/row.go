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
func orderRows(x *scope.Exprs, e *sql.Binary, l, r *sql.Row) (algebra.Expr, error) {
	if err := sameLength(l, r, e.Pos); err != nil {
		return nil, err
	}
	strict := comparisons[strings.TrimSuffix(e.Op, "=")]
	last := len(l.Exprs) - 1
	result, err := comparison(x, comparisons[e.Op], e.Op, l.Exprs[last], r.Exprs[last], e.Pos)
	for i := last - 1; i >= 0 && err == nil; i-- {
		var before, equal algebra.Expr
		if before, err = comparison(x, strict, e.Op, l.Exprs[i], r.Exprs[i], e.Pos); err != nil {
			break
		}
		equal, err = comparison(x, algebra.Eq, e.Op, l.Exprs[i], r.Exprs[i], e.Pos)
		if err == nil {
			result = term.Call(algebra.Or, algebra.TBool, e.Pos, before, term.Call(algebra.And, algebra.TBool, e.Pos, equal, result))
		}
	}
	return result, err
}

func sameLength(l, r *sql.Row, pos sql.Pos) error {
	if len(l.Exprs) != len(r.Exprs) || len(l.Exprs) == 0 {
		return value.ErrorAt(int(pos), value.CodeSyntax, "unequal number of entries in row expressions")
	}
	return nil
}

// distinctRows binds (a, b) IS DISTINCT FROM (c, d).
func distinctRows(x *scope.Exprs, e *sql.IsDistinct, l, r *sql.Row) (algebra.Expr, error) {
	if err := sameLength(l, r, e.Pos); err != nil {
		return nil, err
	}
	tests := make([]algebra.Expr, len(l.Exprs))
	for i := range l.Exprs {
		var err error
		if tests[i], err = x.Expr(&sql.IsDistinct{L: l.Exprs[i], R: r.Exprs[i], Pos: e.Pos}); err != nil {
			return nil, err
		}
	}
	return term.NegateIf(e.Not, term.Connect(algebra.Or, tests, e.Pos)), nil
}

// nullRow binds (a, b) IS NULL: each of them is, and IS NOT NULL: none is.
func nullRow(x *scope.Exprs, e *sql.Is, row *sql.Row) (algebra.Expr, error) {
	tests := make([]algebra.Expr, len(row.Exprs))
	for i, field := range row.Exprs {
		bound, err := convert.Resolved(x, field)
		if err != nil {
			return nil, err
		}
		tests[i] = term.NegateIf(e.Not, term.IsNull(bound))
	}
	if len(tests) == 0 {
		return nil, refuseExpr(row)
	}
	return term.Connect(algebra.And, tests, e.Pos), nil
}
