// Package match is the strategy in which the hardware finds for each lane all others with
// its cell.
package match

import (
	_ "embed"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/preaggregate/warp"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

//go:embed match.cuh
var code string

// Strategy is cuda.Preaggregation.
type Strategy struct{}

// Name implements cuda.Preaggregation.
func (Strategy) Name() string { return "match" }

// Offer implements cuda.Preaggregation.
func (Strategy) Offer(g *cuda.Grouping, a *cuda.Adding) strategy.Offer {
	figures := &g.Device().Groups
	additions := Strategy{}.Left(g.Odds())
	return warp.Offer(g, a, additions, warp.TreeCosts(g, additions, figures.Match+figures.Vote))
}

// Left implements cuda.Preaggregation.
func (Strategy) Left(o cuda.Odds) float64 { return o.Distinct() }

// Code implements cuda.Preaggregation.
func (Strategy) Code() []string { return []string{warp.Moved, warp.Tree, code} }

// Scratch implements cuda.Preaggregation.
func (Strategy) Scratch() int { return 0 }
