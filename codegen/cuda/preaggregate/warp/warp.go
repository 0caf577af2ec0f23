// Package warp is what the strategies of preaggregation share: how numbers move between
// the lanes of a warp, and what that costs.
package warp

import (
	_ "embed"
	"fmt"
	"math"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// Moved is the device code that moves numbers between lanes, and Tree that which joins
// those of several sets of lanes.
var (
	//go:embed moved.cuh
	Moved string
	//go:embed tree.cuh
	Tree string
)

// Costs are what a strategy takes for a lane, with a row or without, in the time in which the memory gives a byte:
// to find the peers, and to join numbers of so many words.
type Costs struct {
	Find float64
	Join func(words float64) float64
}

// Strategy is a cuda.Preaggregation of these parts.
type Strategy struct {
	Title     string
	Remaining func(o cuda.Odds) float64                       // additions of a warp's lanes
	Costs     func(figures *machine.Groups, of float64) Costs // where one addition is left of so many
	Parts     []string                                        // the device code
	Words     int                                             // of static shared memory that a warp has
}

// Name implements cuda.Preaggregation.
func (s Strategy) Name() string { return s.Title }

// Left implements cuda.Preaggregation.
func (s Strategy) Left(o cuda.Odds) float64 { return s.Remaining(o) }

// Code implements cuda.Preaggregation.
func (s Strategy) Code() []string { return s.Parts }

// Scratch implements cuda.Preaggregation.
func (s Strategy) Scratch() int { return s.Words }

// Offer implements cuda.Preaggregation.
func (s Strategy) Offer(g *cuda.Grouping, a *cuda.Adding) strategy.Offer {
	odds := g.Odds()
	additions := s.Remaining(odds)
	c := s.Costs(&g.Device().Groups, odds.Lanes/additions)
	joins := min(odds.Lanes-additions, 1) // the share of the times that some lanes have peers
	each := c.Find
	for _, words := range g.JoinedWords() {
		each += joins * c.Join(float64(words))
	}
	return strategy.Offer{
		Cost:   a.Cost(additions) + g.Device().Bytes(g.Places()*each),
		Detail: fmt.Sprintf("%.3g additions of %.3g rows", additions, odds.Lanes),
	}
}

// TreeCosts are those of Tree, where one addition is left of so many.
func TreeCosts(figures *machine.Groups, of, find float64) Costs {
	iterations := math.Ceil(math.Log2(of + 1))
	return Costs{Find: find, Join: func(words float64) float64 {
		return iterations * (words*figures.Shuffle + 2*figures.Vote)
	}}
}

// steps are those in which the numbers of all lanes are joined.
const steps = 5

// AllCosts are those of joining the numbers of all lanes, where moving a word costs so much.
func AllCosts(find, word float64) Costs {
	return Costs{Find: find, Join: func(words float64) float64 { return steps * words * word }}
}
