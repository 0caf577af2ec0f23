// Package block is the strategy of slots in the shared memory of each block, which are
// added to the cells in global memory at its end (Rosenfeld 2019, WORKGROUPLOCAL): a slot
// for every cell where there is room, else cells or keys own slots as they come, and the
// rest goes to global memory.
package block

import (
	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate/slots"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// Strategy is cuda.Strategy.
type Strategy struct{}

// Name implements cuda.Strategy.
func (Strategy) Name() string { return "block" }

// Offer implements cuda.Strategy.
func (Strategy) Offer(g *cuda.Grouping) strategy.Offer {
	s := slots.Slots{Grouping: g}
	return strategy.Offer{Cost: s.Cost(s.Global()), Detail: s.Detail()}
}

// Adding implements cuda.Strategy.
func (Strategy) Adding(g *cuda.Grouping) cuda.Adding {
	s := slots.Slots{Grouping: g}
	return s.Adding()
}

// Render implements cuda.Strategy.
func (Strategy) Render(g *cuda.Grouping) {
	s := slots.Slots{Grouping: g}
	s.Render()
}

// Launches implements cuda.Strategy.
func (Strategy) Launches(p *cuda.Planner, g *cuda.Grouping) cuda.Launches {
	s := slots.Slots{Grouping: g}
	return s.Launches(p, Strategy{}.Name(), slots.Cached)
}
