// Package block is the form in which the matches of the rows of a tile are counted, and
// the threads of the block take them evenly (the load balance of Meinke 2015, section 4.3,
// within a block).
package block

import (
	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/expand/staged"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// Form is cuda.Expander.
type Form struct{}

// Name implements cuda.Expander.
func (Form) Name() string { return "block" }

// Offer implements cuda.Expander.
func (Form) Offer(x *cuda.Expansion) strategy.Offer {
	if why := staged.Refusal(x); why != "" {
		return strategy.Offer{Refusal: why}
	}
	start := x.Device().Expand.BlockStart + x.Behind.Start
	return strategy.Offer{Cost: start + (Dealing(x)+x.Adding())*x.Idle() + Alone(x, x.Fanout.Heaviest)}
}

// Dealing is what it takes to have rows wait, and to deal their matches out, if all
// blocks have as many of them, in nanoseconds.
func Dealing(x *cuda.Expansion) float64 {
	figures := &x.Device().Expand
	return x.Device().Bytes(x.Fanout.Rows*figures.Staged + x.Fanout.Matches*figures.Dealt)
}

// Alone is what so many matches take that one block deals out when the others have none left,
// in nanoseconds: it waits for memory, or has all it can do.
func Alone(x *cuda.Expansion, matches float64) float64 {
	figures := &x.Device().Expand
	busy := x.Device().Bytes(figures.Dealt) * float64(figures.Multiprocessors)
	return matches * max(x.Turn()/(figures.Underway*x.Behind.Blocks()), busy)
}

// Stages implements cuda.Expander.
func (Form) Stages() bool { return true }

// Defers implements cuda.Expander.
func (Form) Defers() bool { return false }

// Render implements cuda.Expander.
func (Form) Render(x *cuda.Expansion) { staged.Count(x).Deal() }
