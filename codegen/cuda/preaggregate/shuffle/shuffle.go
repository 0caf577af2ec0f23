// Package shuffle is the strategy in which all lanes compare their cell with that of the
// first lane, and numbers move by shuffles (Meinke 2015, with a stride of one).
package shuffle

import (
	_ "embed"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/preaggregate/warp"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

//go:embed shuffle.cuh
var code string

// Strategy is cuda.Preaggregation.
type Strategy struct{}

// Name implements cuda.Preaggregation.
func (Strategy) Name() string { return "leader_shuffle" }

// Offer implements cuda.Preaggregation.
func (Strategy) Offer(g *cuda.Grouping, a *cuda.Adding) strategy.Offer {
	figures := &g.Device().Groups
	return warp.Offer(g, a, Strategy{}.Left(g.Odds()), warp.AllCosts(2*figures.Vote+figures.Shuffle, figures.Shuffle))
}

// Left implements cuda.Preaggregation.
func (Strategy) Left(o cuda.Odds) float64 { return o.LikeFirst() }

// Code implements cuda.Preaggregation.
func (Strategy) Code() []string { return []string{warp.Moved, code} }

// Scratch implements cuda.Preaggregation.
func (Strategy) Scratch() int { return 0 }
