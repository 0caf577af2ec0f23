package slots

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

// minKeyed is how many slots keys have at least, and slotsPerKey for how many there is
// one key, of those that are likely: keys compete for slots. Sparse slots are as many as
// slotsPerSparseKey, as far as there is room.
const (
	minKeyed          = 128
	slotsPerKey       = 8
	slotsPerSparseKey = 32
)

// maxRanges is how many ranges there are at most.
const maxRanges = 16

// tunedEighths is how much of a block's shared memory a tuner may have slots take at most: the
// kernel takes some, too.
const tunedEighths = 7

// layout is how the shared memory of a block is used. All of them are numbers of a
// launch plan.
type layout struct {
	slots, owned launch.Expr
	rangeCells   launch.Expr // cells of a range
}

// Planner plans the launches over slots.
type Planner struct {
	*cuda.Planner
	*Slots
	name string // of the strategy
	many Many
}

// Many lays out more cells than a block of the usual size has slots for.
type Many func(p *Planner, cells launch.Expr, each layout)

// Launches returns how the entries of a strategy are launched; many says what is done with more cells
// than a block of the usual size has slots for.
func (s *Slots) Launches(p *cuda.Planner, name string, many Many) cuda.Launches {
	x := &Planner{Planner: p, Slots: s, name: name, many: many}
	return cuda.Launches{
		Rows: func(cells, expected launch.Expr) {
			if !s.Ranges { // a tuner may have each chunk laid out anew
				p.Chunks(func() {
					x.layOut(cells, expected)
					p.Launch("aggregate", expr.Chunk).Shared = x.bytes(x.laidOut())
				})
				return
			}
			x.layOut(cells, expected)
			x.overRanges("aggregate", cells)
		},
		SecondPass: func(cells launch.Expr) { x.overRanges("aggregate_second", cells) },
	}
}

// layOut chooses how the cells are gone over, in ranges of rangeCells cells. There is a slot
// for every cell where there is room; else cells share slots, and those that have none
// are combined in the device's cache.
func (p *Planner) layOut(cells, expected launch.Expr) {
	p.narrow()
	if !p.Layout.Dense {
		p.keyed(cells, expected)
	} else {
		each := layout{expr.Even(cells), launch.Int(0), cells}
		p.When(expr.LessOrEqual(p.planeBytes(each.slots, launch.Int(1)), p.blockBytes()), func() {
			p.note("a slot for each cell", nil)
			p.set(each)
		}, func() { p.many(p, cells, each) })
	}
	p.replicate()
	slots, replicas, owned := p.laidOut()
	p.Number(argSlots, slots)
	p.Number(argReplicas, replicas)
	p.Number(argOwned, owned)
	if p.hasPages() {
		p.Number(argPage, p.Value("page"))
		p.Number(argPages, p.Value("pages"))
	}
}

// narrow sets whether what a block adds to a sum of small numbers fits a word: there are as many blocks as
// multiprocessors, or one for each tile.
func (p *Planner) narrow() {
	if !p.narrows() {
		return
	}
	rows := expr.Plus(expr.Chunk, expr.Times(expr.SMs, launch.Int(p.TileRows("aggregate"))))
	fits := expr.LessOrEqual(rows, expr.Times(expr.SMs, launch.Int(math.MaxUint32/p.MostSmall())))
	p.Number(argNarrow, p.Set(p.Value("narrow"), fits))
}

// planes is how many there are of a slot.
func (p *Planner) planes() launch.Expr {
	all := launch.Int(p.Layout.Planes)
	if !p.narrows() {
		return all
	}
	return expr.Minus(all, expr.Times(launch.Int(p.Layout.Highs), p.Value("narrow")))
}

// note says how the slots are used, with the number of ranges, nil for one.
func (p *Planner) note(how string, ranges launch.Expr) {
	if ranges != nil {
		how += ", ranges"
	}
	p.Note(p.name+": "+how, ranges)
}

// set has each cell or key a slot, or share it with others.
func (p *Planner) set(l layout) {
	if p.hasPages() {
		p.Set(p.Value("page"), launch.Int(0))
		p.Set(p.Value("pages"), launch.Int(0))
	}
	p.setLayout(l)
}

