// Package shared is the strategy of one table in global memory for all blocks, and none
// in shared memory (Rosenfeld 2019, SHARED): each row is added to its group at once. It
// takes no time to look for slots and to add them up, and waits where many rows are of
// one group.
package shared

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
func (Strategy) Name() string { return "shared" }

// Offer implements cuda.Strategy. It applies to all groups; those that are many are
// likely not to be in the cache, and rows of those that are few wait for each other.
func (Strategy) Offer(g *cuda.Grouping) strategy.Offer {
	each := float64(len(g.Layout.State)) * g.Atomic(1)
	if !g.Layout.Dense {
		each += g.Reached(1) // to find the group
	}
	detail := fmt.Sprintf("%d bytes of global memory a group", g.Layout.CellBytes()+8*g.Layout.KeyWords)
	if g.Layout.Apart > 0 {
		detail += ", side by side"
	}
	return strategy.Offer{Cost: g.Device().Bytes(g.Rows * each), Detail: detail}
}

// Adding implements cuda.Strategy.
func (Strategy) Adding(*cuda.Grouping) cuda.Adding { return cuda.Adding{} }

// Render implements cuda.Strategy.
func (Strategy) Render(g *cuda.Grouping) {
	if g.Layout.Dense {
		g.Accumulate(cuda.Tier{Locate: g.DenseCells})
		return
	}
	g.Accumulate(g.TableTier())
}

// Launches implements cuda.Strategy.
func (s Strategy) Launches(p *cuda.Planner, _ *cuda.Grouping) cuda.Launches {
	overRows := func(entry string) { p.Chunks(func() { p.Launch(entry, expr.Chunk) }) }
	return cuda.Launches{
		Rows: func(_, _ launch.Expr) {
			p.Note(s.Name(), nil)
			overRows("aggregate")
		},
		SecondPass: func(launch.Expr) { overRows("aggregate_second") },
	}
}
