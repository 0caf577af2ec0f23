package slots

import (
	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

// The cells of a page at least, and how many pages there are at most: the block has a word
// for each.
const (
	leastPage = 32
	mostPages = 1 << 12
)

// openPaged declares the slots of a large block and empties them.
func (s *Slots) openPaged(e *cuda.Entry) {
	s.declare(e)
	page := e.Arg(argPage, "u64", "cells of a page, 0 where there is a slot for each cell")
	pages := e.Arg(argPages, "u64", "pages of cells")
	e.Line("const Slots slots = {shared_words, owners, false, stride, (u32)%s, (u32)%s, %s};", s.count(e), s.replicas(e), s.firstCell(e))
	e.Line("const Pages pages = pages_of(owners, (u32)%s, (u32)%s, slots.count);", page, pages)
	e.Line("clear(slots, %d * stride + (pages.within ? (u32)%s + pages.frames + 1 : 0));", s.Layout.Planes, pages)
}

// locatePaged finds the cells of the rows and where they go.
func (s *Slots) locatePaged(e *cuda.Entry) {
	s.cellsOfRange(e)
	e.Line("u32 at[R], local = 0;  // where in the slots, or the cell")
	e.Begin("if (pages.within)")
	e.Begin("ROWS")
	e.Line("at[r] = cell[r];")
	e.Line("if (bit(active, r)) set(local, r, locate(pages, cell[r] - slots.first, at[r]));")
	e.End()
	e.Else()
	s.ofEach(e)
	e.End()
}

// flushPaged goes over the slots of pages.
func (s *Slots) flushPaged(e *cuda.Entry, each func()) {
	s.overOwned(e, "pages.within ? owner_of(pages, slot) : slot + 1", each)
}

// paged has pages of cells own the slots of a large block, and combines the rows of those
// that have none in the device's cache; with Ranges one range of the cells after the other,
// where it does not hold them all.
func paged(p *Planner, cells, room launch.Expr) {
	rangeCells, ranges := p.cached(cells)
	page := p.Set(p.Value("page"), expr.Max(expr.CeilPow2(expr.Div(rangeCells, launch.Int(mostPages))), launch.Int(leastPage)))
	pages := p.Set(p.Value("pages"), expr.CeilDiv(rangeCells, page))
	left := expr.Minus(room, expr.Times(launch.Int(4), expr.Plus(pages, launch.Int(1))))
	frame := expr.Plus(expr.Times(launch.Int(4*p.Layout.Planes), page), launch.Int(4))
	frames := expr.Min(expr.Div(left, frame), pages)
	p.note("slots that pages of cells own", ranges)
	p.setLayout(layout{expr.Times(frames, page), launch.Int(0), rangeCells})
}

// pageBytes is the shared memory that pages take beside the slots.
func (p *Planner) pageBytes(slots launch.Expr) launch.Expr {
	page, pages := p.Value("page"), p.Value("pages")
	words := expr.Plus(expr.Plus(pages, expr.Div(slots, expr.Max(page, launch.Int(1)))), launch.Int(1))
	return expr.Select(page, expr.Times(launch.Int(4), words), launch.Int(0))
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

// PagedCost is what it takes to accumulate the rows in slots that pages own, as Cost.
func (s *Slots) PagedCost() float64 {
	found, figures := s.foundPaged(), s.figures()
	each := found*float64(figures.SlotAdd) + (1-found)*float64(s.Global())
	return s.Device().Bytes(s.Rows * (float64(figures.SlotPaged) + float64(len(s.Layout.State))*each))
}

// LargeAdding is how rows are added to their cells in large blocks.
func (s *Slots) LargeAdding() cuda.Adding {
	if !s.Layout.Dense {
		return s.Adding()
	}
	if s.Ranges || s.Bytes() <= float64(s.figures().WideBytes-s.StagedBytes()) {
		return cuda.Adding{Slots: 1, Full: true}
	}
	return cuda.Adding{Slots: s.foundPaged(), Replicas: 1}
}
