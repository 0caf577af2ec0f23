package rewrite

import (
	"math/bits"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/estimate"
)

// orderJoins chooses the order of inner, semi and anti joins and the build side
// of every join. In a star the fact table ends up on the probe side of a chain
// of joins, the table that lets the fewest of its rows through first.
//
//	before: v join u join t, where t is large and u filtered
//	after:  t join u join v: what is built is small
//	never:  t left join u: each row of t has to come once
func orderJoins(c *context, n algebra.Node) algebra.Node {
	o := &orderer{context: c, est: c.est}
	return withColumns(o.order(n), n.Columns())
}

type orderer struct {
	*context
	est *estimate.Estimator
}

func (o *orderer) order(n algebra.Node) algebra.Node {
	switch n := n.(type) {
	case *algebra.Join:
		if n.Kind == algebra.JoinInner || isFiltering(n.Kind) {
			return o.orderGroup(n)
		}
		return o.sides(algebra.MapInputs(n, o.order).(*algebra.Join))
	case *algebra.SetOp:
		// The operands' columns count by position.
		return algebra.MapInputs(n, func(in algebra.Node) algebra.Node { return withColumns(o.order(in), in.Columns()) })
	}
	return algebra.MapInputs(n, o.order)
}

// sides makes the much smaller side of an outer join the build side: building is dearer
// than probing, and the rows that no probe has found have to be gathered.
func (o *orderer) sides(n *algebra.Join) algebra.Node {
	swapped, ok := map[algebra.JoinKind]algebra.JoinKind{
		algebra.JoinLeft: algebra.JoinRight, algebra.JoinRight: algebra.JoinLeft, algebra.JoinFull: algebra.JoinFull,
	}[n.Kind]
	if !ok || o.est.Rows(n.Left)*o.est.Machine().Planning.MuchSmaller >= o.est.Rows(n.Right) {
		return n
	}
	return n.Turned(swapped)
}

// maxExact is how many relations are ordered by trying all orders; more are
// ordered greedily.
const maxExact = 12

// maxGroup is how many relations a group can have: sets of them are bits.
const maxGroup = 64

func (o *orderer) orderGroup(n *algebra.Join) algebra.Node {
	g := &joinGraph{est: o.est, filters: make(map[int]*filtering)}
	g.collect(n, o.order)
	if len(g.rels) > maxGroup || !slices.ContainsFunc(g.rels, isNoValues) {
		return algebra.MapInputs(n, o.order)
	}
	g.applyLocal()
	g.classify()
	g.link()
	if len(g.rels) <= maxExact {
		found := g.exact()
		if o.opts.Weigh && len(g.rels) > 1 {
			o.decisions = append(o.decisions, g.decision(found))
		}
		return g.build(found.all, found.best)
	}
	made := g.greedy()
	if o.opts.Weigh {
		o.decisions = append(o.decisions, g.greedyDecision(made))
	}
	return made.node
}

// isNoValues reports whether a relation is more than constant rows. Joins of nothing else
// stay as they are: they are few rows, and a series, which is put together of the
// digits of its numbers, comes in its order then.
func isNoValues(n algebra.Node) bool {
	_, ok := n.(*algebra.Values)
	return !ok
}

// collect takes inner joins apart; order rewrites what they join.
func (g *joinGraph) collect(n algebra.Node, order func(algebra.Node) algebra.Node) {
	join, ok := n.(*algebra.Join)
	switch {
	case ok && isFiltering(join.Kind):
		g.collect(join.Left, order)
		g.filters[len(g.rels)] = &filtering{join: join}
		g.add(order(join.Right))
		return
	case !ok || join.Kind != algebra.JoinInner:
		g.add(order(n))
		return
	}
	g.collect(join.Left, order)
	g.collect(join.Right, order)
	for _, key := range join.Keys {
		g.preds = append(g.preds, predicate{key: key})
	}
	for _, cond := range join.Residual {
		g.preds = append(g.preds, predicate{cond: cond})
	}
}

func (g *joinGraph) add(n algebra.Node) {
	g.rels = append(g.rels, n)
	g.cols = append(g.cols, algebra.Outputs(n))
	g.props = append(g.props, g.est.Of(n))
}

// applyLocal filters each relation by the predicates that are about it alone.
func (g *joinGraph) applyLocal() {
	var joining []predicate
	for _, p := range g.preds {
		cond := p.cond
		if cond == nil {
			cond = equality(p.key)
		}
		rels := g.relsOf(cond)
		if bits.OnesCount64(uint64(rels)) > 1 {
			joining = append(joining, p)
			continue
		}
		i := 0 // a condition without columns filters any relation
		if rels != 0 {
			i = bits.TrailingZeros64(uint64(rels))
		}
		g.rels[i] = filter(g.rels[i], []algebra.Expr{cond})
		g.props[i] = g.est.Of(g.rels[i])
	}
	g.preds = joining
}

// link finds the relations of each predicate and guesses its share.
func (g *joinGraph) link() {
	all := estimate.Beside(g.props...)
	for i := range g.preds {
		p := &g.preds[i]
		if p.cond != nil {
			p.rels = g.relsOf(p.cond)
			p.share = all.Selectivity([]algebra.Expr{p.cond})
			continue
		}
		p.left, p.right = g.relsOf(p.key.Left), g.relsOf(p.key.Right)
		p.rels = p.left | p.right
		p.share = estimate.KeyShare([]algebra.JoinKey{p.key}, g.side(p.left, all), g.side(p.right, all))
	}
	g.linkClasses()
	g.linkFilters(all)
}
