package rewrite

import (
	"math/bits"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/estimate"
)

// isFiltering reports whether a join only filters its left rows.
func isFiltering(k algebra.JoinKind) bool { return k == algebra.JoinSemi || k == algebra.JoinAnti }

// isFilter reports whether a set is just the right side of a semi or anti join.
func (g *joinGraph) isFilter(s relSet) bool {
	return bits.OnesCount64(uint64(s)) == 1 && g.filters[bits.TrailingZeros64(uint64(s))] != nil
}

// legal reports whether two sets can be joined: the right side of a semi or anti
// join stays one, and filters what has the relations that it needs.
func (g *joinGraph) legal(left, right relSet) bool {
	if g.isFilter(left) {
		return false
	}
	return !g.isFilter(right) || g.filters[bits.TrailingZeros64(uint64(right))].needs.subsetOf(left)
}

// linkFilters finds what each semi and anti join needs, and guesses what it
// keeps. One whose conditions refer to no relation can filter any.
func (g *joinGraph) linkFilters(all *estimate.Props) {
	for i, f := range g.filters {
		own := relSet(1) << i
		for _, key := range f.join.Keys {
			f.needs |= g.relsOf(key.Left)
		}
		for _, cond := range f.join.Residual {
			f.needs |= g.relsOf(cond) &^ own
		}
		if f.needs == 0 {
			f.needs = 1 // the first relation is never a filter
		}
		f.share = estimate.KeptShare(f.join, g.side(f.needs, all), g.props[i])
	}
}

// filter is a semi or anti join of the group.
func (g *joinGraph) filter(left, right algebra.Node, r relSet) *algebra.Join {
	join := g.filters[bits.TrailingZeros64(uint64(r))].join
	return &algebra.Join{Kind: join.Kind, Left: left, Right: right, Keys: join.Keys, Residual: join.Residual}
}
