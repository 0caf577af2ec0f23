package rewrite

import "github.com/cubeloom/cubeloom/planner/algebra"

// builder makes the plan of an earlyPlan, from its base up.
type builder struct {
	*earlyPlan
	node    algebra.Node
	by      map[algebra.ColumnID]algebra.Expr // what stands for columns that were grouped by
	carried []carried                         // by accumulation
	problem string                            // why the plan cannot be taken
}

// carried is what is known of an accumulation: columns of the early aggregation
// below, and which of its factors and conditions are in them.
type carried struct {
	col   *algebra.ColumnRef // the part; of an extreme the one that is asked for
	other *algebra.ColumnRef // the opposite extreme, where a factor may be negative
	have  algebra.ColSet     // the columns below
	count bool               // the part is a number of rows
}

// now is an expression in terms of what there is after the early aggregations.
func (b *builder) now(e algebra.Expr) algebra.Expr { return algebra.Substitute(e, b.by) }

// partList makes the aggregates of an early aggregation, each of them once.
type partList struct {
	*builder
	agg *algebra.Aggregate
}

// of makes the part of an accumulation.
func (p *partList) of(acc *accumulation, was *carried, have algebra.ColSet) carried {
	is := carried{have: have, count: acc.counts(have) || acc.fn == algebra.Count || acc.fn == algebra.CountStar}
	filter := p.filterOf(acc, was, have)
	factors := p.factorsBetween(acc, was, have)
	switch {
	case acc.fn == algebra.Min || acc.fn == algebra.Max:
		is.col, is.other = p.extremes(acc, was, factors, filter)
	case acc.whole && acc.fn != algebra.Sum && acc.fn != algebra.Count:
		is.col = p.add(acc.fn, firstOr(was.col, factors), filter)
	case acc.fn == algebra.Count && was.col == nil:
		is.col = p.counted(factors, filter)
	case is.count && was.col == nil:
		is.col = p.add(algebra.CountStar, nil, filter)
	case acc.fn == algebra.Count:
		is.col = p.add(algebra.Sum, was.col, both(filter, notNulls(factors)))
	default:
		is.col = p.add(algebra.Sum, p.product(acc, was, factors), filter)
	}
	return is
}

// counted counts the rows in which no factor is NULL.
func (p *partList) counted(factors []algebra.Expr, filter algebra.Expr) *algebra.ColumnRef {
	if len(factors) == 1 {
		return p.add(algebra.Count, factors[0], filter)
	}
	return p.add(algebra.CountStar, nil, both(filter, notNulls(factors)))
}

// extremes makes the least and the greatest, of which both are needed where a factor
// that comes later may turn them round.
func (p *partList) extremes(acc *accumulation, was *carried, factors []algebra.Expr, filter algebra.Expr) (col, other *algebra.ColumnRef) {
	opposite := map[algebra.AggFunc]algebra.AggFunc{algebra.Min: algebra.Max, algebra.Max: algebra.Min}[acc.fn]
	turn := len(acc.factors) > 1
	col = p.add(acc.fn, p.extreme(was.col, was.other, factors, acc), filter)
	if turn {
		other = p.add(opposite, p.extreme(was.other, was.col, factors, acc), filter)
	}
	return col, other
}

// extreme is the least or greatest part of a row: that of the rows below, or the
// opposite one where the factors that come to it are negative.
func (b *builder) extreme(col, other *algebra.ColumnRef, factors []algebra.Expr, acc *accumulation) algebra.Expr {
	if col == nil {
		return productOf(factors, acc)
	}
	if len(factors) == 0 {
		return col
	}
	by := productOf(factors, acc)
	negative := newCall(algebra.Lt, by, zeroOf(by.Type()))
	return &algebra.Case{
		Whens: []algebra.When{{Cond: negative, Then: times(other, by)}}, Else: times(col, by), Typ: times(col, by).Type(),
	}
}

// product is what a sum adds for a row: the part below, times what comes to it.
func (b *builder) product(acc *accumulation, was *carried, factors []algebra.Expr) algebra.Expr {
	var all []algebra.Expr
	for range acc.power {
		all = append(all, factors...)
	}
	if was.col != nil {
		all = append([]algebra.Expr{was.col}, all...)
	}
	return productOf(all, acc)
}

// add returns the column of an aggregate.
func (p *partList) add(fn algebra.AggFunc, arg, filter algebra.Expr) *algebra.ColumnRef {
	if fn == algebra.Count && !nullable(arg) {
		fn, arg = algebra.CountStar, nil
	}
	for i := range p.agg.Aggs {
		if have := &p.agg.Aggs[i]; have.Func == fn && algebra.Equal(have.Arg, arg) && algebra.Equal(have.Filter, filter) {
			return have.Column.Ref()
		}
	}
	made := p.aggregate(fn, arg, filter, hasEmptySet(p.agg))
	p.agg.Aggs = append(p.agg.Aggs, made)
	return made.Column.Ref()
}

// aggregate makes an aggregate with a column of its own; with empty there may be a
// group without rows.
func (b *builder) aggregate(fn algebra.AggFunc, arg, filter algebra.Expr, empty bool) algebra.Agg {
	typ := algebra.TInt64
	if fn != algebra.CountStar {
		typ, _ = algebra.AggResult(fn, arg.Type())
	}
	counts := fn.Row().Counts
	some := filter == nil && !empty && !counts && !nullable(arg) // of no rows it is NULL
	col := b.newColumn(algebra.Column{Name: string(fn), Type: typ, Nullable: !counts && !some})
	return algebra.Agg{Column: col, Func: fn, Arg: arg, Filter: filter}
}

// filterOf are the conditions that come to an accumulation with some columns, nil for
// none.
func (b *builder) filterOf(acc *accumulation, was *carried, have algebra.ColSet) algebra.Expr {
	var conds []algebra.Expr
	for _, cond := range acc.filter {
		if acc.taken(cond, have) && !(was.col != nil && acc.taken(cond, was.have)) {
			conds = append(conds, b.now(cond))
		}
	}
	return conjunction(conds)
}

// factorsBetween are the factors that come to an accumulation with some columns.
func (b *builder) factorsBetween(acc *accumulation, was *carried, have algebra.ColSet) []algebra.Expr {
	var factors []algebra.Expr
	for _, e := range acc.factors {
		if madeOf(e, have) && !(was.col != nil && madeOf(e, was.have)) {
			factors = append(factors, b.now(e))
		}
	}
	return factors
}
