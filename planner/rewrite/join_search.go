package rewrite

import (
	"math"
	"math/bits"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/estimate"
)

// exact finds the cheapest order by dynamic programming over the sets of
// relations. Sets that no predicates hold together are left out, for a cross
// product would have to be probed by several keys at once, unless there is no
// other way.
func (g *joinGraph) exact() *orders {
	links := g.links()
	all := relSet(1)<<len(g.rels) - 1
	best, needLink := g.cheapest(links, true), true
	if math.IsInf(best[all].cost, 1) {
		best, needLink = g.cheapest(links, false), false
	}
	return &orders{all, best, links, needLink}
}

// orders are the cheapest ways to make each set of relations.
type orders struct {
	all      relSet
	best     []joined
	links    []relSet // by set: the relations that share a predicate with it
	needLink bool     // no set is a cross product
}

// cheapest finds the cheapest way to make each set of relations; with needLink
// sets that only a cross product makes have an infinite cost.
func (g *joinGraph) cheapest(links []relSet, needLink bool) []joined {
	n := len(g.rels)
	best := make([]joined, 1<<n)
	for i := range g.rels {
		s := relSet(1) << i
		best[s] = joined{rels: s, rows: max(g.props[i].Rows, 1)}
	}
	for s := relSet(1); s < 1<<n; s++ {
		if bits.OnesCount64(uint64(s)) > 1 {
			best[s] = g.bestSplit(s, best, links, needLink)
		}
	}
	return best
}

// links returns for each set of relations those that share a predicate with one
// of them.
func (g *joinGraph) links() []relSet {
	links := make([]relSet, 1<<len(g.rels))
	note := func(rels relSet) {
		for rest := rels; rest != 0; rest &= rest - 1 {
			links[rest&-rest] |= rels
		}
	}
	for _, p := range g.preds {
		note(p.rels)
	}
	for _, c := range g.classes {
		note(c.rels)
	}
	for s := range links {
		rest := s & (s - 1)
		links[s] = links[s&^rest] | links[rest]
	}
	return links
}

// bestSplit finds the cheapest way to make a set of two smaller ones.
func (g *joinGraph) bestSplit(s relSet, best []joined, links []relSet, needLink bool) joined {
	out := joined{rels: s, rows: g.rowsOf(s), cost: math.Inf(1)}
	for left := (s - 1) & s; left != 0; left = (left - 1) & s {
		right := s &^ left
		l, r := &best[left], &best[right]
		if l.cost+r.cost >= out.cost || needLink && links[left]&right == 0 && !g.isFilter(right) || !g.legal(left, right) {
			continue
		}
		cost := l.cost + r.cost + g.joinCost(l, r, out.rows)
		if cost < out.cost {
			out.cost, out.left, out.right = cost, left, right
		}
	}
	return out
}

// build makes the joins that were chosen for a set.
func (g *joinGraph) build(s relSet, best []joined) algebra.Node {
	b := &best[s]
	if b.left == 0 {
		return g.rels[bits.TrailingZeros64(uint64(s))]
	}
	return g.join(g.build(b.left, best), g.build(b.right, best), b.left, b.right)
}

// join joins two plans by the predicates that connect their relations and that
// neither has applied.
func (g *joinGraph) join(left, right algebra.Node, l, r relSet) *algebra.Join {
	if g.isFilter(r) {
		return g.filter(left, right, r)
	}
	out := &algebra.Join{Kind: algebra.JoinInner, Left: left, Right: right, Keys: g.classKeys(l, r)}
	for _, p := range g.preds {
		if !p.rels.subsetOf(l|r) || p.rels.subsetOf(l) || p.rels.subsetOf(r) {
			continue
		}
		switch {
		case p.cond != nil:
			out.Residual = append(out.Residual, p.cond)
		case p.left.subsetOf(l) && p.right.subsetOf(r):
			out.Keys = append(out.Keys, p.key)
		case p.left.subsetOf(r) && p.right.subsetOf(l):
			key := algebra.JoinKey{Left: p.key.Right, Right: p.key.Left, NullSafe: p.key.NullSafe}
			out.Keys = append(out.Keys, key)
		default:
			out.Residual = append(out.Residual, equality(p.key))
		}
	}
	return out
}

