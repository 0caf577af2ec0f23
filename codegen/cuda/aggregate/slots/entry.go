package slots

import (
	"fmt"
	"strconv"

	"github.com/cubeloom/cubeloom/codegen/cuda"
)

// declare declares what slots have in shared memory.
func (s *Slots) declare(e *cuda.Entry) {
	count, replicas := s.count(e), s.replicas(e)
	e.Line("extern __shared__ u32 shared_words[];")
	e.Line("const u32 stride = (u32)(%s * %s);", count, replicas)
	e.Line("const u32 planes = %s;", s.planes(e))
	e.Line("u32* const owners = shared_words + planes * stride;")
}

// planes are those that a block has: without high words where it needs none.
func (s *Slots) planes(e *cuda.Entry) string {
	all := strconv.Itoa(s.Layout.Planes)
	if s.narrows() {
		return fmt.Sprintf("%s ? %d : %s", s.narrow(e), s.Layout.Planes-s.Layout.Highs, all)
	}
	return all
}

// high is the value of Slots.high.
func (s *Slots) high(e *cuda.Entry) string {
	if s.narrows() {
		return fmt.Sprintf("%s ? 0 : %s", s.narrow(e), s.Layout.HighWord())
	}
	return s.Layout.HighWord()
}

func (s *Slots) narrow(e *cuda.Entry) string {
	return e.Arg(argNarrow, "u64", "1 where what a block adds to a sum of small numbers fits a word")
}

func (s *Slots) count(e *cuda.Entry) string {
	return e.Arg(argSlots, "u64", "slots in shared memory")
}

func (s *Slots) replicas(e *cuda.Entry) string {
	return e.Arg(argReplicas, "u64", "replicas of each slot")
}

// firstCell is the first cell whose rows count.
func (s *Slots) firstCell(e *cuda.Entry) string {
	if !s.Ranges {
		return "0"
	}
	return "(u32)" + e.Arg(argFirstCell, "u64", "first cell whose rows count")
}

// ofEach writes that each cell has a slot.
func (s *Slots) ofEach(e *cuda.Entry) {
	e.Line("%s", placesOfEach)
	e.Line("local = active;")
}

// placesOfEach finds the places of cells each of which has a slot.
const placesOfEach = "ROWS at[r] = replica_of(slots, cell[r] - slots.first);"

// cellsOfRange finds the cells of the rows, and leaves rows out of other ranges.
func (s *Slots) cellsOfRange(e *cuda.Entry) {
	s.DenseCells(e)
	if s.Ranges {
		s.keepRange(e)
	}
}

// keepRange leaves rows out whose cells are not in the range.
func (s *Slots) keepRange(e *cuda.Entry) {
	size := e.Arg(argRangeCells, "u64", "cells whose rows count")
	e.Begin("if (%s != %s)", size, e.Arg(cuda.Arg{Kind: cuda.ArgCells}, "u64", "cells"))
	e.Line("u32 in_range = 0;")
	e.Line("ROWS set(in_range, r, cell[r] - slots.first < (u32)%s);", size)
	e.Line("active &= in_range;")
	e.End()
}

// overOwned goes over the slots that have an owner: a cell plus one, 0 for none.
func (s *Slots) overOwned(e *cuda.Entry, owner string, each func()) {
	e.Line("__syncthreads();")
	e.Begin("for (u32 slot = threadIdx.x; slot < slots.count; slot += T)")
	e.Line("const u32 owner = %s;", owner)
	e.Line("if (owner == 0) continue;")
	e.Line("const u32 cell = owner - 1;")
	each()
	e.End()
}
