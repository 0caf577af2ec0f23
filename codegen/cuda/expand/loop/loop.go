// Package loop is the form in which each thread takes the matches of its own rows, one
// after the other (the first kernel of Meinke 2015, section 4.2). The threads of a warp
// wait for that with the most, or those of the block where what follows has them meet.
package loop

import (
	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// Form is cuda.Expander.
type Form struct{}

// Name implements cuda.Expander.
func (Form) Name() string { return "loop" }

// Offer implements cuda.Expander.
func (Form) Offer(x *cuda.Expansion) strategy.Offer {
	figures, f := &x.Device().Expand, &x.Fanout
	turns := f.WarpTurns * figures.WarpTurn
	if x.Waits() {
		turns = f.BlockTurns * figures.BlockTurn
	}
	lanes := f.Apart*x.Far()*figures.Apart + (f.Matches-f.Apart)*figures.Same/max(x.Behind.Replicas, 1)
	shared := x.Device().Bytes(turns+lanes) + x.Adding()
	return strategy.Offer{Cost: figures.LoopStart + x.Behind.Start + f.Longest*x.Turn() + shared*x.Idle()}
}

// Stages implements cuda.Expander.
func (Form) Stages() bool { return false }

// Defers implements cuda.Expander.
func (Form) Defers() bool { return false }

// Render implements cuda.Expander.
func (Form) Render(x *cuda.Expansion) {
	pending := x.Temp("pending")
	x.Line("u32 %s = active;", pending)
	meet := "__any_sync(~0u, %s)"
	if x.Waits() {
		meet = "__syncthreads_or(%s)"
	}
	if x.Probe.Kind == kernel.ProbeLeft {
		left(x, pending, meet)
		return
	}
	x.Begin("while ("+meet+")", pending)
	x.Line("u32 active = %s;", pending)
	x.Pairs(x.At, "", "")
	x.Line("ROWS if (%s[r]++ >= %s[r]) %s &= ~(1u << r);", x.At, x.Last, pending)
	x.End()
}

// left is the loop of a left join: a row leaves after an iteration without a match unless
// it has had one.
func left(x *cuda.Expansion, pending, meet string) {
	matched, step := x.Temp("matched"), x.Temp("step")
	x.Line("u32 %s = 0;", matched)
	x.Begin("while ("+meet+")", pending)
	x.Line("u32 active = %s, %s = 0;", pending, step)
	x.Line("ROWS set(%s, r, bit(active, r) && %s[r] != 0);", step, x.At)
	x.Pairs(x.At, "~"+step+" & ~"+matched, matched)
	x.Advance(step)
	x.Line("%s &= %s;", pending, step)
	x.Line("ROWS if (%s[r] == 0) %s &= ~(bit(%s, r) ? 1u << r : 0);", x.At, pending, matched)
	x.End()
}