// greedy joins the pair of sets that costs least, again and again.
func (g *joinGraph) greedy() *joined {
	parts := make([]*joined, len(g.rels))
	for i, n := range g.rels {
		parts[i] = &joined{node: n, rels: 1 << i, rows: max(g.props[i].Rows, 1)}
	}
	for len(parts) > 1 {
		parts = g.joinCheapest(parts)
	}
	return parts[0]
}

func (g *joinGraph) joinCheapest(parts []*joined) []*joined {
	var left, right int
	lowest, anyLink := math.Inf(1), false
	for i := range parts {
		g.est.Meter().Must(len(parts) * (len(g.props) + len(g.preds)))
		for k := range parts {
			if i == k {
				continue
			}
			link := g.isFilter(parts[k].rels) || g.connected(parts[i].rels, parts[k].rels)
			if !g.legal(parts[i].rels, parts[k].rels) || anyLink && !link {
				continue
			}
			rows := g.rowsOf(parts[i].rels | parts[k].rels)
			cost := g.joinCost(parts[i], parts[k], rows) + rows
			if link && !anyLink || cost < lowest {
				lowest, left, right, anyLink = cost, i, k, link
			}
		}
	}
	l, r := parts[left], parts[right]
	rows := g.rowsOf(l.rels | r.rels)
	out := &joined{
		node: g.join(l.node, r.node, l.rels, r.rels), rels: l.rels | r.rels,
		rows: rows, cost: l.cost + r.cost + g.joinCost(l, r, rows),
	}
	rest := []*joined{out}
	for i, p := range parts {
		if i != left && i != right {
			rest = append(rest, p)
		}
	}
	return rest
}

// rows guesses the size of the join of a set of relations.
func (g *joinGraph) rowsOf(s relSet) float64 {
	rows := 1.0
	for i, p := range g.props {
		if s&(1<<i) == 0 {
			continue
		}
		rows = min(rows, estimate.MaxRows)
		if f := g.filters[i]; f != nil && s != 1<<i {
			rows *= f.share
		} else {
			rows *= max(p.Rows, 1)
		}
	}
	for i := range g.preds {
		if g.preds[i].rels.subsetOf(s) {
			rows *= g.preds[i].share
		}
	}
	for i := range g.classes {
		rows *= g.classes[i].share(s)
	}
	return min(max(rows*g.correction(s), 1), estimate.MaxRows)
}

// connected reports whether a predicate joins the two sets.
func (g *joinGraph) connected(a, b relSet) bool {
	for i := range g.preds {
		if r := g.preds[i].rels; r&a != 0 && r&b != 0 {
			return true
		}
	}
	for i := range g.classes {
		if r := g.classes[i].rels; r&a != 0 && r&b != 0 {
			return true
		}
	}
	return false
}

// joinCost is the cost of joining two sets by a hash table of the right one.
// Building of what is itself a join ends a pipeline, and most often holds
// several rows for a key.
func (g *joinGraph) joinCost(left, right *joined, out float64) float64 {
	costs := &g.est.Machine().Planning
	build := costs.Build
	switch {
	case bits.OnesCount64(uint64(right.rels)) > 1:
		build *= costs.PipelineEnd
	case !right.rels.subsetOf(g.unique):
		build *= costs.SeveralRows
	case right.rels.subsetOf(g.arrays):
		build *= costs.Array
	}
	if right.rows > costs.MediumRows {
		build *= costs.LargeBuild
	}
	return build*right.rows + costs.Lookup(right.rows)*left.rows + costs.Out*out
}
