package query

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/term"
)

// orderedWindows puts the windows of the calls below the aggregation.
func (s *Block) orderedWindows() {
	g := &s.group
	for _, c := range g.Ordered {
		if len(c.Windows) == 0 {
			continue
		}
		if len(g.Sets) != 1 || g.Sets[0] != algebra.AllKeys(len(g.Keys)) {
			panic(term.NotSupported(c.Pos, c.Name+" with several grouping sets is"))
		}
		var keys []algebra.Expr
		for _, key := range g.Keys {
			if term.HasSubquery(key.Expr) {
				panic(term.NotSupported(c.Pos, c.Name+" of groups by a subquery is"))
			}
			keys = append(keys, key.Expr)
		}
		for _, w := range c.Windows {
			s.node = &algebra.Window{Input: s.node, PartitionBy: slices.Concat(keys, w.Partition), OrderBy: w.Order, Calls: w.Calls}
		}
	}
}
