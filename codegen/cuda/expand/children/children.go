// Package children is the form in which a block deals the matches of its rows out to its
// threads, as in package block, but launches a kernel for rows that have too many of all
// matches (Meinke 2015, chapter 4, with the launches of today: fire and forget).
package children

import (
	_ "embed"
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/expand/block"
	"github.com/cubeloom/cubeloom/codegen/cuda/expand/staged"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

//go:embed children.cuh
var code string

// Form is cuda.Expander.
type Form struct{}

// Name implements cuda.Expander.
func (Form) Name() string { return "children" }

// Offer implements cuda.Expander.
func (Form) Offer(x *cuda.Expansion) strategy.Offer {
	if why := x.CannotLaunch(); why != "" {
		return strategy.Offer{Refusal: why}
	}
	offer := block.Form{}.Offer(x)
	for _, f := range x.Fields() {
		if f.Bytes() == 0 {
			return strategy.Offer{Refusal: fmt.Sprintf("values of type %s do not wait for other kernels", f.Type)}
		}
	}
	if x.Behind.Private {
		offer.Detail = cuda.AsInBlock
		return offer
	}
	figures := &x.Device().Expand
	dealing := (1 + figures.Handed) * (block.Dealing(x) + x.Adding())
	kept, handing := x.Fanout.Heaviest, dealing*(x.Idle()-1)
	if handed := max(float64(figures.ChildMatches), x.Fanout.Matches/float64(figures.Children*figures.Multiprocessors)); kept > handed {
		kept = float64(figures.ChildMatches) // others are likely to have fewer than what is handed over
		handing = x.Behind.Start + x.TilesAbove(handed)*figures.Launched
	}
	offer.Cost = figures.ChildStart + x.Behind.Start + dealing + handing + block.Alone(x, kept)
	return offer
}

// Stages implements cuda.Expander.
func (Form) Stages() bool { return true }

// Defers implements cuda.Expander.
func (Form) Defers() bool { return true }

// Render implements cuda.Expander.
func (Form) Render(x *cuda.Expansion) {
	s := staged.Count(x)
	if !x.MayDefer() {
		s.Deal()
		return
	}
	x.Include(code)
	if x.Probe.Pages.Rows > 0 {
		renderPages(s)
		return
	}
	h := x.Defer(s.Bytes())
	if x.IsChild() {
		x.Keep(func() { resume(s, h) })
		return
	}
	x.Line("__shared__ u64 handed;  // the place of the rows that are handed over")
	s.Rounds(func() {
		x.Line("u32 last = %s;", s.Total())
		x.Line("if (threadIdx.x == 0) handed = take_place(%s, %s, %s, last);", h.Counts, h.Number, h.Min)
		x.Line("__syncthreads();")
		x.Begin("if (handed != NO_PLACE)")
		deferRows(s, h)
		x.End()
		s.DealOut("0", "last")
	})
}

// deferRows writes the launch of a kernel for the rows that wait. Where it is refused the
// block deals out their matches itself.
func deferRows(s *staged.Rows, h cuda.Deferral) {
	s.Line("%s* const there = (%s*)%s + handed;", s.Type(), s.Type(), h.Places)
	s.Copy("there->", s.Space()+".")
	s.Line("__threadfence();")
	s.Line("__syncthreads();")
	s.Begin("if (threadIdx.x == 0)")
	s.Line("const u32 blocks = child_blocks(last, %s);", h.Blocks)
	s.Line("%s<<<blocks, T, %s, cudaStreamFireAndForget>>>(p, handed, rows);", h.Child, h.Shared)
	s.Line("if (!launched(%s, blocks)) handed = NO_PLACE;", h.Counts)
	s.End()
	s.Line("__syncthreads();")
	s.Line("if (handed != NO_PLACE) last = 0;")
}

// resume writes what the launched kernel does: each block deals out a share of the matches.
func resume(s *staged.Rows, h cuda.Deferral) {
	s.DeclareSpace()
	s.Line("const %s* const there = (const %s*)%s + number;", s.Type(), s.Type(), h.Places)
	s.Copy(s.Space()+".", "there->")
	s.Line("__syncthreads();")
	dealShare(s)
}