func (p *Planner) setLayout(l layout) {
	p.Set(p.Value("block_slots"), l.slots)
	p.Set(p.Value("owned"), l.owned)
	if p.Ranges {
		p.Set(p.Value("range_cells"), expr.Max(l.rangeCells, launch.Int(1)))
	}
}

// laidOut are the variables that layOut sets.
func (p *Planner) laidOut() (slots, replicas, owned launch.Expr) {
	return p.Value("block_slots"), p.Value("replicas"), p.Value("owned")
}

// bytes is the shared memory that slots take.
func (p *Planner) bytes(slots, replicas, owned launch.Expr) launch.Expr {
	owners := expr.Times(expr.Times(owned, launch.Int(4*p.ownerWords())), slots)
	bytes := expr.Plus(p.planeBytes(slots, replicas), owners)
	if p.hasPages() {
		bytes = expr.Plus(bytes, p.pageBytes(slots))
	}
	return bytes
}

// planeBytes is what their planes take.
func (p *Planner) planeBytes(slots, replicas launch.Expr) launch.Expr {
	return expr.Times(expr.Times(launch.Int(4), p.planes()), expr.Times(slots, replicas))
}

// keyed are the slots of a table's cells, or of the keys that are likely.
func (p *Planner) keyed(cells, expected launch.Expr) {
	few := expr.Min(cells, expr.CeilPow2(expr.Times(launch.Int(4), expected)))
	owner := "cells"
	switch {
	case p.isSparse():
		owner = "keys"
		few = expr.Max(expr.CeilPow2(expr.Times(launch.Int(slotsPerSparseKey), expected)), launch.Int(minKeyed))
	case p.keysOwn():
		owner = "keys"
		few = expr.Min(cells, expr.Max(expr.CeilPow2(expr.Times(launch.Int(slotsPerKey), expected)), launch.Int(minKeyed)))
	}
	p.note("slots that "+owner+" own", nil)
	p.set(p.shared(expr.Select(expected, few, cells), cells))
}

// shared are slots that cells share: so many, a power of two, as far as there is room.
func (p *Planner) shared(wanted, rangeCells launch.Expr) layout {
	fitting := expr.FloorPow2(expr.Div(p.roomOf(p.ownedBytes()), expr.Times(launch.Int(4), expr.Plus(p.planes(), launch.Int(p.ownerWords())))))
	return layout{expr.Max(expr.Min(wanted, fitting), launch.Int(2)), launch.Int(1), rangeCells}
}

// replicate makes as many replicas of the slots as there is room for.
func (p *Planner) replicate() {
	slots, _, owned := p.laidOut()
	room := p.room()
	if p.hasPages() {
		room = expr.Max(room, p.planeBytes(slots, launch.Int(1)))
	}
	each := expr.Minus(expr.Div(room, expr.Max(expr.Times(launch.Int(4), slots), launch.Int(1))), expr.Times(owned, launch.Int(p.ownerWords())))
	replicas := launch.Expr(launch.Int(1)) // of nothing, or of pages
	if p.Layout.Planes > 0 {
		most := expr.Select(expr.TunedReplicas, expr.FloorPow2(expr.TunedReplicas), launch.Int(maxReplicas))
		replicas = expr.Min(expr.FloorPow2(expr.Div(each, p.planes())), most)
	}
	if p.isSparse() {
		replicas = expr.Max(replicas, launch.Int(1)) // there is room for more slots than for replicas
	}
	if p.hasPages() {
		replicas = expr.Select(p.Value("page"), launch.Int(1), replicas)
	}
	p.Set(p.Value("replicas"), replicas)
}

// overRanges launches an entry over all rows, once for each range of the cells.
func (p *Planner) overRanges(entry string, cells launch.Expr) {
	shared := p.bytes(p.laidOut())
	if !p.Ranges {
		p.Chunks(func() { p.Launch(entry, expr.Chunk).Shared = shared })
		return
	}
	rangeCells, first := p.Value("range_cells"), p.Let("first", launch.Int(0))
	p.Loop(func() {
		p.Number(argFirstCell, first)
		p.Number(argRangeCells, expr.Min(rangeCells, expr.Minus(cells, first)))
		p.LastOf(expr.LessOrEqual(cells, expr.Plus(first, rangeCells)))
		p.Chunks(func() { p.Launch(entry, expr.Chunk).Shared = shared })
		p.Set(first, expr.Plus(first, rangeCells))
		p.Until(expr.LessOrEqual(cells, first))
	})
}

