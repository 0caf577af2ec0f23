package rewrite

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/estimate"
	"github.com/cubeloom/cubeloom/planner/value"
)

// pushAggregates aggregates a side of joins before it is joined, where that
// leaves far fewer rows to join: by all columns that the joins and the grouping
// above refer to, so that rows of one group have the same partners. The
// aggregation above then combines sums of sums, sums of counts, and the extremes
// of extremes. It pays most where a join gives several rows for one, as those
// over many-to-many hierarchies do.
func pushAggregates(c *context, n algebra.Node) algebra.Node {
	return c.transform(n, func(n algebra.Node) algebra.Node {
		if agg, ok := n.(*algebra.Aggregate); ok {
			return c.pushAggregate(agg)
		}
		return n
	})
}

func (c *context) pushAggregate(n *algebra.Aggregate) algebra.Node {
	var args algebra.ColSet
	for i := range n.Aggs {
		if !splits(&n.Aggs[i]) {
			return n
		}
		for _, e := range []algebra.Expr{n.Aggs[i].Arg, n.Aggs[i].Filter} {
			if e != nil {
				args.AddReferences(e)
			}
		}
	}
	if len(n.Aggs) == 0 {
		return n
	}
	best := c.bestEarly(n, args)
	if best == nil {
		return n
	}
	return c.splitAggregate(n, best)
}

// splits tells whether an aggregate of rows can be computed of aggregates of
// parts of them. Sums of floats depend on the order and stay as they are.
func splits(agg *algebra.Agg) bool {
	switch agg.Func {
	case algebra.CountStar, algebra.Count:
		return !agg.Distinct
	case algebra.Sum:
		return !agg.Distinct && agg.Arg.Type().IsExact()
	case algebra.Min, algebra.Max, algebra.BoolAnd, algebra.BoolOr, algebra.AnyValue:
		return true
	}
	return false
}

// early is a place below an aggregation at which its input can be aggregated.
type early struct {
	node algebra.Node
	agg  *algebra.Aggregate // of node, without aggregates yet
	cost float64
}

// What an early aggregation must save: half of the work above it.
const worthEarly = 0.5

// bestEarly finds the cheapest place, nil where none saves enough. It goes down
// to the side that has the arguments of the aggregates, as far as each row of
// that side is joined for itself.
func (c *context) bestEarly(n *algebra.Aggregate, args algebra.ColSet) *early {
	var best *early
	work := c.est.Rows(n.Input) * groupCost // above the place, that is for its rows
	joins := 0
	var above algebra.ColSet // what is referred to above the place
	for _, key := range n.Keys {
		above.AddReferences(key.Expr)
	}
	for at := n.Input; ; {
		if joins > 0 {
			if e := c.earlyAt(at, n, above, args, work); e != nil && (best == nil || e.cost < best.cost) {
				best = e
			}
		}
		algebra.VisitExprs(at, above.AddReferences)
		switch node := at.(type) {
		case *algebra.Filter:
			at = node.Input
		case *algebra.Join:
			side := argumentSide(c.est, node, args)
			if side == nil {
				return best
			}
			joins++
			work += c.est.Rows(node)*outCost + c.est.Rows(side)*probeCost(c.est.Rows(node.Right))
			at = side
		default:
			return best
		}
	}
}

// argumentSide is the side of a join that has all arguments and whose rows are
// each joined for themselves; nil where neither is. Without arguments it is the
// larger one.
func argumentSide(est *estimate.Estimator, n *algebra.Join, args algebra.ColSet) algebra.Node {
	onLeft, onRight := args.SubsetOf(algebra.Outputs(n.Left)), args.SubsetOf(algebra.Outputs(n.Right))
	switch n.Kind {
	case algebra.JoinInner:
		if onLeft && onRight {
			onLeft = est.Rows(n.Left) >= est.Rows(n.Right)
		}
	case algebra.JoinLeft, algebra.JoinSemi, algebra.JoinAnti:
		onRight = false
	case algebra.JoinRight:
		onLeft = false
	default:
		return nil
	}
	switch {
	case onLeft:
		return n.Left
	case onRight:
		return n.Right
	}
	return nil
}

