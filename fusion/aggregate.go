package fusion

import (
	"github.com/cubeloom/cubeloom/operators/aggregate"
	"github.com/cubeloom/cubeloom/operators/cubing"
	"github.com/cubeloom/cubeloom/operators/finalize"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// aggregate adds a grouping: accumulation over each group of each grouping
// set, and what makes the SQL aggregates of it. Conditions on the groups of several sets
// are applied in every one of them.
func (g *graph) aggregate(n *algebra.Aggregate, in int, having *algebra.Filter) (id int) {
	keys := make([]algebra.Item, len(n.Keys))
	for i, k := range n.Keys {
		keys[i] = algebra.Item{Column: k.Column, Expr: g.expr(k.Expr)}
	}
	parts := &aggregate.Parts{NewColumn: g.newColumn}
	last := &finalize.Operator{}
	args := map[algebra.ColumnID]algebra.Expr{}
	for i := range n.Aggs {
		agg := n.Aggs[i]
		agg.Arg, agg.Arg2, agg.Filter = g.expr(agg.Arg), g.expr(agg.Arg2), g.expr(agg.Filter)
		cols := parts.Of(&agg)
		if aggregate.IsResult(&agg, cols) {
			g.rename(agg.Column, cols[0])
			args[cols[0].ID] = n.Aggs[i].Arg
			continue
		}
		last.Items = append(last.Items, finalize.Item{Column: agg.Column, Func: agg.Func, Accs: cols, Text: algebra.AggText(&agg, false)})
	}
	if hasSets(n) {
		c := &cube{graph: g, node: n, in: in, keys: keys, accs: parts.Accs, last: last, args: args, sizes: map[algebra.KeySet]float64{}}
		if having != nil {
			c.having, c.passing = g.exprs(having.Conds), g.est.Rows(having)/max(g.est.Rows(n), 1)
		}
		id = c.build()
	} else {
		id = g.grouped(&aggregate.Operator{Keys: keys, Accs: parts.Accs, Largest: g.largest(n)}, len(keys), g.est.Rows(n), in)
	}
	if len(last.Items) > 0 && having == nil {
		id = g.add(last, g.ops[id].Rows, id)
	}
	return id
}

// largest is the estimated size of the largest group, which only a device asks for.
func (g *graph) largest(n *algebra.Aggregate) float64 {
	if !g.opts.Device {
		return 0
	}
	return g.est.Largest(n)
}

// hasSets reports whether an aggregation is that of a cube.
func hasSets(n *algebra.Aggregate) bool { return !n.IsPlain() || n.GroupingID.ID != 0 }

// build adds the groups of all sets, in the way that is the cheapest.
func (c *cube) build() int {
	r := c.refinement()
	d := c.choose(r)
	id := 0
	if d.Takes(cubing.Refine) {
		id = c.refine(r)
	} else {
		id = c.rollUp()
	}
	c.decide(id, d)
	return id
}
