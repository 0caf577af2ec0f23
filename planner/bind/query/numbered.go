package query

import (
	"math"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// numbered keeps the rows whose number in the order is above offset and at most offset + count; a
// count that is NULL keeps all of these. With ties, not the number but the rank counts: so does
// FETCH FIRST … ROWS WITH TIES.
func numbered(b *scope.Binder, rel *scope.Bound, count, offset algebra.Expr, ties bool) *scope.Bound {
	// What sorts stands at the top, or below what drops the columns to sort by.
	project, dropped := rel.Node.(*algebra.Project)
	node := rel.Node
	if dropped {
		node = project.Input
	}
	sort, sorts := node.(*algebra.Sort)
	if !sorts {
		kept := amongNumbered(b, &algebra.Window{Input: rel.Node}, count, offset, ties)
		return &scope.Bound{Node: &algebra.Project{Input: kept, Items: term.PassOn(rel.Columns())}}
	}
	sorted := *sort
	sorted.Input = amongNumbered(b, &algebra.Window{Input: sort.Input, OrderBy: sort.Keys}, count, offset, ties)
	if !dropped {
		return &scope.Bound{Node: &algebra.Project{Input: &sorted, Items: term.PassOn(sort.Columns())}}
	}
	out := *project
	out.Input = &sorted
	return &scope.Bound{Node: &out}
}

// amongNumbered filters the rows that a window numbers.
func amongNumbered(b *scope.Binder, n *algebra.Window, count, offset algebra.Expr, ties bool) algebra.Node {
	add := func(f algebra.WindowFunc) algebra.Expr {
		c := b.NewColumn(string(f), algebra.TInt64, false)
		n.Calls = append(n.Calls, algebra.WindowCall{Column: c, Func: f, Frame: algebra.DefaultFrame()})
		return c.Ref()
	}
	last := algebra.RowNumber
	if ties {
		last = algebra.Rank
	}
	filter := &algebra.Filter{Input: n}
	if start, known := offset.(*algebra.Const); !known || start.Val.I > 0 {
		filter.Conds = append(filter.Conds, term.Call(algebra.Gt, algebra.TBool, sql.NoPos, add(algebra.RowNumber), offset))
	}
	filter.Conds = append(filter.Conds, notAbove(add(last), count, offset))
	return filter
}

// notAbove is that a number is not above the sum of two, of which count may be NULL: then none is.
// The sum may be beyond bigint.
func notAbove(number, count, offset algebra.Expr) algebra.Expr {
	start, starts := offset.(*algebra.Const)
	rows, counts := count.(*algebra.Const)
	if starts && counts {
		last := term.Int64Value(start.Val.I + min(rows.Val.I, math.MaxInt64-start.Val.I))
		return term.Call(algebra.Le, algebra.TBool, sql.NoPos, number, last)
	}
	behind := term.Call(algebra.Sub, algebra.TInt64, sql.NoPos, number, offset)
	within := term.Call(algebra.Le, algebra.TBool, sql.NoPos, behind, count)
	return term.Call(algebra.Or, algebra.TBool, sql.NoPos, term.IsNull(count), within)
}

// computed is the argument of LIMIT or OFFSET that is no constant. It becomes one where its value is known
// when the query begins: where it names no column of a query around it and the statement is to run. A count
// below 0, and whatever else fails, is an error of the run, which may not ask for it.
func computed(b *scope.Binder, count algebra.Expr, clause string) algebra.Expr {
	once := func(e algebra.Expr) algebra.Node {
		item := algebra.Item{Column: b.NewColumn(term.NoName, algebra.TInt64, true), Expr: e}
		return &algebra.Project{Input: &algebra.Values{Rows: make([][]value.Value, 1)}, Items: []algebra.Item{item}}
	}
	if b.Opts.Compute != nil && len(b.Open) == 0 && algebra.References(count).Empty() && !isShared(once(count)) {
		v, err := b.Opts.Compute(b, once(count))
		if err == nil && (v.Kind == value.Null || value.CheckRowCount(clause, v.I) == nil) {
			return &algebra.Const{Val: v, Typ: algebra.TInt64}
		}
	}
	checked := term.Call(value.RowCount, algebra.TInt64, sql.NoPos, count, term.TextConst(clause))
	return expression.NewSubquery(b, algebra.SubqueryScalar, once(checked), algebra.TInt64)
}

// isShared reports whether a plan reads a common table expression that is to be computed once: other
// references to it must see the same rows.
func isShared(n algebra.Node) bool {
	shared := false
	algebra.EachSpool(n, func(s *algebra.Spool) { shared = shared || s.Forced || isShared(s.Input) })
	return shared
}
