package cuda

import "math"

// Cost is what the additions cost, in nanoseconds of the device, so many being left of
// those of a warp's lanes that have rows.
func (a *Adding) Cost(additions float64) float64 { return a.cost(additions, a.g.Atomic(a.Copies)) }

// cost is Cost where an addition in global memory costs so much.
func (a *Adding) cost(additions, global float64) float64 {
	g := a.g
	figures := &g.Device().Groups
	odds := g.Odds()
	waiting := max(additions/odds.Distinct()/max(a.Replicas, 1), 1) // of the lanes, for one slot
	slot := float64(figures.SlotAdd) * waiting
	each := a.Slots*slot + (1-a.Slots)*global
	return g.Device().Bytes(g.Rows * float64(len(g.Layout.State)) * each * additions / odds.Lanes)
}

// Atomic is what an addition in global memory costs where each cell has so many copies, in
// the time in which the memory gives a byte: it waits for others of its cell, the longer
// the fewer there are and the more rows the largest group has, and for the memory where the cache does not
// hold them. Lanes of a warp that have the same cell are joined, so that each warp with a row of the
// largest group waits once.
func (g *Grouping) Atomic(copies float64) float64 {
	copies = max(copies, 1)
	cells := max(g.groups()*copies, 1)
	same := float64(g.Device().Groups.SameCell)
	met := 1 - math.Pow(1-min(g.s.Largest/max(g.Rows, 1), 1)/copies, Lanes)
	return max(g.Reached(copies), same/math.Cbrt(cells), same*met)
}

// Reached is what an addition costs that waits for no other.
func (g *Grouping) Reached(copies float64) float64 {
	figures := &g.Device().Groups
	if 2*float64(g.Layout.CellBytes())*g.groups()*max(copies, 1) > float64(figures.CacheBytes) {
		return float64(figures.Missed)
	}
	return float64(figures.Atomic)
}

// Places are the rows and the lanes that have none.
func (g *Grouping) Places() float64 { return g.Rows / g.share }

// Turns are the rows and the lanes without one that wait while others of their warp have one. Rows that
// look-ups leave are packed where they are few, and have no such lanes.
func (g *Grouping) Turns() float64 {
	if len(g.f.Inputs) > 1 {
		return g.Rows
	}
	return g.Places() * (1 - math.Pow(1-g.share, Lanes))
}

// groups is how many are likely: those that are estimated, or all cells.
func (g *Grouping) groups() float64 {
	switch cells := g.Cells(); {
	case g.s.Groups == 0:
		return cells
	case cells == 0:
		return g.s.Groups
	default:
		return min(cells, g.s.Groups)
	}
}

// JoinedWords are the words of each term that lanes join; counts and flags take none.
func (g *Grouping) JoinedWords() []int {
	var words []int
	for _, second := range []bool{false, true} {
		for _, t := range g.termsOf(second) {
			if !t.ones {
				words = append(words, t.kind.planes)
			}
		}
	}
	return words
}

// Odds are those of the aggregation.
func (g *Grouping) Odds() Odds {
	groups := g.groups()
	if groups == 0 {
		groups = manyGroups
	}
	return Odds{Groups: groups, Lanes: max(g.share*Lanes, 1)}
}

// manyGroups stands for a number that is not known.
const manyGroups = 1 << 20

// LikeFirst is how many additions are left of a warp's where lanes with the cell of the
// first one are joined, AtStride where those at the stride of the first are, and Distinct
// where all with one cell are.
func (o Odds) LikeFirst() float64 { return o.Lanes - (o.Lanes-1)/o.Groups }

func (o Odds) AtStride() float64 {
	stride := min(o.Groups, o.Lanes)
	return o.Lanes - (o.Lanes-stride)/o.Groups
}

func (o Odds) Distinct() float64 {
	distinct := o.Groups * -math.Expm1(o.Lanes*math.Log1p(-1/max(o.Groups, 1+1e-9)))
	return min(max(distinct, 1), o.Lanes)
}
