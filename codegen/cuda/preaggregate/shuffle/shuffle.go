// Package shuffle is the strategy in which all lanes compare their cell with that of the
// first lane, and numbers move by shuffles (Meinke 2015, with a stride of one).
package shuffle

import (
	_ "embed"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/preaggregate/warp"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

//go:embed shuffle.cuh
var code string

// Strategy is the strategy.
var Strategy = warp.Strategy{Title: "leader_shuffle", Remaining: cuda.Odds.LikeFirst, Costs: costs, Parts: []string{warp.Moved, code}}

func costs(figures *machine.Groups, _ float64) warp.Costs {
	return warp.AllCosts(2*figures.Vote+figures.Shuffle, figures.Shuffle)
}
