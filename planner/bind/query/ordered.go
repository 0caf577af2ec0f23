package query

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// groupNode is the aggregation whose result agg describes. Where calls need windows, whose partitions are
// groups, each of several grouping sets is an aggregation of its own over the same rows, and UNION ALL
// puts them together.
func (s *Block) groupNode(agg *algebra.Aggregate) algebra.Node {
	windows := orderedWindows(&s.group)
	if len(windows) == 0 {
		return agg
	}
	r := &setRows{Binder: s.Binder, input: &algebra.Project{Input: agg.Input}}
	r.take(agg, windows)
	switch {
	case len(agg.Sets) == 1 && agg.Sets[0] == algebra.AllKeys(len(agg.Keys)) && len(r.input.Items) == len(agg.Input.Columns()):
		keys := lists.Map(agg.Keys, func(key algebra.Item) algebra.Expr { return key.Expr })
		for _, w := range windows {
			agg.Input = &algebra.Window{Input: agg.Input, PartitionBy: slices.Concat(keys, w.PartitionBy), OrderBy: w.OrderBy, Calls: w.Calls}
		}
		return agg
	case len(agg.Sets) == 1:
		return r.set(0, agg.Columns())
	}
	call := s.group.Ordered[slices.IndexFunc(s.group.Ordered, func(c *scope.OrderedCall) bool { return len(c.Windows) > 0 })]
	if r.dependent || !algebra.FreeColumns(r.input).Empty() {
		panic(term.NotSupported(call.Pos, call.Name+" with several grouping sets in a subquery that depends on another query is"))
	}
	return r.union(call.Pos)
}

// orderedWindows are the windows of the calls.
func orderedWindows(g *scope.Grouping) (windows []*algebra.Window) {
	for _, c := range g.Ordered {
		for _, w := range c.Windows {
			windows = append(windows, &algebra.Window{PartitionBy: w.Partition, OrderBy: w.Order, Calls: w.Calls})
		}
	}
	return windows
}

// setRows is what the grouping sets of an aggregation group.
type setRows struct {
	*scope.Binder
	input     *algebra.Project
	agg       *algebra.Aggregate // over the columns of input
	windows   []*algebra.Window  // the same, without the keys
	rows      *algebra.Spool     // of input; nil for one set
	dependent bool               // a subquery is left that cannot be computed with the rows
}

// take brings an aggregation and its windows into terms of input. A subquery is computed with the rows, so
// that it stands in the plan once.
func (r *setRows) take(agg *algebra.Aggregate, windows []*algebra.Window) {
	in := algebra.Outputs(agg.Input)
	r.input.Items = term.PassOn(agg.Input.Columns())
	var compute func(e algebra.Expr) algebra.Expr
	compute = func(e algebra.Expr) algebra.Expr {
		_, sub := e.(*algebra.Subquery)
		switch {
		case !term.HasSubquery(e):
			return e
		case !algebra.References(e).SubsetOf(in):
			r.dependent = r.dependent || sub
			return algebra.MapOperands(e, compute)
		}
		i := slices.IndexFunc(r.input.Items, func(item algebra.Item) bool { return algebra.Equal(item.Expr, e) })
		if i < 0 {
			i = len(r.input.Items)
			r.input.Items = append(r.input.Items, algebra.Item{Column: r.NewColumn("subquery", e.Type(), true), Expr: e})
		}
		return r.input.Items[i].Column.Ref()
	}
	r.agg = algebra.MapExprs(agg, compute).(*algebra.Aggregate)
	for _, w := range windows {
		r.windows = append(r.windows, algebra.MapExprs(w, compute).(*algebra.Window))
	}
}

// refsOf are references to columns by the IDs of others.
func refsOf(of, to []algebra.Column) map[algebra.ColumnID]algebra.Expr {
	by := make(map[algebra.ColumnID]algebra.Expr, len(of))
	for i, c := range of {
		by[c.ID] = to[i].Ref()
	}
	return by
}

// union is all sets, with the columns of the aggregation.
func (r *setRows) union(pos sql.Pos) algebra.Node {
	r.LastID++
	r.rows = &algebra.Spool{ID: r.LastID, Input: r.input, Apart: true, Forced: r.Randoms > 0}
	for i := range r.input.Items {
		r.rows.Ordinals = append(r.rows.Ordinals, i)
	}
	cols := r.agg.Columns()
	all := r.set(0, r.renewedAll(cols))
	for i := range r.agg.Sets[1:] {
		r.CountRelation(int(pos))
		all = &algebra.SetOp{Kind: algebra.Union, All: true, Left: all, Right: r.set(i+1, r.renewedAll(cols)), Cols: r.renewedAll(cols)}
	}
	all.(*algebra.SetOp).Cols = cols
	return all
}

func (r *setRows) renewed(c algebra.Column) algebra.Column {
	return r.NewColumn(c.Name, c.Type, c.Nullable)
}

func (r *setRows) renewedAll(cols []algebra.Column) []algebra.Column {
	return lists.Map(cols, r.renewed)
}

// set is the groups of a set, in columns like those of the aggregation.
func (r *setRows) set(i int, cols []algebra.Column) algebra.Node {
	var rows algebra.Node = r.input
	if r.rows != nil {
		rows = read(r.Binder, r.rows)
	}
	by := refsOf(r.input.Columns(), rows.Columns())
	substitute := func(e algebra.Expr) algebra.Expr { return algebra.Substitute(e, by) }
	items := make([]algebra.Item, 0, len(cols))
	add := func(e algebra.Expr) { items = append(items, algebra.Item{Column: cols[len(items)], Expr: e}) }
	agg := &algebra.Aggregate{}
	var keys []algebra.Expr
	for k, key := range r.agg.Keys {
		if !r.agg.Sets[i].Has(k) {
			add(&algebra.Const{Typ: key.Column.Type})
			continue
		}
		keys = append(keys, substitute(key.Expr))
		agg.Keys = append(agg.Keys, algebra.Item{Column: r.renewed(key.Column), Expr: keys[len(keys)-1]})
		add(agg.Keys[len(agg.Keys)-1].Column.Ref())
	}
	agg.Sets = []algebra.KeySet{algebra.AllKeys(len(keys))}
	agg.Input = r.windowed(rows, keys, by)
	for _, a := range r.agg.Aggs {
		one := algebra.MapExprs(&algebra.Aggregate{Aggs: []algebra.Agg{a}}, substitute).(*algebra.Aggregate).Aggs[0]
		one.Column = r.renewed(a.Column)
		agg.Aggs = append(agg.Aggs, one)
		add(one.Column.Ref())
	}
	if r.agg.GroupingID.ID != 0 {
		add(term.Int32Const(int64(i)))
	}
	return &algebra.Project{Input: agg, Items: items}
}

// windowed is the windows over a set's rows. Their columns are added to those that stand for others.
func (r *setRows) windowed(rows algebra.Node, keys []algebra.Expr, by map[algebra.ColumnID]algebra.Expr) algebra.Node {
	for _, w := range r.windows {
		own := *w
		own.Input, own.Calls = rows, slices.Clone(w.Calls)
		own = *algebra.MapExprs(&own, func(e algebra.Expr) algebra.Expr { return algebra.Substitute(e, by) }).(*algebra.Window)
		own.PartitionBy = slices.Concat(keys, own.PartitionBy)
		for k, call := range w.Calls {
			own.Calls[k].Column = r.renewed(call.Column)
			by[call.Column.ID] = own.Calls[k].Column.Ref()
		}
		rows = &own
	}
	return rows
}
