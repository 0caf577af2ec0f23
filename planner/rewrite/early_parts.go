package rewrite

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// accumulations are what the aggregates of an aggregation accumulate.
type accumulations struct {
	list  []*accumulation
	refs  algebra.ColSet // of the arguments and filters
	costs *machine.Planning
}

// accumulation is a sum, a count, an extreme or the like over rows. An average is
// made of two of them, a variance of three.
type accumulation struct {
	of      *algebra.Agg
	fn      algebra.AggFunc // what it is: CountStar, Count, Sum, Min, Max, or another that parts of the rows can be put together of
	factors []algebra.Expr  // whose product the argument is; none for CountStar
	power   int             // of the product: 2 for the sum of squares
	filter  []algebra.Expr  // conditions of FILTER
	whole   bool            // the argument is no product: it is there as a whole or not at all
	once    bool            // rows that are equal in what it refers to count once: DISTINCT
	typ     algebra.Type    // of the result
}

// accumulationsOf finds what the aggregates accumulate; ok is false where one
// cannot be put together of parts.
func accumulationsOf(n *algebra.Aggregate, costs *machine.Planning) (accs *accumulations, ok bool) {
	accs = &accumulations{costs: costs}
	for i := range n.Aggs {
		agg := &n.Aggs[i]
		list := accumulate(agg)
		if list == nil {
			return nil, false
		}
		accs.list = append(accs.list, list...)
		for _, e := range []algebra.Expr{agg.Arg, agg.Arg2, agg.Filter} {
			if e != nil {
				accs.refs.AddReferences(e)
			}
		}
	}
	return accs, true
}

// accumulate is what one aggregate accumulates, nil where that is not put together
// of parts.
func accumulate(agg *algebra.Agg) []*accumulation {
	first := &accumulation{of: agg, fn: agg.Func, power: 1, typ: agg.Column.Type}
	if agg.Filter != nil {
		first.filter = algebra.Conjuncts(agg.Filter)
	}
	if agg.Arg != nil {
		first.factors = factorsOf(agg.Arg)
		first.whole = len(first.factors) == 1 && !multiplies(agg.Arg.Type())
	}
	row := agg.Func.Row()
	if agg.Distinct || row.Idempotent && row.Split == nil {
		first.factors, first.whole, first.once = argsOf(agg), true, true
		return []*accumulation{first}
	}
	if row.SplitOf != nil && !row.SplitOf(agg.Arg.Type()) {
		return nil
	}
	if row.Whole {
		first.factors, first.whole = argsOf(agg), true
	}
	if len(row.Split) == 1 {
		return []*accumulation{first}
	}
	var list []*accumulation
	for _, part := range row.Split {
		list = append(list, first.as(part.Func, part.Power))
	}
	return list
}

func argsOf(agg *algebra.Agg) []algebra.Expr {
	args := []algebra.Expr{agg.Arg}
	if agg.Arg2 != nil {
		args = append(args, agg.Arg2)
	}
	return args
}

// as is the accumulation of another function over the same argument.
func (a *accumulation) as(fn algebra.AggFunc, power int) *accumulation {
	c := *a
	c.fn, c.power = fn, power
	arg := a.of.Arg.Type()
	if power > 1 && arg.Kind != algebra.Numeric {
		arg = algebra.TDecimal(maxDigits, 2*arg.Scale)
	}
	c.typ, _ = algebra.AggResult(fn, arg)
	return &c
}

// idempotent reports whether rows that are equal in what the accumulation refers to
// count once anyway.
func (a *accumulation) idempotent() bool {
	switch a.fn {
	case algebra.Count, algebra.CountStar, algebra.Sum:
		return a.once
	}
	return true
}

