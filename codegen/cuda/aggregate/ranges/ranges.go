// Package ranges is the strategy of going over the rows for one range of the cells after
// the other, so that the device's cache holds those of a range. Within a range the rows
// are accumulated as in package block. How many ranges pay is decided when a kernel is
// launched.
package ranges

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate/block"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate/slots"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// Strategy is cuda.Strategy. It adds rows to their cells as block does.
type Strategy struct{ block.Strategy }

// Name implements cuda.Strategy.
func (Strategy) Name() string { return "ranges" }

// Offer implements cuda.Strategy.
func (Strategy) Offer(g *cuda.Grouping) strategy.Offer {
	if !g.IsRepeatable() {
		return strategy.Offer{Refusal: "it takes known cells, and rows that are cheap to go over again and of which none is left out"}
	}
	s := slots.Slots{Grouping: g}
	figures := &g.Device().Groups
	ranges := max(2*float64(g.Layout.CellBytes())*g.Cells()/float64(figures.CacheBytes), 1)
	passes := g.Device().Bytes(g.Rows * (ranges - 1) * float64(figures.Pass+g.RowBytes()))
	return strategy.Offer{
		Cost:   min(s.Cost(figures.Atomic)+passes, s.Cost(s.Global())),
		Detail: fmt.Sprintf("%s; the launch decides on ranges by the cells, the rows and the device's cache", s.Detail()),
	}
}

// Render implements cuda.Strategy.
func (Strategy) Render(g *cuda.Grouping) {
	s := slots.Slots{Grouping: g, Ranges: true}
	s.Render()
}

// Launches implements cuda.Strategy.
func (Strategy) Launches(p *cuda.Planner, g *cuda.Grouping) cuda.Launches {
	s := slots.Slots{Grouping: g, Ranges: true}
	return s.Launches(p, Strategy{}.Name(), slots.Cached)
}
