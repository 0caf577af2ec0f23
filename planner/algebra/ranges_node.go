package algebra

import (
	"math"

	"github.com/cubeloom/cubeloom/sql/value"
)

// ColumnRanges returns the proven ranges of the columns of n. They rest on the
// statistics of tables that are read in exactly the state that these describe
// (TableRef.Exact), on filters, and on arithmetic.
func ColumnRanges(n Node) Ranges {
	switch n := n.(type) {
	case *Scan:
		return scanRanges(n)
	case *Values:
		return valuesRanges(n)
	case *Filter:
		return filterRanges(n)
	case *Project:
		return itemRanges(n.Items, ColumnRanges(n.Input))
	case *Join:
		return joinRanges(n)
	case *Aggregate:
		return aggregateRanges(n)
	case *SetOp:
		return setOpRanges(n)
	case *Spool:
		return itemRanges(n.items(), ColumnRanges(n.Input))
	}
	if input, _ := n.operands(); input != nil {
		return ColumnRanges(*input)
	}
	return make(Ranges)
}

func scanRanges(n *Scan) Ranges {
	out := make(Ranges)
	if !n.Table.Exact {
		return out
	}
	for i, stats := range n.ColStats {
		if stats.HasBounds {
			out[n.Cols[i].ID] = RangeOf64(stats.Min, stats.Max)
		}
	}
	return out
}

func valuesRanges(n *Values) Ranges {
	out := make(Ranges)
	for i, c := range n.Cols {
		for _, row := range n.Rows {
			rng, ok := constRange(&Const{Val: row[i], Typ: c.Type})
			if !ok {
				continue
			}
			if have, ok := out[c.ID]; ok {
				rng = rng.hull(have)
			}
			out[c.ID] = rng
		}
	}
	return out
}

func itemRanges(items []Item, in Ranges) Ranges {
	out := make(Ranges, len(items))
	for _, item := range items {
		if rng, ok := in.Of(item.Expr); ok {
			out[item.Column.ID] = rng
		}
	}
	return out
}

func filterRanges(n *Filter) Ranges {
	out := ColumnRanges(n.Input)
	for _, cond := range n.Conds {
		out.narrow(cond)
	}
	return out
}

// narrow applies a condition that compares a column with a constant, as every
// row that passes it satisfies it.
func (r Ranges) narrow(cond Expr) {
	call, ok := cond.(*Call)
	if !ok {
		return
	}
	if call.Func == And {
		for _, arg := range call.Args {
			r.narrow(arg)
		}
		return
	}
	ref, bound, ok := comparedColumn(call)
	if !ok {
		return
	}
	have, ok := r.Of(ref)
	if !ok {
		return
	}
	r[ref.Column.ID] = have.intersect(bound)
}

// comparedColumn reads col op constant as the range that the column then has.
func comparedColumn(call *Call) (ref *ColumnRef, bound Range, ok bool) {
	if len(call.Args) < 2 {
		return nil, Range{}, false
	}
	ref, ok = call.Args[0].(*ColumnRef)
	if !ok {
		return nil, Range{}, false
	}
	limit, ok := TypeRange(ref.Column.Type)
	if !ok {
		return nil, Range{}, false
	}
	for i, arg := range call.Args[1:] {
		c, isConst := arg.(*Const)
		if !isConst {
			return nil, Range{}, false
		}
		point, isPoint := constRange(c)
		if !isPoint {
			return nil, Range{}, false
		}
		if i == 0 {
			bound = point
		}
		bound = bound.hull(point)
	}
	switch call.Func {
	case Eq, In:
		return ref, bound, true
	case Lt, Le:
		return ref, Range{limit.Lo, bound.Hi}, true
	case Gt, Ge:
		return ref, Range{bound.Lo, limit.Hi}, true
	}
	return nil, Range{}, false
}

func joinRanges(n *Join) Ranges {
	out := ColumnRanges(n.Left)
	if n.Kind == JoinSemi || n.Kind == JoinAnti {
		return out
	}
	for id, rng := range ColumnRanges(n.Right) {
		out[id] = rng
	}
	if n.Kind != JoinInner {
		return out
	}
	for _, key := range n.Keys {
		l, okL := key.Left.(*ColumnRef)
		r, okR := key.Right.(*ColumnRef)
		if !okL || !okR || key.NullSafe {
			continue
		}
		a, okA := out.Of(l)
		b, okB := out.Of(r)
		if okA && okB {
			both := a.intersect(b)
			out[l.Column.ID], out[r.Column.ID] = both, both
		}
	}
	return out
}

