package query

import (
	"math"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// withTies keeps the rows that FETCH FIRST count ROWS WITH TIES behind an offset
// does: those whose rank in the order is at most offset + count, but for the
// first offset ones.
func withTies(b *scope.Binder, rel *scope.Bound, count, offset int64) *scope.Bound {
	if count < 0 {
		panic(value.Errorf(value.CodeInvalidRowCountLimit, "row count cannot be null in FETCH FIRST ... WITH TIES clause"))
	}
	last := offset + min(count, math.MaxInt64-offset)
	// What sorts stands at the top, or below what drops the columns to sort by.
	project, dropped := rel.Node.(*algebra.Project)
	node := rel.Node
	if dropped {
		node = project.Input
	}
	sort := node.(*algebra.Sort)
	n := &algebra.Window{Input: sort.Input, OrderBy: sort.Keys}
	add := func(f algebra.WindowFunc) *algebra.ColumnRef {
		c := b.NewColumn(string(f), algebra.TInt64, false)
		n.Calls = append(n.Calls, algebra.WindowCall{Column: c, Func: f, Frame: algebra.DefaultFrame()})
		return c.Ref()
	}
	conds := []algebra.Expr{term.Call(algebra.Le, algebra.TBool, sql.NoPos, add(algebra.Rank), term.Int64Value(last))}
	if offset > 0 {
		conds = append(conds, term.Call(algebra.Gt, algebra.TBool, sql.NoPos, add(algebra.RowNumber), term.Int64Value(offset)))
	}
	sorted := *sort
	sorted.Input = &algebra.Filter{Input: n, Conds: conds}
	if !dropped {
		return &scope.Bound{Node: &algebra.Project{Input: &sorted, Items: term.PassOn(sort.Columns())}}
	}
	out := *project
	out.Input = &sorted
	return &scope.Bound{Node: &out}
}