// begun reports whether a part of the accumulation is known where there are some
// columns: what its factors have of them, or how many rows there are.
func (a *accumulation) begun(have algebra.ColSet) bool {
	switch {
	case a.once:
		return false
	case a.whole && a.fn != algebra.Count:
		return a.refs().SubsetOf(have)
	case !a.idempotent():
		return true
	}
	return slices.ContainsFunc(a.factors, func(e algebra.Expr) bool { return madeOf(e, have) })
}

func (a *accumulation) refs() algebra.ColSet {
	var refs algebra.ColSet
	for _, e := range a.factors {
		refs.AddReferences(e)
	}
	return refs
}

// possible reports whether there can be a part of the accumulation where there are
// some columns: what is no product can be counted, but not multiplied by counts.
func (a *accumulation) possible(have algebra.ColSet) bool {
	return !a.whole || a.idempotent() || a.fn == algebra.Count || a.refs().SubsetOf(have)
}

// counts reports whether a part is the number of rows, with no factor among the
// columns yet.
func (a *accumulation) counts(have algebra.ColSet) bool {
	return a.fn == algebra.Sum && !slices.ContainsFunc(a.factors, func(e algebra.Expr) bool { return madeOf(e, have) })
}

// taken reports whether a condition of FILTER is part of the accumulation where there
// are some columns. A number of rows can only be filtered where it is the result: one
// of none would make a sum 0 that is NULL.
func (a *accumulation) taken(cond algebra.Expr, have algebra.ColSet) bool {
	return a.begun(have) && !a.counts(have) && madeOf(cond, have)
}

func madeOf(e algebra.Expr, have algebra.ColSet) bool { return algebra.References(e).SubsetOf(have) }

// keptWith are the columns, of those that there are, that aggregates above refer to.
func (accs *accumulations) keptWith(have algebra.ColSet) algebra.ColSet {
	var refs algebra.ColSet
	for _, a := range accs.list {
		for _, e := range a.factors {
			if !madeOf(e, have) || !a.begun(have) {
				refs.AddReferences(e)
			}
		}
		for _, cond := range a.filter {
			if !a.taken(cond, have) {
				refs.AddReferences(cond)
			}
		}
	}
	return refs
}

// possible reports whether all have parts where there are some columns.
func (accs *accumulations) possible(have algebra.ColSet) bool {
	return !slices.ContainsFunc(accs.list, func(a *accumulation) bool { return !a.possible(have) })
}

// factorsOf takes a product apart, as far as it is exact or of double precision.
func factorsOf(e algebra.Expr) []algebra.Expr {
	call, ok := e.(*algebra.Call)
	if !ok || !multiplies(e.Type()) {
		return []algebra.Expr{e}
	}
	switch {
	case call.Func == algebra.Mul && scalesAdd(call):
		return append(factorsOf(call.Args[0]), factorsOf(call.Args[1])...)
	case call.Func == algebra.Cast && keepsValue(call.Args[0].Type(), call.Typ):
		if factors := factorsOf(call.Args[0]); len(factors) > 1 || call.Typ.Kind == algebra.Numeric {
			return factors
		}
	}
	return []algebra.Expr{e}
}

// multiplies reports whether products of a type can be taken apart: exact ones, and those
// of double precision. The scale of a product of numerics is the sum of those of its
// factors, and that of a sum the greatest of its terms', wherever they are added.
func multiplies(t algebra.Type) bool { return t.IsExact() || t.Kind == algebra.Float64 }

// scalesAdd reports whether a product has all digits of its factors.
func scalesAdd(e *algebra.Call) bool {
	return e.Typ.Kind != algebra.Decimal || e.Typ.Scale == e.Args[0].Type().Scale+e.Args[1].Type().Scale
}

// keepsValue reports whether a cast changes no number that it does not refuse, nor
// how many digits a result of it shows.
func keepsValue(from, to algebra.Type) bool {
	switch {
	case !from.IsExact() || !to.IsExact():
		return false
	case to.Kind == algebra.Numeric:
		return true
	}
	return from.Kind != algebra.Numeric && from.Scale == to.Scale
}