// affordable is how many times the rows may be gone over to save so much for each.
func (p *Planner) affordable(saved int64) launch.Expr {
	if !p.Ranges {
		return launch.Int(1)
	}
	cost := p.figures().Pass + p.RowBytes()
	return expr.Select(expr.Streamed, launch.Int(1), launch.Int(min(saved/cost, maxRanges)))
}

// Cached has cells share slots, and combines those that have none in the device's cache;
// with Ranges one range of the cells after the other, where it does not hold them all.
func Cached(p *Planner, cells launch.Expr, _ layout) {
	rangeCells, ranges := p.cached(cells)
	p.note("slots that cells own", ranges)
	p.set(p.shared(expr.CeilPow2(cells), rangeCells))
}

// cached returns how many cells a range has, and how many ranges there are; nil for one.
func (p *Planner) cached(cells launch.Expr) (rangeCells, ranges launch.Expr) {
	if !p.Ranges {
		return cells, nil
	}
	ranges = p.Let("ranges", p.cacheRanges(cells))
	return expr.CeilDiv(cells, expr.Max(ranges, launch.Int(1))), ranges
}

// cacheRanges returns in how many ranges the cells are gone over so that the device's
// cache holds those of one and what is read beside them.
func (p *Planner) cacheRanges(cells launch.Expr) launch.Expr {
	bytes := expr.Times(launch.Int(p.Layout.CellBytes()), cells)
	needed := expr.CeilDiv(expr.Times(launch.Int(2), bytes), expr.Max(expr.Cache, launch.Int(1)))
	enough := expr.Plus(expr.Plus(expr.Equal(expr.Cache, launch.Int(0)), expr.LessOrEqual(bytes, expr.Div(expr.Cache, launch.Int(2)))), expr.LessThan(expr.Rows, cells))
	affordable := p.affordable(p.figures().Missed * int64(len(p.Layout.State)))
	likely := expr.Select(enough, launch.Int(1), expr.Max(expr.Min(needed, affordable), launch.Int(1)))
	tuned := expr.Min(expr.TunedRanges, expr.Max(cells, launch.Int(1)))
	return expr.Select(expr.TunedRanges, expr.Select(expr.Streamed, launch.Int(1), tuned), likely)
}

// room is the shared memory that slots and their replicas may take.
func (p *Planner) room() launch.Expr { return p.roomOf(p.sharedBytes()) }

// roomOf is room where they usually take so many bytes at most.
func (p *Planner) roomOf(bytes int64) launch.Expr {
	left := expr.Minus(expr.SharedMemory, launch.Int(p.figures().SpareBytes+p.StagedBytes()))
	usual := launch.Expr(launch.Int(bytes))
	if p.Large || p.OwnBytes() > 0 {
		usual = expr.Min(usual, left)
	}
	most := expr.Div(expr.Times(launch.Int(tunedEighths), left), launch.Int(8))
	return expr.Select(expr.TunedShared, expr.Min(expr.TunedShared, most), usual)
}

// blockBytes is the shared memory that a slot for every cell may take.
func (p *Planner) blockBytes() launch.Expr {
	usual := launch.Expr(launch.Int(p.figures().BlockBytes))
	if p.hasAll() {
		return usual // the kernel has no other way
	}
	if p.OwnBytes() > 0 {
		usual = expr.Min(usual, expr.Minus(expr.SharedMemory, launch.Int(p.figures().SpareBytes+p.StagedBytes())))
	}
	return expr.Select(expr.TunedShared, p.room(), usual)
}

// pageBytes is the shared memory that pages take beside the slots.
func (p *Planner) pageBytes(slots launch.Expr) launch.Expr {
	page, pages := p.Value("page"), p.Value("pages")
	words := expr.Plus(expr.Plus(pages, expr.Div(slots, expr.Max(page, launch.Int(1)))), launch.Int(1))
	return expr.Select(page, expr.Times(launch.Int(4), words), launch.Int(0))
}
