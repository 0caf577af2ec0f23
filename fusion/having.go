package fusion

import (
	"github.com/cubeloom/cubeloom/operators/filter"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// filter adds a filter. Conditions on the groups of several grouping sets are applied in
// every set, as its groups are read, unless another reader wants the groups without them.
func (g *graph) filter(n *algebra.Filter) int {
	agg, ok := n.Input.(*algebra.Aggregate)
	if !ok || !hasSets(agg) || g.readers[agg] > 1 {
		in := g.node(n.Input)
		return g.add(&filter.Operator{Conds: g.exprs(n.Conds)}, g.est.Rows(n), in)
	}
	return g.aggregate(agg, g.node(agg.Input), n)
}
