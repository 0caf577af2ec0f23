package slots

import "github.com/cubeloom/cubeloom/codegen/cuda"

// openPaged declares the slots of a large block and empties them.
func (s *Slots) openPaged(e *cuda.Entry) {
	s.declare(e)
	page := e.Arg(argPage, "u64", "cells of a page, 0 where there is a slot for each cell")
	pages := e.Arg(argPages, "u64", "pages of cells")
	e.Line("const Slots slots = {shared_words, owners, false, stride, %s, (u32)%s, (u32)%s, %s};", s.high(e), s.count(e), s.replicas(e), s.firstCell(e))
	e.Line("const Pages cell_pages = pages_of(owners, (u32)%s, (u32)%s, slots.count);", page, pages)
	e.Line("clear(slots, planes * stride + (cell_pages.within ? (u32)%s + cell_pages.frames + 1 : 0));", pages)
}

// locatePaged finds the cells of the rows and where they go.
func (s *Slots) locatePaged(e *cuda.Entry) {
	s.cellsOfRange(e)
	e.Line("u32 at[R], local = 0;  // where in the slots, or the cell")
	e.Begin("if (cell_pages.within)")
	e.Begin("ROWS")
	e.Line("at[r] = cell[r];")
	e.Line("if (bit(active, r)) set(local, r, locate(slots, cell_pages, cell[r], at[r]));")
	e.End()
	e.Else()
	s.ofEach(e)
	e.End()
}

// flushPaged goes over the slots of pages.
func (s *Slots) flushPaged(e *cuda.Entry, each func()) {
	s.overOwned(e, "cell_pages.within ? owner_of(slots, cell_pages, slot) : slots.first + slot + 1", each)
}
