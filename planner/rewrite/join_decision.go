package rewrite

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/cubeloom/cubeloom/planner/strategy"
)

// decision names the cheapest order of the joins and, as its rivals, the cheapest ones
// whose last join is another.
func (g *joinGraph) decision(found *orders) strategy.Decision {
	all, best := found.all, found.best
	type order struct {
		left, right relSet
		cost        float64
	}
	var list []order
	for left := (all - 1) & all; left != 0; left = (left - 1) & all {
		right := all &^ left
		if found.needLink && found.links[left]&right == 0 && !g.isFilter(right) || !g.legal(left, right) {
			continue
		}
		l, r := &best[left], &best[right]
		if cost := l.cost + r.cost + g.joinCost(l, r, best[all].rows); !math.IsInf(cost, 1) {
			list = append(list, order{left, right, cost})
		}
	}
	taken := func(o order) bool { return o.left == best[all].left && o.right == best[all].right }
	slices.SortStableFunc(list, func(a, b order) int {
		switch {
		case taken(a):
			return -1
		case taken(b):
			return 1
		}
		return cmp.Compare(a.cost, b.cost)
	})
	d := strategy.Decision{Of: "order of joins"}
	for _, o := range list[:min(len(list), 1+shownAlternatives)] {
		d.Offers = append(d.Offers, strategy.Offer{
			Strategy: g.orderText(o.left, best, false) + " ⋈ " + g.orderText(o.right, best, true),
			Rows:     best[all].rows, Cost: o.cost * g.est.Machine().Host.Join.Probed,
		})
	}
	reason := "the cheapest of all orders"
	if len(list) == 1 {
		reason = "nothing else applies"
	}
	d.Take(0, reason)
	return d
}

// greedyDecision is that of so many joins that not all orders are looked at.
func (g *joinGraph) greedyDecision(made *joined) strategy.Decision {
	d := strategy.Decision{Of: "order of joins", Offers: []strategy.Offer{
		{Strategy: "exact", Refusal: "there are too many relations to compare all orders"},
		{Strategy: "greedy", Detail: "again and again the two that are cheapest to join", Rows: made.rows, Cost: made.cost * g.est.Machine().Host.Join.Probed},
	}}
	d.Take(1, "nothing else applies")
	return d
}

// orderText is the cheapest order of a set of relations in print.
func (g *joinGraph) orderText(s relSet, best []joined, inside bool) string {
	b := &best[s]
	if b.left == 0 {
		i := bits.TrailingZeros64(uint64(s))
		name := relationName(g.rels[i])
		if f := g.filters[i]; f != nil {
			name = string(f.join.Kind) + " " + name
		}
		return name
	}
	text := g.orderText(b.left, best, false) + " ⋈ " + g.orderText(b.right, best, true)
	if inside {
		return "(" + text + ")"
	}
	return text
}
