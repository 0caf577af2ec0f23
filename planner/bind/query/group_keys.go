package query

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// inTargetOrder are the numbers of the keys in the order in which an expression
// over them finds the one that it means: items first, as they stand.
func inTargetOrder(g *scope.Grouping) []int {
	order := lists.Upto[int](len(g.Keys))
	rank := func(k int) int {
		if items := g.Keys[k].Items; len(items) > 0 {
			return items[0]
		}
		return scope.MaxColumns
	}
	slices.SortStableFunc(order, func(a, b int) int { return rank(a) - rank(b) })
	return order
}

// groupKeys fills in the keys and the grouping sets.
func (s *Block) groupKeys() {
	gb := s.Sel.GroupBy
	switch {
	case gb == nil:
		s.group.Sets = []algebra.KeySet{0}
		return
	case gb.All:
		s.groupByAll(gb)
		return
	}
	sets := s.crossElements(gb.Elements)
	if gb.Distinct {
		sets = distinctSets(sets)
	}
	s.group.Sets = sets
	mergeKeys(&s.group)
}

// groupByAll groups by every item that holds no aggregate.
func (s *Block) groupByAll(gb *sql.GroupBy) {
	set := algebra.KeySet(0)
	for i, item := range s.Items[:s.visible] {
		refs := algebra.References(item.Expr)
		if refs.Intersects(s.group.Made) || refs.Intersects(s.win.Made) || refs.Empty() {
			continue
		}
		k := s.keyOfItem(i, gb.Pos)
		set |= 1 << k
	}
	s.group.Sets = []algebra.KeySet{set}
	mergeKeys(&s.group)
}

// mergeKeys makes one key of equal ones that are in the same grouping sets: they
// have the same value in every row, and one costs less.
func mergeKeys(g *scope.Grouping) {
	var kept []scope.GroupKey
	var from []int // where each of them was
	for k, key := range g.Keys {
		same := slices.IndexFunc(from, func(other int) bool {
			return inSameSets(g, k, other) && algebra.Equal(key.Expr, g.Keys[other].Expr)
		})
		if same < 0 {
			kept, from = append(kept, key), append(from, k)
			continue
		}
		kept[same].Items = append(kept[same].Items, key.Items...)
		slices.Sort(kept[same].Items)
	}
	if len(kept) == len(g.Keys) {
		return
	}
	for i, set := range g.Sets {
		g.Sets[i] = 0
		for k, old := range from {
			if set.Has(old) {
				g.Sets[i] |= 1 << k
			}
		}
	}
	g.Keys = kept
}

func inSameSets(g *scope.Grouping, a, b int) bool {
	return !slices.ContainsFunc(g.Sets, func(set algebra.KeySet) bool { return set.Has(a) != set.Has(b) })
}
