package fusion

import (
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// The strategies of joins, and of set operations, which are joins of whole rows or
// groups of them.
const (
	HashJoin  = "hash"
	MergeJoin = "merge"
)

// JoinStrategies are the names of the strategies of joins.
func JoinStrategies() []string { return []string{HashJoin, MergeJoin} }

// chosenJoin chooses the strategy of a join; s is the side that it is merged with, nil
// for a hash table.
func (g *graph) chosenJoin(n *algebra.Join) (c operators.Choice, s *side, err error) {
	merges, sides := g.mergeOffers(n)
	return g.chosen("join", g.hashCost(n), merges, sides)
}

// chosen chooses between a hash table, by its cost, and merges with the sides.
func (g *graph) chosen(of string, hashCost float64, merges []operators.Offer, sides []*side) (c operators.Choice, s *side, err error) {
	hash := operators.Offer{Strategy: HashJoin, Cost: hashCost}
	c, err = g.opts.Joins.Choose(of, append([]operators.Offer{hash}, merges...))
	if err != nil || c.Taken == 0 {
		return c, nil, err
	}
	return c, sides[c.Taken-1], nil
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
