// Package warp is what the strategies of preaggregation share: how numbers move between
// the lanes of a warp, and what that costs.
package warp

import (
	_ "embed"
	"fmt"
	"math"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// Moved is the device code that moves numbers between lanes, and Tree that which joins
// those of several sets of lanes.
var (
	//go:embed moved.cuh
	Moved string
	//go:embed tree.cuh
	Tree string
)

// Costs are what a strategy takes for a row, in the time in which the memory gives a byte:
// to find the peers, and to join numbers of so many words.
type Costs struct {
	Find float64
	Join func(words float64) float64
}

// Offer is the offer of a strategy that leaves so many additions of a warp's.
func Offer(g *cuda.Grouping, a *cuda.Adding, additions float64, c Costs) strategy.Offer {
	joins := min(cuda.Lanes-additions, 1) // the share of the times that some lanes have peers
	each := c.Find
	for _, words := range g.JoinedWords() {
		each += joins * c.Join(float64(words))
	}
	return strategy.Offer{
		Cost:   a.Cost(additions) + g.Device().Bytes(g.Rows*each),
		Detail: fmt.Sprintf("%.3g additions of %d rows", additions, cuda.Lanes),
	}
}

// TreeCosts are those of Tree, where additions are left of a warp's.
func TreeCosts(g *cuda.Grouping, additions, find float64) Costs {
	figures := &g.Device().Groups
	rounds := math.Ceil(math.Log2(cuda.Lanes/additions + 1))
	return Costs{Find: find, Join: func(words float64) float64 {
		return rounds * (words*figures.Shuffle + 2*figures.Vote)
	}}
}

// steps are those in which the numbers of all lanes are joined.
const steps = 5

// AllCosts are those of joining the numbers of all lanes, where moving a word costs so much.
func AllCosts(find, word float64) Costs {
	return Costs{Find: find, Join: func(words float64) float64 { return steps * words * word }}
}
