// Package independent is the strategy of a table of each thread in global memory, which are
// merged into one at the end (Rosenfeld 2019, INDEPENDENT): no row waits for those of other
// threads. As many threads are launched as there are tables.
package independent

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// Strategy is cuda.Strategy.
type Strategy struct{}

// Name implements cuda.Strategy.
func (Strategy) Name() string { return "independent" }

// Offer implements cuda.Strategy. What no row is added to is only read when tables are merged.
func (Strategy) Offer(g *cuda.Grouping) strategy.Offer {
	figures := &g.Device().Groups
	tables := float64(figures.OwnTables)
	cells, bytes := tables*g.Cells(), float64(g.Layout.CellBytes())
	switch {
	case !g.Layout.Dense:
		return strategy.Offer{Refusal: "groups are found in a hash table, and one of each thread would be too large"}
	case cells == 0:
		return strategy.Offer{Refusal: "the number of cells is not known from the types of the keys"}
	case cells*bytes > float64(figures.OwnBytes):
		return strategy.Offer{Refusal: fmt.Sprintf("tables of %d threads with %.0f cells each take more than %d MB", figures.OwnTables, g.Cells(), figures.OwnBytes>>20)}
	}
	arrays := float64(len(g.Layout.State))
	merged := min(cells, g.Rows) * arrays * float64(figures.Atomic)
	return strategy.Offer{
		Cost:   figures.Compact + g.Device().Bytes(g.Rows*arrays*g.Reached(tables)+cells*bytes+merged),
		Detail: fmt.Sprintf("tables of %d threads with %.0f cells each", figures.OwnTables, g.Cells()),
	}
}

// Adding implements cuda.Strategy.
func (Strategy) Adding(g *cuda.Grouping) cuda.Adding {
	return cuda.Adding{
		Refusal: "each thread adds to a table of its own, and none waits for others",
		Tables:  int(g.Device().Groups.OwnTables),
	}
}

// Render implements cuda.Strategy.
func (Strategy) Render(g *cuda.Grouping) { g.Accumulate(cuda.Tier{Locate: g.DenseCells}) }

// Launches implements cuda.Strategy.
func (s Strategy) Launches(p *cuda.Planner, g *cuda.Grouping) cuda.Launches {
	rows := launch.Int(g.Device().Groups.OwnTables * int64(g.TileRows())) // that so many threads hold
	return cuda.Launches{
		Rows: func(_, _ launch.Expr) {
			p.Note(s.Name(), nil)
			p.Chunks(func() { p.Launch("aggregate", expr.Min(expr.Chunk, rows)) })
		},
		SecondPass: func(launch.Expr) { p.Chunks(func() { p.Launch("aggregate_second", expr.Chunk) }) },
	}
}
