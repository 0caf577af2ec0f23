package fusion

import (
	"github.com/cubeloom/cubeloom/operators/aggregate"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// mergedSetOp adds a set operation as a merge, the paper's set operations of sorted
// inputs, where one side is a base table in the order of a column, the other comes in
// that order, and it costs less than to group the rows of both; ok reports whether it
// has. INTERSECT are the rows of the left side that the right one has, EXCEPT those
// that it does not have, each once; UNION the rows of the left side and those of the
// right one that the left one does not have.
func (g *graph) mergedSetOp(n *algebra.SetOp) (id int, ok bool, err error) {
	left, right := n.Left, n.Right
	once := algebra.UniqueRows(left)
	switch {
	case n.Kind == algebra.Union && (n.All || !once || !algebra.UniqueRows(right)), n.All && !once:
		return 0, false, nil
	case n.Kind == algebra.Union:
		left, right = right, left
	}
	join := &algebra.Join{Kind: algebra.JoinAnti, Left: left, Right: right}
	if n.Kind == algebra.Intersect {
		join.Kind = algebra.JoinSemi
	}
	for i, c := range left.Columns() {
		join.Keys = append(join.Keys, algebra.JoinKey{Left: c.Ref(), Right: right.Columns()[i].Ref(), NullSafe: true})
	}
	d, s, err := g.chosenSetOp(n, join)
	if err != nil || s == nil {
		return 0, false, err
	}
	if n.Kind == algebra.Union {
		id, err = g.mergedUnion(n, join, s)
		g.decide(id, d)
		return id, true, err
	}
	if id, err = g.addMerge(join, s); err != nil {
		return 0, true, err
	}
	g.decide(id, d)
	distinct := &aggregate.Operator{}
	for i, c := range left.Columns() {
		if once {
			g.rename(n.Cols[i], g.column(c))
		} else {
			distinct.Keys = append(distinct.Keys, algebra.Item{Column: n.Cols[i], Expr: g.column(c).Ref()})
		}
	}
	if !once {
		id = g.add(distinct, g.ops[id].Rows, id)
	}
	return id, true, nil
}

// mergedUnion adds a UNION whose right side without the rows of the left one is a merge.
func (g *graph) mergedUnion(n *algebra.SetOp, rest *algebra.Join, s *side) (int, error) {
	all, err := g.node(n.Left)
	if err != nil {
		return 0, err
	}
	first := g.branch(n.Left, all)
	others, err := g.addMerge(rest, s)
	if err != nil {
		return 0, err
	}
	return g.uniteAll(n, []branch{first, g.branch(n.Right, others)}), nil
}

// chosenSetOp chooses the strategy of a set operation that may be a merge by join; s is
// the side that it is merged with, nil where the rows of both are grouped.
func (g *graph) chosenSetOp(n *algebra.SetOp, join *algebra.Join) (d strategy.Decision, s *side, err error) {
	merges, sides := g.mergeOffers(join)
	return g.chosen("set operation", g.groupCost(n), merges, sides)
}

// groupCost is what a set operation costs as an aggregation of both sides.
func (g *graph) groupCost(n *algebra.SetOp) float64 {
	return g.costs.Built*(g.est.Rows(n.Left)+g.est.Rows(n.Right)) + g.scanCost(n.Left) + g.scanCost(n.Right)
}
