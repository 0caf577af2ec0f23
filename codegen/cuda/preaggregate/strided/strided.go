// Package strided is the strategy in which lanes at a stride compare their cells (Meinke
// 2015, listing 3): it finds the peers of all targets where neighbouring lanes go through
// the targets of one source after the other. The stride is found in the warp, so that
// lanes whose targets do not repeat add on their own.
package strided

import (
	_ "embed"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/preaggregate/warp"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

//go:embed strided.cuh
var code string

// Strategy is the strategy.
var Strategy = warp.Strategy{Title: "strided", Remaining: cuda.Odds.AtStride, Costs: costs, Parts: []string{warp.Moved, warp.Tree, code}}

func costs(figures *machine.Groups, of float64) warp.Costs {
	return warp.TreeCosts(figures, of, 3*figures.Vote+2*figures.Shuffle)
}
