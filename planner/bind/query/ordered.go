package query

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/term"
)

// orderedWindows puts the windows of the calls below the aggregation.
func (s *Block) orderedWindows() error {
	g := &s.group
	if len(g.Ordered) == 0 {
		return nil
	}
	if len(g.Sets) != 1 || g.Sets[0] != algebra.AllKeys(len(g.Keys)) {
		return term.NotSupported(g.Ordered[0].Pos, g.Ordered[0].Name+" with several grouping sets is")
	}
	var keys []algebra.Expr
	for _, key := range g.Keys {
		if term.HasSubquery(key.Expr) {
			return term.NotSupported(g.Ordered[0].Pos, g.Ordered[0].Name+" of groups by a subquery is")
		}
		keys = append(keys, key.Expr)
	}
	for _, c := range g.Ordered {
		for _, w := range c.Windows {
			partition := append(keys[:len(keys):len(keys)], w.Partition...)
			s.node = &algebra.Window{Input: s.node, PartitionBy: partition, OrderBy: w.Order, Calls: w.Calls}
		}
	}
	return nil
}
