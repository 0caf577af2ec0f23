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

// IncludeCode adds the device code of slots that are found otherwise than here.
func IncludeCode(g *cuda.Grouping) {
	g.Include(code)
	g.Include(terms)
}

// lightRows is how many rows a thread holds of an aggregation that takes few registers, shortRows of one whose
// rows take hardly any. With hashing, rows wait for others of their thread, but for those with sparse slots.
const (
	lightRows = 8
	shortRows = 16
)

// Render writes the entries that accumulate by way of the slots.
func (s *Slots) Render() {
	s.SetThreads(s.blockThreads())
	switch {
	case s.hasLargeTiles():
		s.SetRows(shortRows)
	case s.IsLight() || s.hasLightKeys():
		s.SetRows(lightRows)
	}
	IncludeCode(s.Grouping)
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
	if s.keyWords() == 0 {
		s.Accumulate(cuda.Tier{Slots: true, Open: s.openHashed, Locate: s.locateHashed, Flush: s.flush})
		return
	}
	second := s.TableTier()
	s.Accumulate(cuda.Tier{Slots: true, Open: s.openKeyed, Locate: s.locateKeyed, Flush: s.flushKeyed, Second: &second})
}

// openDense declares the slots of cells and empties them.
func (s *Slots) openDense(e *cuda.Entry) {
	s.declare(e)
	owned := e.Arg(argOwned, "u64", "1 where cells share slots")
	e.Line("const Slots slots = {shared_words, owners, %s != 0, stride, %s, (u32)%s, (u32)%s, %s};", owned, s.high(e), s.count(e), s.replicas(e), s.firstCell(e))
	e.Line("clear(slots, planes * stride + (u32)(%s * %s));", owned, s.count(e))
}

// openHashed declares the slots of the cells of a table and empties them.
func (s *Slots) openHashed(e *cuda.Entry) {
	s.openTable(e)
	e.Line("clear(slots, planes * stride + (u32)%s);", s.count(e))
}

// openKeyed declares the slots of keys and empties them.
func (s *Slots) openKeyed(e *cuda.Entry) {
	s.openTable(e)
	count := s.count(e)
	if s.keyWords() == 1 {
		e.Line("const Table own = {(u64*)owners, nullptr, %s - 1};", count)
		e.Line("clear(slots, planes * stride, 2 * (u32)%s);", count)
		return
	}
	e.Line("const Table own = {(u64*)(owners + %s), owners, %s - 1};", count, count)
	e.Line("clear(slots, planes * stride + (u32)%s);", count)
}

// openTable declares the slots and the table of the groups.
func (s *Slots) openTable(e *cuda.Entry) {
	s.declare(e)
	e.Line("const Slots slots = {shared_words, owners, true, stride, %s, (u32)%s, (u32)%s, 0};", s.high(e), s.count(e), s.replicas(e))
	s.OpenTable(e)
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

// locateKeyed finds the cells of the rows and where they go by their keys.
func (s *Slots) locateKeyed(e *cuda.Entry) {
	e.Line("u32 cell[R], at[R];  // at: where in the slots, or the cell")
	rows := cuda.ActiveRows
	if s.isSparse() { // whose first slots are read of all rows together
		rows = cuda.AllRows
	}
	e.Line("const u32 local = locate<%t, %s>(slots, own, table, active, key, cell, at, new_groups, lost);", s.isSparse(), s.KeysOfRows(e, rows))
}

// locateHashed finds the cells of the rows in the table, and then the slots of cells.
func (s *Slots) locateHashed(e *cuda.Entry) {
	e.Line("u32 cell[R], at[R], local = 0;  // at: where in the slots, or the cell")
	s.FindGroups(e)
	e.Line("ROWS if (bit(active, r)) set(local, r, locate(slots, cell[r], at[r]));")
}

// flushKeyed goes over the slots that have a key, and finds their cells.
func (s *Slots) flushKeyed(e *cuda.Entry, each func()) {
	e.Line("__syncthreads();")
	e.Begin("for (u32 slot = threadIdx.x; slot < slots.count; slot += T)")
	s.FindOther(e, "own.keys", "own.state", "slot")
	each()
	e.End()
}

// flush goes over the slots that have an owner.
func (s *Slots) flush(e *cuda.Entry, each func()) {
	s.overOwned(e, "slots.owned ? slots.owners[slot] : slots.first + slot + 1", each)
}
