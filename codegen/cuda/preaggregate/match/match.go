// Package match is the strategy in which the hardware finds for each lane all others with
// its cell.
package match

import (
	_ "embed"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/preaggregate/warp"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

//go:embed match.cuh
var code string

// Strategy is the strategy.
var Strategy = warp.Strategy{Title: "match", Remaining: cuda.Odds.Distinct, Costs: costs, Parts: []string{warp.Moved, warp.Tree, code}}

func costs(figures *machine.Groups, of float64) warp.Costs {
	return warp.TreeCosts(figures, of, figures.Match+figures.Vote)
}
