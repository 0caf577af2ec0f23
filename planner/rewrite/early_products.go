package rewrite

import "github.com/cubeloom/cubeloom/planner/algebra"

// mayOverflow is why a plan is not taken whose numbers, or those of the plan as it
// is, are not known to fit: the one would fail where the other does not.
const mayOverflow = "nothing proves that no product or sum overflows"

// raisesLate looks whether computing the aggregates from the joined rows may fail,
// as it would for rows that the early aggregation never makes.
func (b *builder) raisesLate() string {
	var ranges algebra.Ranges
	for _, acc := range b.accs.list {
		multiplied := len(acc.factors) > 1
		for _, e := range []algebra.Expr{acc.of.Arg, acc.of.Arg2, acc.of.Filter} {
			if e == nil || !algebra.MayRaise(e, nil) {
				continue
			}
			if ranges == nil {
				ranges = b.ranges()
			}
			if algebra.MayRaise(e, ranges) {
				if multiplied {
					return mayOverflow
				}
				return "an argument may raise an error, for a row that a join would drop"
			}
		}
	}
	return ""
}

// ranges are those of all columns of the spine, whatever joins leave out.
func (b *builder) ranges() algebra.Ranges {
	out := algebra.ColumnRanges(b.base)
	for i := range b.steps {
		if !b.steps[i].makes.Empty() {
			for id, r := range algebra.ColumnRanges(b.steps[i].other) {
				out[id] = r
			}
		}
	}
	return out
}

// check looks whether the products and sums of an early aggregation fit their types.
// Sums of what is nowhere multiplied are those that the query would make.
func (b *builder) check(n *algebra.Aggregate) {
	if !b.multiplies() {
		return
	}
	in, out := algebra.ColumnRanges(n.Input), algebra.ColumnRanges(n)
	for i := range n.Aggs {
		if agg := &n.Aggs[i]; agg.Arg != nil && !fits(agg, in, out) {
			b.problem = mayOverflow
		}
	}
}

// multiplies reports whether parts are multiplied further up, by factors or by
// numbers of rows.
func (b *builder) multiplies() bool {
	for _, acc := range b.accs.list {
		if len(acc.factors) > 1 || acc.power > 1 || acc.fn == algebra.Sum && acc.counts(b.outputs(b.places[0].done)) {
			return true
		}
	}
	return false
}

// checkLate looks whether the products of the aggregation at the end fit. What their
// sums do is what the query would do.
func (b *builder) checkLate(n *algebra.Aggregate) {
	in := algebra.ColumnRanges(n.Input)
	for i := range n.Aggs {
		if arg := n.Aggs[i].Arg; arg != nil && isProduct(arg) && algebra.MayRaise(arg, in) {
			b.problem = mayOverflow
		}
	}
}

// fits reports whether it is known that an aggregate raises no error.
func fits(agg *algebra.Agg, in, out algebra.Ranges) bool {
	if algebra.MayRaise(agg.Arg, in) {
		return false
	}
	if agg.Func != algebra.Sum {
		return true
	}
	sum, known := out[agg.Column.ID]
	limit, ok := algebra.TypeRange(agg.Column.Type)
	return known && ok && limit.Contains(sum)
}

// isProduct reports whether an expression multiplies.
func isProduct(e algebra.Expr) bool {
	found := false
	algebra.WalkExpr(e, func(e algebra.Expr) bool {
		call, ok := e.(*algebra.Call)
		found = found || ok && call.Func == algebra.Mul
		return !found
	})
	return found
}
