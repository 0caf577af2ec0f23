package slots

import (
	"fmt"
	"math"

	"github.com/cubeloom/cubeloom/codegen/cuda"
)

// Found is the share of the rows that are likely to find a slot.
func (s *Slots) Found() float64 {
	groups := s.Estimate()
	if cells := s.Cells(); cells > 0 && (groups == 0 || cells < groups) {
		groups = cells
	}
	if groups == 0 || !s.likelyOwned() {
		return 1
	}
	return s.foundOf(groups)
}

// foundOf is Found of so many groups, where cells or keys own slots.
func (s *Slots) foundOf(groups float64) float64 {
	if !s.Layout.Dense {
		groups *= competing
	}
	return min(s.slots()/groups, 1)
}

// competing is for how many slots there is one key at most, so that nearly all keys find a
// slot among the few where they look for one.
const competing = 2

// Cost is what it takes to accumulate the rows in slots that cells share, in nanoseconds
// of the device, where an addition to global memory takes so much, and finding a group in
// the table there as well.
func (s *Slots) Cost(global int64) float64 {
	found, arrays, figures := s.Found(), float64(len(s.Layout.State)), s.figures()
	near, far := found*arrays*float64(figures.SlotAdd), (1-found)*arrays*float64(global)
	if !s.Layout.Dense {
		far += (1 - found) * float64(global)
	}
	if !s.likelyOwned() {
		return s.Device().Bytes(s.Rows * (near + far))
	}
	// Slots are sought while rows before wait for memory, for all lanes of a warp at once.
	turns := s.Turns()
	rows := max(s.Rows*near+turns*float64(figures.SlotSought), s.Rows*far+turns*float64(figures.SlotPassed))
	if s.MarksValues() {
		rows += s.emptied() * arrays * float64(global)
	}
	return s.Device().Bytes(rows)
}

// likelyOwned reports whether cells share slots, as far as it is known, or likely where values are marked: how many
// entries dictionaries have the types of keys do not tell.
func (s *Slots) likelyOwned() bool {
	bytes := s.LikelyCells() * float64(4*s.Layout.Planes)
	return s.areOwned() || s.MarksValues() && bytes > float64(s.figures().BlockBytes)
}

// emptied is how many slots that cells share are added to the cells by all blocks together: a block of few rows
// has nearly as many groups. It is reckoned with where values are marked, which leaves few rows to add. Elsewhere the
// other strategy has been slower, for what it leaves to filters and to rows that wait (SSB Q4.3 at scale 10 takes 0.17 ms
// with slots and 0.52 without, docs/measurements/2026-11-30-marks.md).
func (s *Slots) emptied() float64 {
	blocks := float64(s.Device().Expand.Multiprocessors * s.Device().Filters.Resident / int64(s.Threads()))
	odds := cuda.Odds{Groups: s.Odds().Groups, Lanes: max(s.Rows/blocks, 1)}
	return blocks * min(s.slots(), odds.Distinct())
}

// slots is how many slots that cells share a block has.
func (s *Slots) slots() float64 {
	return float64(s.sharedBytes()) / float64(4*(s.Layout.Planes+s.ownerWords()))
}

// Global is what an addition to cells in global memory takes: those that the device's
// cache does not hold, with what is read beside them, are missed.
func (s *Slots) Global() int64 {
	if 2*float64(s.Layout.CellBytes())*max(s.Cells(), s.Estimate()) > float64(s.figures().CacheBytes) {
		return s.figures().Missed
	}
	return s.figures().Atomic
}

// Detail says how many cells there are.
func (s *Slots) Detail() string {
	switch cells := s.Cells(); {
	case !s.Layout.Dense:
		return "a table of groups"
	case cells > 0:
		return fmt.Sprintf("%.0f cells", cells)
	}
	return "cells by the entries of dictionaries"
}

// Adding is how rows are added to their cells.
func (s *Slots) Adding() cuda.Adding {
	cells := max(s.Cells(), 1)
	if !s.Layout.Dense {
		cells = max(s.Estimate(), 1)
	}
	replicas := float64(s.sharedBytes()) / (4 * float64(max(s.Layout.Planes, 1)) * cells)
	a := cuda.Adding{Slots: s.Found(), Replicas: min(max(replicas, 1), maxReplicas), Full: s.hasAll()}
	if s.likelyOwned() {
		a.Found = s.foundOf
	}
	return a
}

// likelyPaged is the share of the rows that find their page in a frame where an estimate
// has more groups than there are slots: it takes keys for independent of each other, and
// facts have few of their combinations.
const likelyPaged = 0.5

// foundPaged is the share of the rows that are likely to find their page in a frame.
func (s *Slots) foundPaged() float64 {
	slots := float64(s.figures().WideBytes-s.StagedBytes()) / float64(4*s.Layout.Planes)
	groups := s.Cells()
	if n := s.Estimate(); n > 0 {
		groups = min(n, groups)
	}
	return min(max(slots/groups, likelyPaged), 1)
}

// foundInPages is the share of the rows that find their page in a frame, where a block adds to so
// many of the cells, which lie anywhere among them.
func (s *Slots) foundInPages(groups float64) float64 {
	page := max(math.Exp2(math.Ceil(math.Log2(s.Cells()/maxPages))), minPage)
	pages := s.Cells() / page
	frames := float64(s.figures().WideBytes-s.StagedBytes()) / (page * float64(4*s.Layout.Planes))
	found := min(frames/(pages*-math.Expm1(-groups/pages)), 1)
	if len(s.Keys()) > 1 {
		return max(found, likelyPaged)
	}
	return found
}

// PagedCost is what it takes to accumulate the rows in slots that pages own, as Cost.
func (s *Slots) PagedCost() float64 {
	found, figures := s.foundPaged(), s.figures()
	each := found*float64(figures.SlotAdd) + (1-found)*float64(s.Global())
	return s.Device().Bytes(s.Rows * (float64(figures.SlotPaged) + float64(len(s.Layout.State))*each))
}

// LargeAdding is how rows are added to their cells in large blocks.
func (s *Slots) LargeAdding() cuda.Adding {
	if !s.Layout.Dense {
		a := s.Adding()
		a.Large = true
		return a
	}
	if s.Ranges || s.Bytes() <= float64(s.figures().WideBytes-s.StagedBytes()) {
		return cuda.Adding{Slots: 1, Full: true, Large: true}
	}
	return cuda.Adding{Slots: s.foundPaged(), Replicas: 1, Large: true, Found: s.foundInPages}
}
