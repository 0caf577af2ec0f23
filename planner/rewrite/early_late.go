package rewrite

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// late makes the aggregation that the query asks for, of the parts below.
func (b *builder) late() algebra.Node {
	n := b.agg
	out := &algebra.Aggregate{Input: b.node, Sets: n.Sets, GroupingID: n.GroupingID}
	for _, key := range n.Keys {
		out.Keys = append(out.Keys, algebra.Item{Column: key.Column, Expr: b.now(key.Expr)})
	}
	items := passOn(n.Columns())
	wholes := &partList{builder: b, agg: out}
	i := 0
	for at := range n.Aggs {
		var results []algebra.Expr
		for ; i < len(b.accs.list) && b.accs.list[i].of == &n.Aggs[at]; i++ {
			results = append(results, wholes.result(b.accs.list[i], &b.carried[i]))
		}
		items[len(n.Keys)+at].Expr = resultOf(&n.Aggs[at], results)
	}
	b.checkLate(out)
	return &algebra.Project{Input: out, Items: items}
}

// result is an accumulation over all rows, of the type that it has without parts.
func (p *partList) result(acc *accumulation, was *carried) algebra.Expr {
	filter := p.lateFilter(acc, was)
	factors := p.lateFactors(acc, was)
	var col *algebra.ColumnRef
	switch {
	case acc.once:
		col = p.distinct(acc, factors, filter)
	case acc.whole && acc.fn != algebra.Sum && acc.fn != algebra.Count:
		col = p.add(acc.fn, firstOr(was.col, factors), filter)
	case acc.fn == algebra.Min || acc.fn == algebra.Max:
		col = p.add(acc.fn, p.extreme(was.col, was.other, factors, acc), filter)
	case acc.fn == algebra.Count || acc.fn == algebra.CountStar:
		filter = both(filter, notNulls(factors))
		col = p.add(algebra.Sum, was.col, filter)
		none := filter != nil || nullable(was.col) || hasEmptySet(p.earlyPlan.agg)
		return asType(orZero(col, none), acc.typ)
	default:
		col = p.add(algebra.Sum, p.product(acc, was, factors), filter)
	}
	return asType(col, acc.typ)
}

// distinct is an aggregate for which equal rows count once: it stays as it is.
func (p *partList) distinct(acc *accumulation, args []algebra.Expr, filter algebra.Expr) *algebra.ColumnRef {
	agg := *acc.of
	agg.Column = p.newColumn(agg.Column)
	agg.Arg, agg.Filter = args[0], filter
	if len(args) > 1 {
		agg.Arg2 = args[1]
	}
	p.agg.Aggs = append(p.agg.Aggs, agg)
	return agg.Column.Ref()
}

// lateFilter are the conditions that are in no part.
func (b *builder) lateFilter(acc *accumulation, was *carried) algebra.Expr {
	var conds []algebra.Expr
	for _, cond := range acc.filter {
		if was.col == nil || !acc.taken(cond, was.have) {
			conds = append(conds, b.now(cond))
		}
	}
	return conjunction(conds)
}

// lateFactors are the factors that are in no part.
func (b *builder) lateFactors(acc *accumulation, was *carried) []algebra.Expr {
	var factors []algebra.Expr
	for _, e := range acc.factors {
		if was.col == nil || !madeOf(e, was.have) {
			factors = append(factors, b.now(e))
		}
	}
	return factors
}

// resultOf makes an aggregate of what is accumulated for it: a DISTINCT one is
// accumulated as a whole.
func resultOf(agg *algebra.Agg, of []algebra.Expr) algebra.Expr {
	if agg.Distinct {
		return of[0]
	}
	switch {
	case agg.Func == algebra.Avg:
		return average(of[0], of[1], agg.Column.Type)
	case len(of) > 1:
		args := []algebra.Expr{of[0], asType(of[1], algebra.TNumeric), asType(of[2], algebra.TNumeric)}
		return &algebra.Call{Func: agg.Func.Result(), Args: args, Typ: agg.Column.Type, Pos: value.NoPos}
	}
	return of[0]
}

// average divides a sum by a count; it is NULL where nothing has been counted.
func average(sum, count algebra.Expr, t algebra.Type) algebra.Expr {
	some := newCall(algebra.Gt, count, zeroOf(count.Type()))
	quotient := &algebra.Call{Func: algebra.Div, Args: []algebra.Expr{asType(sum, t), asType(count, t)}, Typ: t, Pos: value.NoPos}
	return &algebra.Case{Whens: []algebra.When{{Cond: some, Then: quotient}}, Typ: t}
}
