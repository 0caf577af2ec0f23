package planner

import (
	"math"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// withTies keeps the rows that FETCH FIRST count ROWS WITH TIES behind an offset
// does: those whose rank in the order is at most offset + count, but for the
// first offset ones.
func (b *binder) withTies(rel *relation, count, offset int64) (*relation, error) {
	if count < 0 {
		return nil, value.Errorf(value.CodeInvalidRowCountLimit, "row count cannot be null in FETCH FIRST ... WITH TIES clause")
	}
	last := offset + min(count, math.MaxInt64-offset)
	// What sorts stands at the top, or below what drops the columns to sort by.
	project, dropped := rel.node.(*algebra.Project)
	node := rel.node
	if dropped {
		node = project.Input
	}
	sort := node.(*algebra.Sort)
	n := &algebra.Window{Input: sort.Input, OrderBy: sort.Keys}
	add := func(f algebra.WindowFunc) *algebra.ColumnRef {
		c := b.newColumn(string(f), algebra.TInt64, false)
		n.Calls = append(n.Calls, algebra.WindowCall{Column: c, Func: f, Frame: algebra.DefaultFrame()})
		return c.Ref()
	}
	conds := []algebra.Expr{call(algebra.Le, algebra.TBool, sql.NoPos, add(algebra.Rank), int64Value(last))}
	if offset > 0 {
		conds = append(conds, call(algebra.Gt, algebra.TBool, sql.NoPos, add(algebra.RowNumber), int64Value(offset)))
	}
	sorted := *sort
	sorted.Input = &algebra.Filter{Input: n, Conds: conds}
	if !dropped {
		return &relation{node: &algebra.Project{Input: &sorted, Items: passOn(sort.Columns())}}, nil
	}
	out := *project
	out.Input = &sorted
	return &relation{node: &out}, nil
}
