package rewrite

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// pushAggregates aggregates before joins, where that leaves far fewer rows to join:
// by all columns that the joins and the grouping above refer to, so that rows of
// one group have the same partners. The aggregation above then combines sums of
// sums, sums of counts, and the extremes of extremes, with the factors of products
// that only it can see: of sum(cells.value * edges.weight) the part
// sum(cells.value) is summed before the join. It pays most where a join gives
// several rows for one, as those over many-to-many hierarchies do; with several of
// them one is joined after the other, and what that leaves is aggregated between.
//
//	before: aggregate sum(t.c) by t.b over t join m on b, where b repeats in m
//	after:  aggregate sum(sum) over (aggregate sum(t.c) by t.b) join m
//	never:  count(DISTINCT t.c): distinct values cannot be added up
func pushAggregates(c *context, n algebra.Node) algebra.Node {
	return c.transform(n, func(n algebra.Node) algebra.Node {
		if agg, ok := n.(*algebra.Aggregate); ok {
			return c.pushAggregate(agg)
		}
		return n
	})
}

func (c *context) pushAggregate(n *algebra.Aggregate) algebra.Node {
	flat := withoutProject(n)
	if !joins(flat.Input) {
		return n // what most small queries are: they are not to wait for estimates
	}
	accs, ok := accumulationsOf(flat, &c.est.Machine().Planning)
	if !ok || len(accs.list) == 0 {
		return n
	}
	var best *earlyPlan
	spines := c.spines(flat, accs)
	if !c.opts.Weigh && !slices.ContainsFunc(spines, func(s *spine) bool { return s.mayPay(accs) }) {
		return n
	}
	for _, s := range spines {
		p := s.search(accs)
		if p != nil && (best == nil || p.cost < best.cost) {
			best = p
		}
	}
	if best == nil {
		return n
	}
	return c.decide(n, best)
}

// joins reports whether a join stands below a node, with nothing between but what an
// aggregation may pass.
func joins(n algebra.Node) bool {
	for {
		switch in := n.(type) {
		case *algebra.Join:
			return true
		case *algebra.Filter:
			n = in.Input
		case *algebra.Project:
			n = in.Input
		default:
			return false
		}
	}
}

// decide makes the plan that the search has found best, if it saves enough and
// nothing can overflow that did not before.
func (c *context) decide(n *algebra.Aggregate, p *earlyPlan) algebra.Node {
	out, problem := algebra.Node(n), ""
	if p.firstAt() == nil {
		return n // no place but the query's own
	}
	if p.pays() {
		var built algebra.Node
		if built, problem = c.buildEarly(p); problem == "" {
			out = built
		}
	}
	if c.opts.Weigh {
		c.decisions = append(c.decisions, p.decision(n, problem))
	}
	return out
}

// withoutProject is an aggregation over the input of the projection that it reads,
// whose expressions take the place of its columns.
func withoutProject(n *algebra.Aggregate) *algebra.Aggregate {
	p, ok := n.Input.(*algebra.Project)
	if !ok {
		return n
	}
	by := make(map[algebra.ColumnID]algebra.Expr, len(p.Items))
	for _, item := range p.Items {
		by[item.Column.ID] = item.Expr
	}
	over := algebra.MapExprs(n, func(e algebra.Expr) algebra.Expr { return algebra.Substitute(e, by) })
	return algebra.WithInputs(over, p.Input).(*algebra.Aggregate)
}
