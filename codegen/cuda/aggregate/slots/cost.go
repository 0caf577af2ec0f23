package slots

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// maxReplicas is the number of a warp's lanes.
const maxReplicas = 32

// ManyMatches is how many matches a row has at least of which the additions outweigh that
// shared memory leaves little cache for the tables where they are found.
const ManyMatches = 4

func (s *Slots) figures() *machine.Groups { return &s.Device().Groups }

// sharedBytes is the shared memory that slots which cells share and replicas take at
// most. What blocks leave of it is a multiprocessor's first cache.
func (s *Slots) sharedBytes() int64 {
	if s.Large {
		return s.figures().WideBytes - s.StagedBytes()
	}
	if len(s.Func().Inputs) > 1 && s.Matches() < ManyMatches {
		return s.figures().ProbingBytes
	}
	return s.figures().SlotBytes
}

// Bytes is the shared memory of a slot for every cell, 0 where their number is not known.
func (s *Slots) Bytes() float64 { return 4 * float64(s.Layout.Planes) * s.Cells() }

// Found is the share of the rows that are likely to find a slot.
func (s *Slots) Found() float64 {
	groups := s.Estimate()
	if cells := s.Cells(); cells > 0 && (groups == 0 || cells < groups) {
		groups = cells
	}
	if groups == 0 || !s.areOwned() {
		return 1
	}
	slots := float64(s.sharedBytes()) / float64(4*(s.Layout.Planes+1+2*s.keyWords()))
	if !s.Layout.Dense {
		groups *= competing
	}
	return min(slots/groups, 1)
}

// competing is for how many slots there is one key at most, so that nearly all keys find a
// slot among the few where they look for one.
const competing = 2

// areOwned reports whether cells or keys own slots as they come: not where it is known
// that there is one for every cell.
func (s *Slots) areOwned() bool {
	return !s.Layout.Dense || s.Bytes() > float64(s.figures().BlockBytes)
}

// hasAll reports whether it is known that a block of the usual size has a slot for every
// cell.
func (s *Slots) hasAll() bool {
	return s.Bytes() > 0 && s.Bytes() <= float64(s.figures().BlockBytes)
}

// Cost is what it takes to accumulate the rows in slots that cells share, in nanoseconds
// of the device, where an addition to global memory takes so much, and finding a group in
// the table there as well.
func (s *Slots) Cost(global int64) float64 {
	found, arrays := s.Found(), float64(len(s.Layout.State))
	each := arrays * (found*float64(s.figures().SlotAdd) + (1-found)*float64(global))
	if s.areOwned() {
		each += float64(s.figures().SlotSought)
	}
	if !s.Layout.Dense {
		each += (1 - found) * float64(global)
	}
	return s.Device().Bytes(s.Rows * each)
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
	return cuda.Adding{Slots: s.Found(), Replicas: min(max(replicas, 1), maxReplicas), Full: s.hasAll()}
}
