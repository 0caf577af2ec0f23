// Package grid is the form in which the matches of all tiles are counted first, and blocks
// take even shares of all of them, whichever rows these are of: within a block as in package
// block.
package grid

import (
	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/expand/block"
	"github.com/cubeloom/cubeloom/codegen/cuda/expand/staged"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// Form is cuda.Sharing.
type Form struct{}

// Name implements cuda.Expander.
func (Form) Name() string { return "grid" }

// Shares implements cuda.Sharing.
func (Form) Shares() {}

// Offer implements cuda.Expander.
func (Form) Offer(x *cuda.Expansion) strategy.Offer {
	if why := x.CannotShare(); why != "" {
		return strategy.Offer{Refusal: why}
	}
	offer := block.Form{}.Offer(x)
	if x.Behind.Private {
		offer.Detail = cuda.AsInBlock
		return offer
	}
	figures := &x.Device().Expand
	offer.Cost = figures.CountStart + x.Behind.Start + block.Dealing(x) + x.AddingNear() + x.Device().Bytes(x.Fanout.Source*figures.Counted)
	return offer
}

// Stages implements cuda.Expander.
func (Form) Stages() bool { return true }

// Defers implements cuda.Expander.
func (Form) Defers() bool { return false }

// Render implements cuda.Expander.
func (Form) Render(x *cuda.Expansion) {
	s := staged.Count(x)
	if !x.Shared() {
		s.Deal()
		return
	}
	done := x.Temp("done")
	x.Line("u64 %s = 0;  // matches of rows that have waited", done)
	s.Rounds(func() {
		x.Line("const u32 from_match = clamp(lo, %s, %s), to_match = clamp(hi, %s, %s);", done, s.Total(), done, s.Total())
		x.Line("%s += %s;", done, s.Total())
		x.Begin("if (from_match < to_match)")
		s.DealOut("from_match", "to_match")
		x.End()
	})
}
