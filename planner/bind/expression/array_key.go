package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// ArraysGrouped are the arrays of elements that GROUP BY names, or may name by the
// number of an item.
func ArraysGrouped(s *sql.Select) []sql.Expr {
	if s.GroupBy == nil {
		return nil
	}
	var arrays []sql.Expr
	add := func(e sql.Expr) {
		inner := e
		for {
			cast, ok := inner.(*sql.Cast)
			if !ok {
				break
			}
			inner = cast.X
		}
		if _, ok := inner.(*sql.Array); ok {
			arrays = append(arrays, e)
		}
	}
	for _, e := range groupedExprs(s.GroupBy.Elements) {
		add(e)
	}
	for _, item := range s.Items {
		add(item.Expr)
	}
	return arrays
}

// groupedExprs are the expressions of the elements of GROUP BY.
func groupedExprs(elements []sql.GroupElement) []sql.Expr {
	var exprs []sql.Expr
	add := func(lists []*sql.GroupExprs) {
		for _, list := range lists {
			exprs = append(exprs, list.Exprs...)
		}
	}
	for _, element := range elements {
		switch element := element.(type) {
		case *sql.GroupExprs:
			exprs = append(exprs, element.Exprs...)
		case *sql.Cube:
			add(element.Elements)
		case *sql.Rollup:
			add(element.Elements)
		case *sql.GroupingSets:
			exprs = append(exprs, groupedExprs(element.Elements)...)
		}
	}
	return exprs
}

// maybeKey reports whether an array, or what is cast to it, may be a grouping expression,
// of which only the value is there behind the groups, not its elements.
func maybeKey(x *scope.Exprs, array sql.Expr) bool {
	if len(x.Arrays) == 0 {
		return false
	}
	if cast, ok := array.(*sql.Cast); ok && maybeKey(x, cast.X) {
		return true
	}
	plain := *x
	plain.Group, plain.Arrays, plain.Window, plain.Rows = nil, nil, nil, nil
	bound, err := sqlstate.Try(func() algebra.Expr { return plain.Expr(array) })
	if err != nil {
		return false
	}
	for _, e := range x.Arrays {
		if key, err := sqlstate.Try(func() algebra.Expr { return plain.Expr(e) }); err == nil && algebra.Equal(key, bound) {
			return true
		}
	}
	return false
}
