package rewrite

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// sumConstants sums an integer once where several sums add constants to it: what these come to, the
// number of values tells.
//
//	before: aggregate t compute sum(a), sum(a + 1), sum(2 - a)
//	after:  project s, s + 1 * n, 2 * n - s over aggregate t compute sum(a) as s, count(a) as n
//	never:  sum(a + 2147483647): the addition overflows, as far as is known, where the sum does not
func sumConstants(c *context, n algebra.Node) algebra.Node {
	return c.transform(n, func(n algebra.Node) algebra.Node {
		agg, ok := n.(*algebra.Aggregate)
		if !ok {
			return n
		}
		families := shiftedSums(agg)
		with := *agg
		with.Aggs = nil
		results := make(map[algebra.ColumnID]algebra.Expr)
		for i := range families {
			if f := &families[i]; len(f.sums) > 1 && f.shifted {
				with.Aggs = append(with.Aggs, f.aggregates(c)...)
				for _, s := range f.sums {
					results[s.column] = s.result(f)
				}
			}
		}
		if len(results) == 0 {
			return n
		}
		for _, a := range agg.Aggs {
			if results[a.Column.ID] == nil {
				with.Aggs = append(with.Aggs, a)
			}
		}
		return withResults(agg, &with, results)
	})
}

// sumFamily are sums of one expression under one filter, and constants that they add to it.
type sumFamily struct {
	first   *algebra.Agg
	of      algebra.Expr
	sums    []shiftedSum
	shifted bool // one of them adds a constant
	sum     algebra.Column
	count   algebra.Column
}

// shiftedSum is a sum of an expression, or of it with its sign turned, and a constant, nil for none.
type shiftedSum struct {
	column algebra.ColumnID
	by     *algebra.Const
	turned bool
}

// shiftedSums are the families of an aggregation's sums of integers of up to 32 bits: those of longer ones are no
// integers.
func shiftedSums(agg *algebra.Aggregate) []sumFamily {
	var families []sumFamily
	var ranges algebra.Ranges
	for i := range agg.Aggs {
		a := &agg.Aggs[i]
		if a.Func != algebra.Sum || a.Distinct || a.Column.Type.Kind != algebra.Int64 {
			continue
		}
		of, s := shift(a)
		of = narrow(of)
		if s.by != nil && ranges == nil {
			ranges = algebra.ColumnRanges(agg.Input)
		}
		if s.by != nil && algebra.MayRaise(a.Arg, ranges) || firstRandom(a.Arg) != nil {
			continue
		}
		f := familyOf(&families, a, of)
		f.sums, f.shifted = append(f.sums, s), f.shifted || s.by != nil
	}
	return families
}

// shift takes the argument of a sum apart.
func shift(a *algebra.Agg) (of algebra.Expr, s shiftedSum) {
	s.column = a.Column.ID
	call, ok := a.Arg.(*algebra.Call)
	if !ok || call.Func != algebra.Add && call.Func != algebra.Sub {
		return a.Arg, s
	}
	for i, arg := range call.Args {
		if by, ok := arg.(*algebra.Const); ok && by.Val.Kind == value.Int {
			n := by.Val.I
			if call.Func == algebra.Sub && i == 1 {
				n = -n
			}
			s.by, s.turned = int64Const(n), call.Func == algebra.Sub && i == 0
			return call.Args[1-i], s
		}
	}
	return a.Arg, s
}

// narrow is what has been made an integer of 32 bits, whose sum is the same.
func narrow(e algebra.Expr) algebra.Expr {
	call, ok := e.(*algebra.Call)
	if ok && call.Func == algebra.Cast && call.Typ.Kind == algebra.Int32 && call.Args[0].Type().Kind == algebra.Int16 {
		return call.Args[0]
	}
	return e
}

// familyOf is the family of sums of an expression under the filter of a.
func familyOf(families *[]sumFamily, a *algebra.Agg, of algebra.Expr) *sumFamily {
	for i := range *families {
		f := &(*families)[i]
		if algebra.Equal(f.of, of) && algebra.Equal(f.first.Filter, a.Filter) {
			return f
		}
	}
	*families = append(*families, sumFamily{first: a, of: of})
	return &(*families)[len(*families)-1]
}

// aggregates are the sum of the expression and the number of its values.
func (f *sumFamily) aggregates(c *context) []algebra.Agg {
	sum, count := *f.first, *f.first
	sum.Arg, sum.Column = f.of, c.newColumn(f.first.Column)
	count.Func, count.Arg, count.Column = algebra.Count, f.of, c.newColumn(f.first.Column)
	if !algebra.CanBeNull(f.of) {
		count.Func, count.Arg = algebra.CountStar, nil
	}
	count.Column.Name, count.Column.Nullable = "count", false
	f.sum, f.count = sum.Column, count.Column
	return []algebra.Agg{sum, count}
}

// result is a sum in terms of the family's aggregates.
func (s *shiftedSum) result(f *sumFamily) algebra.Expr {
	sum := algebra.Expr(f.sum.Ref())
	if s.by == nil {
		return sum
	}
	all := int64Call(algebra.Mul, s.by, f.count.Ref())
	if s.turned {
		return int64Call(algebra.Sub, all, sum)
	}
	return int64Call(algebra.Add, sum, all)
}

func int64Call(f algebra.Func, args ...algebra.Expr) *algebra.Call {
	call := newCall(f, args...)
	call.Typ = algebra.TInt64
	return call
}
