// Package none is the strategy of adding each row on its own.
package none

import (
	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// Strategy is cuda.Preaggregation.
type Strategy struct{}

// Name implements cuda.Preaggregation.
func (Strategy) Name() string { return cuda.NoPreaggregation }

// Offer implements cuda.Preaggregation.
func (Strategy) Offer(g *cuda.Grouping, a *cuda.Adding) strategy.Offer {
	return strategy.Offer{Cost: a.Cost(g.Odds().Lanes)}
}

// Left implements cuda.Preaggregation.
func (Strategy) Left(o cuda.Odds) float64 { return o.Lanes }

// Code implements cuda.Preaggregation.
func (Strategy) Code() []string { return nil }

// Scratch implements cuda.Preaggregation.
func (Strategy) Scratch() int { return 0 }
