// Package slots is what the strategies share that accumulate in the shared memory of a
// block first: slots with replicas for the lanes of a warp, one for each cell or shared
// by cells that own them as they come. Rows that find no slot go to global memory.
package slots

import (
	_ "embed"

	"github.com/cubeloom/cubeloom/codegen/cuda"
)

// code is the device code of slots, terms that of what they hold, and keyed that of
// slots that keys own, and pages that of slots that pages of cells own.
var (
	//go:embed slots.cuh
	code string
	//go:embed terms.cuh
	terms string
	//go:embed keyed.cuh
	keyed string
	//go:embed pages.cuh
	pages string
)

// The arguments of the entries, beside those of all aggregations.
var (
	argSlots      = cuda.Arg{Kind: "slots"}       // slots of a block; a power of two where cells share them
	argReplicas   = cuda.Arg{Kind: "replicas"}    // of each slot, a power of two
	argOwned      = cuda.Arg{Kind: "owned"}       // dense: 0 where there is a slot for each cell of the range
	argPage       = cuda.Arg{Kind: "page"}        // of a large block: cells of a page, a power of two; 0 where there is a slot for each cell
	argPages      = cuda.Arg{Kind: "pages"}       // number of them
	argFirstCell  = cuda.Arg{Kind: "first_cell"}  // of a range: the first cell whose rows count
	argRangeCells = cuda.Arg{Kind: "range_cells"} // number of the cells whose rows count
)

// Slots are those of an aggregation.
type Slots struct {
	*cuda.Grouping
	Ranges bool // rows are gone over for one range of the cells after the other
	// Large says that a block has a multiprocessor for itself, and takes its shared memory.
	// Where it has not slots for all cells, pages of cells own them, and not cells.
	Large bool
}

// hasPages reports whether pages own slots where there are not slots for all cells.
func (s *Slots) hasPages() bool { return s.Large && s.Layout.Dense }

// maxKeyWords is how many words keys have at most that own slots; wider ones would take
// too many registers, and slots belong to their cells.
const maxKeyWords = 2

// keyWords is how many words of a key lie beside a slot; 0: slots belong to cells.
func (s *Slots) keyWords() int {
	if n := s.Layout.KeyWords; n <= maxKeyWords {
		return n
	}
	return 0
}

// lightRows is how many rows a thread holds of an aggregation that takes few registers.
// With hashing, rows wait for others of their thread.
const lightRows = 8

// Render writes the entries that accumulate by way of the slots.
func (s *Slots) Render() {
	if s.IsLight() {
		s.SetRows(lightRows)
	}
	s.Include(code)
	s.Include(terms)
	if s.hasPages() {
		s.Include(pages)
		s.Accumulate(cuda.Tier{Slots: true, Open: s.openPaged, Locate: s.locatePaged, Flush: s.flushPaged})
		return
	}
	if s.Layout.Dense {
		s.Accumulate(cuda.Tier{Slots: true, Full: s.hasAll(), Open: s.openDense, Locate: s.locateDense, Flush: s.flush})
		return
	}
	s.Include(keyed)
	t := cuda.Tier{Slots: true, Open: s.openKeyed, Locate: s.locateKeyed, Flush: s.flush, BlockWide: "filling > 0"}
	if s.keyWords() == 0 {
		t.Locate, t.BlockWide = s.locateHashed, "false"
	}
	s.Accumulate(t)
}

// openDense declares the slots of cells and empties them.
func (s *Slots) openDense(e *cuda.Entry) {
	s.declare(e)
	owned := e.Arg(argOwned, "u64", "1 where cells share slots")
	e.Line("const Slots slots = {shared_words, owners, %s != 0, stride, (u32)%s, (u32)%s, %s};", owned, s.count(e), s.replicas(e), s.firstCell(e))
	e.Line("clear(slots, %d * stride + (u32)(%s * %s));", s.Layout.Planes, owned, s.count(e))
}

func (s *Slots) declare(e *cuda.Entry) {
	count, replicas := s.count(e), s.replicas(e)
	e.Line("extern __shared__ u32 shared_words[];")
	e.Line("const u32 stride = (u32)(%s * %s);", count, replicas)
	e.Line("u32* const owners = shared_words + %d * stride;", s.Layout.Planes)
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

// openKeyed declares the slots of keys and empties them.
func (s *Slots) openKeyed(e *cuda.Entry) {
	s.declare(e)
	count := s.count(e)
	e.Line("u64* const slot_keys = (u64*)(owners + %s);", count)
	e.Line("const Slots slots = {shared_words, owners, true, stride, (u32)%s, (u32)%s, 0, slot_keys};", count, s.replicas(e))
	e.Line("clear(slots, %d * stride + %d * (u32)%s);", s.Layout.Planes, 1+2*s.keyWords(), count)
	s.OpenTable(e)
	if s.keyWords() > 0 {
		e.Line("i32 filling = FILLING;")
	}
	s.OpenCounts(e)
}

// locateDense finds the cells of the rows and where they go.
func (s *Slots) locateDense(e *cuda.Entry) {
	s.cellsOfRange(e)
	if s.hasAll() {
		e.Line("u32 at[R];  // where in the slots")
		e.Line("%s", placesOfEach)
		return
	}
	e.Line("u32 at[R], local = 0;  // where in the slots, or the cell")
	e.Begin("if (slots.owned)")
	e.Line("ROWS if (bit(active, r)) set(local, r, locate(slots, cell[r], at[r]));")
	e.Else()
	s.ofEach(e)
	e.End()
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

// locateKeyed finds the cells of the rows and where they go by their keys.
func (s *Slots) locateKeyed(e *cuda.Entry) {
	e.Line("u32 cell[R], at[R], local = 0;  // at: where in the slots, or the cell")
	e.Line("u64 key[R][%d];", s.keyWords())
	kind := s.EachKey(e, func(words []string) {
		for w, text := range words {
			e.Line("key[r][%d] = %s;", w, text)
		}
	})
	e.Line("local = locate<%s>(slots, table, active, key, cell, at, filling, new_groups, full);", kind)
}

// locateHashed finds the cells of the rows in the table, and then the slots of cells.
func (s *Slots) locateHashed(e *cuda.Entry) {
	e.Line("u32 cell[R], at[R], local = 0;  // at: where in the slots, or the cell")
	s.FindGroups(e)
	e.Line("ROWS if (bit(active, r)) set(local, r, locate(slots, cell[r], at[r]));")
}

// flush goes over the slots that have an owner.
func (s *Slots) flush(e *cuda.Entry, each func()) {
	s.overOwned(e, "slots.owned ? slots.owners[slot] : slot + 1", each)
}

// overOwned goes over the slots that have an owner: a cell plus one, counted from the first.
func (s *Slots) overOwned(e *cuda.Entry, owner string, each func()) {
	e.Line("__syncthreads();")
	e.Begin("for (u32 slot = threadIdx.x; slot < slots.count; slot += T)")
	e.Line("const u32 owner = %s;", owner)
	e.Line("if (owner == 0) continue;")
	e.Line("const u32 cell = slots.first + owner - 1;")
	each()
	e.End()
}
