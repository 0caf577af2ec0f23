// Package leader is the strategy in which all lanes compare their cell with that of the
// first lane, and numbers move through shared memory (Wittmer & Lauer 2013).
package leader

import (
	_ "embed"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/preaggregate/warp"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

//go:embed leader.cuh
var code string

// scratch is SCRATCH of the code.
const scratch = 17

// Strategy is the strategy.
var Strategy = warp.Strategy{Title: "leader", Remaining: cuda.Odds.LikeFirst, Costs: costs, Parts: []string{warp.Moved, code}, Words: scratch}

func costs(figures *machine.Groups, _ float64) warp.Costs {
	return warp.AllCosts(2*figures.Vote+figures.Exchange, figures.Exchange)
}
