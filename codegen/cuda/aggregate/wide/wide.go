// Package wide is the strategy of one large block on a multiprocessor, with a slot for
// every cell or for those of a range: an addition in shared memory is ten times as quick
// as one in global memory.
package wide

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate/slots"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// maxRanges is how many ranges cells with slots are gone over in, at most.
const maxRanges = 8

// Strategy is cuda.Strategy.
type Strategy struct{}

// Name implements cuda.Strategy.
func (Strategy) Name() string { return "wide" }

// Offer implements cuda.Strategy.
func (Strategy) Offer(g *cuda.Grouping) strategy.Offer {
	s := slots.Slots{Grouping: g}
	figures := &g.Device().Groups
	bytes := s.Bytes()
	switch {
	case g.ThreadsChosen():
		return strategy.Offer{Refusal: "group_threads says how many threads a block has, and its blocks have as many as they can"}
	case len(g.Func().Inputs) > 1 && g.Matches() < slots.ManyMatches:
		return strategy.Offer{Refusal: "the kernel looks rows up, which takes the cache that large blocks leave none of"}
	case !g.Layout.Dense:
		return keyed(g)
	case bytes == 0:
		return strategy.Offer{Refusal: "the number of cells is not known from the types of the keys"}
	case bytes <= float64(figures.BlockBytes):
		return strategy.Offer{Refusal: fmt.Sprintf("a block of the usual size has slots for all %.0f cells", g.Cells())}
	case bytes > maxRanges*float64(figures.WideBytes) && g.Matches() < slots.ManyMatches:
		return strategy.Offer{Refusal: fmt.Sprintf("%.0f cells take more than %d ranges", g.Cells(), maxRanges)}
	}
	if g.Matches() >= slots.ManyMatches && bytes > float64(figures.WideBytes-g.StagedBytes()) {
		return strategy.Offer{
			Cost:   s.PagedCost(),
			Detail: fmt.Sprintf("%.0f cells, pages of which own the slots of a large block", g.Cells()),
		}
	}
	cost := s.Cost(s.Global())
	if passes := bytes / float64(figures.WideBytes); passes <= 1 || g.IsRepeatable() {
		each := float64(len(g.Layout.State)) * float64(figures.SlotAdd)
		cost = min(cost, g.Device().Bytes(g.Rows*(each+max(passes-1, 0)*float64(figures.Pass+g.RowBytes()))))
	}
	return strategy.Offer{
		Cost:   cost,
		Detail: fmt.Sprintf("%.0f cells; the launch decides on ranges by the rows, and has pages own slots where they do not pay", g.Cells()),
	}
}

// keyed is the offer where keys own slots: those of a table of groups that are too many for
// a block of the usual size.
func keyed(g *cuda.Grouping) strategy.Offer {
	few, many := slots.Slots{Grouping: g}, slotsOf(g)
	switch found := many.Found(); {
	case few.Found() == 1:
		return strategy.Offer{Refusal: "a block of the usual size is likely to have slots for all groups"}
	case found < minFound:
		return strategy.Offer{Refusal: fmt.Sprintf("a large block is likely to have slots for %.0f %% of the rows", 100*found)}
	}
	return strategy.Offer{Cost: many.Cost(many.Global()), Detail: "a table of groups, whose keys own the slots of a large block"}
}

// minFound is the share of the rows that find a slot at least, of groups in a table: the
// others are slower than without.
const minFound = 0.5

func slotsOf(g *cuda.Grouping) *slots.Slots {
	return &slots.Slots{Grouping: g, Ranges: g.IsRepeatable(), Large: true}
}

// Adding implements cuda.Strategy.
func (Strategy) Adding(g *cuda.Grouping) cuda.Adding { return slotsOf(g).LargeAdding() }

// Render implements cuda.Strategy.
func (Strategy) Render(g *cuda.Grouping) {
	slotsOf(g).Render()
}

// Launches implements cuda.Strategy.
func (Strategy) Launches(p *cuda.Planner, g *cuda.Grouping) cuda.Launches {
	return slotsOf(g).Launches(p, Strategy{}.Name(), slots.Large)
}