func aggregateRanges(n *Aggregate) Ranges {
	in := ColumnRanges(n.Input)
	out := itemRanges(n.Keys, in)
	rows, bounded := MaxRows(n.Input)
	for i := range n.Aggs {
		a := &n.Aggs[i]
		if rng, ok := aggRange(a, in, rows, bounded); ok {
			out[a.Column.ID] = rng
		}
	}
	if n.GroupingID.ID != 0 {
		out[n.GroupingID.ID] = RangeOf64(0, int64(len(n.Sets)-1))
	}
	return out
}

// aggRange is the range of an aggregate over at most rows rows.
func aggRange(a *Agg, in Ranges, rows int64, bounded bool) (Range, bool) {
	switch a.Func {
	case CountStar, Count:
		if !bounded {
			rows = math.MaxInt64
		}
		return RangeOf64(0, rows), true
	case Min, Max, AnyValue:
		return in.Of(a.Arg)
	case Sum:
		arg, ok := in.Of(a.Arg)
		if !ok || !bounded {
			return Range{}, false
		}
		// A group has between one row and all rows.
		return arg.corners(RangeOf64(1, max(rows, 1)), value.Int128.Mul)
	}
	return Range{}, false
}

func setOpRanges(n *SetOp) Ranges {
	left, right := ColumnRanges(n.Left), ColumnRanges(n.Right)
	lcols, rcols := n.Left.Columns(), n.Right.Columns()
	out := make(Ranges)
	for i, c := range n.Cols {
		l, okL := left.Of(lcols[i].Ref())
		r, okR := right.Of(rcols[i].Ref())
		switch {
		case n.Kind != Union && okL:
			out[c.ID] = l
		case okL && okR:
			out[c.ID] = l.hull(r)
		}
	}
	return out
}

// MaxRows returns a proven upper bound of the number of rows of n; ok is false
// where there is none below the largest int64.
func MaxRows(n Node) (rows int64, ok bool) {
	switch n := n.(type) {
	case *Scan:
		return n.Table.Rows, n.Table.Exact
	case *Values:
		return int64(len(n.Rows)), true
	case *Join:
		return maxJoinRows(n)
	case *Aggregate:
		if len(n.Keys) == 0 {
			return int64(len(n.Sets)), true
		}
		rows, ok := MaxRows(n.Input)
		return mulRows(max(rows, 1), int64(len(n.Sets)), ok)
	case *SetOp:
		return maxSetRows(n)
	case *Limit:
		return cappedRows(n.Input, n.Count)
	case *Sort:
		return cappedRows(n.Input, n.Limit)
	case *Recursive, *Working, *Unnest:
		return 0, false
	case *Spool:
		return MaxRows(n.Input)
	}
	input, _ := n.operands()
	return MaxRows(*input)
}

func cappedRows(input Node, limit int64) (int64, bool) {
	rows, ok := MaxRows(input)
	if limit >= 0 && (!ok || limit < rows) {
		return limit, true
	}
	return rows, ok
}

func mulRows(a, b int64, ok bool) (int64, bool) {
	p, fits := value.MulOverflow64(a, b)
	return p, fits && ok
}

func maxJoinRows(n *Join) (int64, bool) {
	left, okL := MaxRows(n.Left)
	if n.Kind == JoinSemi || n.Kind == JoinAnti {
		return left, okL
	}
	right, okR := MaxRows(n.Right)
	pairs, ok := mulRows(max(left, 1), max(right, 1), okL && okR)
	if n.Kind == JoinInner || !ok {
		return pairs, ok
	}
	// An outer join adds at most the rows of the sides that it preserves.
	sum := pairs + left + right
	return sum, sum >= pairs
}

func maxSetRows(n *SetOp) (int64, bool) {
	left, okL := MaxRows(n.Left)
	right, okR := MaxRows(n.Right)
	if n.Kind != Union {
		return left, okL
	}
	return left + right, okL && okR && left+right >= 0
}