// earlyAt weighs to aggregate at a place, above which so much work is done for
// its rows.
func (c *context) earlyAt(at algebra.Node, n *algebra.Aggregate, above, args algebra.ColSet, work float64) *early {
	rows := c.est.Rows(at)
	if rows*groupCost > work*worthEarly {
		return nil
	}
	agg := &algebra.Aggregate{Input: at}
	for _, col := range at.Columns() {
		if above.Has(col.ID) {
			agg.Keys = append(agg.Keys, algebra.Item{Column: col, Expr: col.Ref()})
		}
	}
	if len(agg.Keys) == 0 || len(agg.Keys) > maxGroupKeys {
		return nil
	}
	agg.Sets = []algebra.KeySet{algebra.AllKeys(len(agg.Keys))}
	cost := rows*groupCost + work*c.est.Groups(agg)[0]/max(rows, 1)
	if cost > work*worthEarly {
		return nil
	}
	for i := range n.Aggs {
		for _, e := range []algebra.Expr{n.Aggs[i].Arg, n.Aggs[i].Filter} {
			if e != nil && mayRaiseOver(e, at) {
				return nil // for a row that a join would drop
			}
		}
	}
	return &early{node: at, agg: agg, cost: cost}
}

// splitAggregate aggregates at a place and combines the results above.
func (c *context) splitAggregate(n *algebra.Aggregate, e *early) algebra.Node {
	by := make(map[algebra.ColumnID]algebra.Expr)
	for i := range e.agg.Keys {
		key := &e.agg.Keys[i]
		old := key.Column.ID
		key.Column = c.newColumn(key.Column)
		by[old] = key.Column.Ref()
	}
	out := *n
	out.Keys = make([]algebra.Item, len(n.Keys))
	for i, key := range n.Keys {
		out.Keys[i] = algebra.Item{Column: key.Column, Expr: algebra.Substitute(key.Expr, by)}
	}
	out.Aggs = nil
	items := passOn(n.Columns())
	for i := range n.Aggs {
		part, whole, item := c.splitOne(&n.Aggs[i], hasEmptySet(n))
		e.agg.Aggs, out.Aggs = append(e.agg.Aggs, part), append(out.Aggs, whole)
		items[len(n.Keys)+i] = item
	}
	out.Input = replaceBelow(n.Input, e, by)
	return &algebra.Project{Input: &out, Items: items}
}

// splitOne makes of one aggregate that of parts, that of their results, and what
// the aggregate is in terms of it. With empty there may be a group without rows.
func (c *context) splitOne(agg *algebra.Agg, empty bool) (part, whole algebra.Agg, item algebra.Item) {
	part = *agg
	part.Column = c.newColumn(agg.Column)
	whole = algebra.Agg{Func: agg.Func, Arg: part.Column.Ref(), Column: c.newColumn(agg.Column)}
	counts := agg.Func == algebra.Count || agg.Func == algebra.CountStar
	if counts {
		whole.Func = algebra.Sum
	}
	whole.Column.Type, _ = algebra.AggResult(whole.Func, part.Column.Type)
	whole.Column.Nullable = !counts || empty
	item = algebra.Item{Column: agg.Column, Expr: whole.Column.Ref()}
	if counts && empty {
		none := &algebra.Const{Val: value.Value{Kind: value.Decimal}, Typ: whole.Column.Type}
		item.Expr = &algebra.Case{
			Whens: []algebra.When{{Cond: notNull(item.Expr), Then: item.Expr}}, Else: none, Typ: none.Typ,
		}
	}
	if whole.Column.Type != agg.Column.Type {
		item.Expr = &algebra.Call{Func: algebra.Cast, Args: []algebra.Expr{item.Expr}, Typ: agg.Column.Type, Pos: value.NoPos}
	}
	return part, whole, item
}

// replaceBelow puts the early aggregation in the place of its input.
func replaceBelow(n algebra.Node, e *early, by map[algebra.ColumnID]algebra.Expr) algebra.Node {
	if n == e.node {
		return e.agg
	}
	out := algebra.MapInputs(n, func(in algebra.Node) algebra.Node { return replaceBelow(in, e, by) })
	if out == n {
		return n
	}
	return algebra.MapExprs(out, func(x algebra.Expr) algebra.Expr { return algebra.Substitute(x, by) })
}
