// Package radix is the strategy of dividing rows by their keys before they are grouped (radix
// partitioning): those of a part of the table of groups lie side by side then, and a block groups them in
// its shared memory. A part has a place in the table, so that its groups lie in their slots when the block
// has stored it.
package radix

import (
	"fmt"
	"math/bits"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// Strategy is cuda.Strategy.
type Strategy struct{}

// Name implements cuda.Strategy.
func (Strategy) Name() string { return "radix" }

// radix is the strategy of an aggregation.
type radix struct{ *cuda.Grouping }

func (x radix) figures() *machine.Groups { return &x.Device().Groups }

// threads is the size of a block.
const threads = 512

// What a number takes in memory, the number of a part's rows in the shared memory of a block that counts
// them, and that of a row in one that deals them out.
const (
	wordBytes  = 8
	countBytes = 4
	orderBytes = 2
)

// mostParts is how many parts there are at most: a block that deals rows out has two numbers of each in
// its shared memory, which take a third of it.
func (x radix) mostParts() int64 { return floorPow2(x.figures().WideBytes / 3 / wordBytes) }

// room is how many rows wait in a block to be written by part, in what is left.
func (x radix) room() int64 {
	left := x.figures().WideBytes - wordBytes*x.mostParts()
	return floorPow2(left / int64(x.DealtBytes()+orderBytes))
}

// slotBytes is what a group takes in shared memory.
func (x radix) slotBytes() int64 { return wordBytes + 4*int64(x.Layout.Planes) }

// partSlots is how many slots a part has, an even number, unless there are too many parts.
func (x radix) partSlots() int64 { return max(floorPow2(x.figures().PartBytes/x.slotBytes()), 2) }

// mostSlots is how many slots a table has at most whose parts fit the shared memory of a block.
func (x radix) mostSlots() float64 {
	return float64(x.mostParts()) * float64(floorPow2(x.figures().WideBytes/x.slotBytes()))
}

func floorPow2(n int64) int64 { return 1 << (bits.Len64(uint64(max(n, 1))) - 1) }

// Offer implements cuda.Strategy. The source is read once more than else, each row is written to its part
// and read there, and each slot of the table is written once.
func (Strategy) Offer(g *cuda.Grouping) strategy.Offer {
	x := radix{g}
	if refusal := x.refusal(); refusal != "" {
		return strategy.Offer{Refusal: refusal}
	}
	figures := x.figures()
	again := g.Places() * float64(figures.Pass+g.RowBytes())
	each := float64(2*x.DealtBytes()) + float64(figures.Dealt+figures.Parted) + float64(int64(len(g.Layout.State))*figures.SlotAdd)
	slots := tableSlots * max(g.Estimate(), float64(x.partSlots()))
	written := slots * float64(wordBytes+g.Layout.CellBytes())
	return strategy.Offer{
		Cost:   g.Device().Bytes(again+g.Rows*each+written) + entries*figures.Compact,
		Detail: fmt.Sprintf("parts of %d groups at most, rows of %d bytes", x.partSlots(), x.DealtBytes()),
	}
}

// tableSlots is about how many slots a table has for each group, and entries how many the strategy has
// more than others.
const (
	tableSlots = 2
	entries    = 3
)

// refusal says why the strategy does not apply, or is "".
func (x radix) refusal() string {
	_, scans := x.Func().Source.(*kernel.Scan)
	switch {
	case x.Layout.Dense:
		return "it takes a table of groups"
	case x.Layout.KeyWords != 1 || x.HasTextKey():
		return "it takes keys of one word, which is no text"
	case x.Layout.SecondPass:
		return "rows are gone over once more when all of a group are known"
	case x.ThreadsChosen():
		return fmt.Sprintf("group_threads says how many threads a block has, and its blocks have %d", threads)
	case len(x.Func().Inputs) != 1 || !scans || x.Func().GroupsSource() >= 0:
		return "it takes rows of a table that are cheap to go over again"
	case x.DealtBytes() == 0:
		return "a row has values of more than 128 bits"
	case x.LikelySlots() > x.mostSlots():
		return fmt.Sprintf("a table with %.0f slots has too many for %d parts", x.LikelySlots(), x.mostParts())
	case x.room() < 2*int64(threads*x.TileRows()):
		return fmt.Sprintf("a row takes %d bytes, of which too few wait in shared memory", x.DealtBytes())
	}
	return ""
}

// Adding implements cuda.Strategy.
func (Strategy) Adding(*cuda.Grouping) cuda.Adding {
	return cuda.Adding{Refusal: "a block has the groups of its part for itself", Deals: true}
}
