// Package strided is the strategy in which lanes at a stride compare their cells (Meinke
// 2015, listing 3): it finds the peers of all targets where neighbouring lanes go through
// the targets of one source after the other. The stride is found in the warp, so that
// lanes whose targets do not repeat add on their own.
package strided

import (
	_ "embed"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/preaggregate/warp"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

//go:embed strided.cuh
var code string

// Strategy is cuda.Preaggregation.
type Strategy struct{}

// Name implements cuda.Preaggregation.
func (Strategy) Name() string { return "strided" }

// Offer implements cuda.Preaggregation.
func (Strategy) Offer(g *cuda.Grouping, a *cuda.Adding) strategy.Offer {
	figures := &g.Device().Groups
	additions := Strategy{}.Left(g.Odds())
	return warp.Offer(g, a, additions, warp.TreeCosts(g, additions, 3*figures.Vote+2*figures.Shuffle))
}

// Left implements cuda.Preaggregation.
func (Strategy) Left(o cuda.Odds) float64 { return o.AtStride() }

// Code implements cuda.Preaggregation.
func (Strategy) Code() []string { return []string{warp.Moved, warp.Tree, code} }

// Scratch implements cuda.Preaggregation.
func (Strategy) Scratch() int { return 0 }
