package fusion

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// chosenJoin chooses the strategy of a join; s is the side that it is merged with, nil
// for a hash table.
func (g *graph) chosenJoin(n *algebra.Join) (d strategy.Decision, s *side, err error) {
	merges, sides := g.mergeOffers(n)
	return g.chosen("join", g.hashCost(n), merges, sides)
}

// chosen chooses between a hash table, by its cost, and merges with the sides.
func (g *graph) chosen(of string, hashCost float64, merges []strategy.Offer, sides []*side) (d strategy.Decision, s *side, err error) {
	hash := strategy.Offer{Strategy: HashJoin, Cost: hashCost}
	d, err = g.opts.Joins.Choose(of, append([]strategy.Offer{hash}, merges...)...)
	for i, s := range sides {
		if d.Offers[1+i].Taken {
			return d, s, nil
		}
	}
	return d, nil, err
}

// hashCost is what a join costs with a hash table, whichever side it is made of.
func (g *graph) hashCost(n *algebra.Join) float64 {
	left, right := g.est.Rows(n.Left), g.est.Rows(n.Right)
	cost := g.costs.Built*right + g.costs.Probed*left
	if n.Kind == algebra.JoinSemi || n.Kind == algebra.JoinAnti {
		cost = min(cost, g.costs.Built*left+g.costs.Probed*right)
	}
	return cost + g.scanCost(n.Left) + g.scanCost(n.Right)
}
