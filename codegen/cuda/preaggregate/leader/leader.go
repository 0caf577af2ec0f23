// Package leader is the strategy in which all lanes compare their cell with that of the
// first lane, and numbers move through shared memory (Wittmer & Lauer 2013).
package leader

import (
	_ "embed"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/preaggregate/warp"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

//go:embed leader.cuh
var code string

// scratch is SCRATCH of the code.
const scratch = 17

// Strategy is cuda.Preaggregation.
type Strategy struct{}

// Name implements cuda.Preaggregation.
func (Strategy) Name() string { return "leader" }

// Offer implements cuda.Preaggregation.
func (Strategy) Offer(g *cuda.Grouping, a *cuda.Adding) strategy.Offer {
	figures := &g.Device().Groups
	return warp.Offer(g, a, Strategy{}.Left(g.Odds()), warp.AllCosts(2*figures.Vote+figures.Exchange, figures.Exchange))
}

// Left implements cuda.Preaggregation.
func (Strategy) Left(o cuda.Odds) float64 { return o.LikeFirst() }

// Code implements cuda.Preaggregation.
func (Strategy) Code() []string { return []string{warp.Moved, code} }

// Scratch implements cuda.Preaggregation.
func (Strategy) Scratch() int { return scratch }
