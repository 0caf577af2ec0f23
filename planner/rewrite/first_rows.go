package rewrite

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// maxFirstRows is how many rows of a partition are kept at most while rows are read.
const maxFirstRows = 1 << 8

// firstRows notes in a window which rows of each partition the condition above it lets
// through, so that only those are kept while rows are read. The condition stays. Only
// numberings may stand beside: their values depend on the rows before alone.
//
//	before: filter place <= 2 over window row_number() as place
//	after:  the same over a window of the first 2 rows
//	never:  filter place <= 2 over window row_number() as place, count(*): all rows count
func firstRows(c *context, n algebra.Node) algebra.Node {
	return c.transform(n, func(n algebra.Node) algebra.Node {
		f, ok := n.(*algebra.Filter)
		if !ok {
			return n
		}
		w, ok := f.Input.(*algebra.Window)
		if !ok || w.First.Rows > 0 || len(w.OrderBy) == 0 || slices.ContainsFunc(w.Calls, dependsOnOthers) {
			return n
		}
		out := *w
		for _, cond := range f.Conds {
			for i := range w.Calls {
				out.First = fewer(out.First, wantedFirst(cond, &w.Calls[i]))
			}
		}
		if out.First.Rows == 0 || out.First.Rows > maxFirstRows {
			return n
		}
		return mapInput(f, &out)
	})
}

// dependsOnOthers reports whether a call's value depends on more than the rows before.
func dependsOnOthers(call algebra.WindowCall) bool {
	return call.Func != algebra.RowNumber && call.Func != algebra.Rank && call.Func != algebra.DenseRank
}

// wantedFirst is the rows that a condition on a numbering lets through at the most. A
// rank is at most the number of a row.
func wantedFirst(cond algebra.Expr, call *algebra.WindowCall) (first algebra.FirstRows) {
	cmp, ok := cond.(*algebra.Call)
	if !ok || len(cmp.Args) != 2 || call.Func == algebra.DenseRank {
		return first
	}
	f, number, limit := cmp.Func, cmp.Args[0], cmp.Args[1]
	if _, ok := number.(*algebra.Const); ok {
		f, number, limit = mirror[f], limit, number
	}
	ref, isRef := number.(*algebra.ColumnRef)
	most, isConst := limit.(*algebra.Const)
	if !isRef || !isConst || ref.Column.ID != call.Column.ID || most.Val.Kind != value.Int {
		return first
	}
	first = algebra.FirstRows{Rows: max(most.Val.I, 1), Ties: call.Func == algebra.Rank}
	switch f {
	case algebra.Le, algebra.Eq:
	case algebra.Lt:
		first.Rows = max(most.Val.I, 2) - 1
	default:
		return algebra.FirstRows{}
	}
	return first
}

// fewer is the one that lets fewer rows through.
func fewer(a, b algebra.FirstRows) algebra.FirstRows {
	if a.Rows == 0 || b.Rows > 0 && (b.Rows < a.Rows || b.Rows == a.Rows && !b.Ties) {
		return b
	}
	return a
}
