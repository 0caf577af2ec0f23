package cuda

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

// homes is how the shared memory of a block is used. All of them are numbers of a
// launch plan.
type homes struct{ homes, copies, tagged launch.Expr }

// someHomes is the shared memory that a block of the usual size takes where there is no
// home for every cell, or copies raise it to. A multiprocessor runs as many blocks as
// it has room for.
const someHomes = 24 << 10

// someHomesOfProbes is someHomes where the kernel looks rows up in hash tables: a
// multiprocessor's first cache is what its blocks leave of shared memory, and a table
// that is not in it is looked up at half the speed.
const someHomesOfProbes = 12 << 10

// mostCopies is the number of a warp's lanes.
const mostCopies = 32

// fewestKeyed is how many homes keys have at least, and homesPerKey for how many there
// is one key, of those that are likely: keys compete for homes.
const (
	fewestKeyed = 128
	homesPerKey = 8
)

// What it costs to go over the rows again and what it saves, in the time of reading a
// byte of a row from memory: a pass over a row in shared memory or one that is not in
// the range, an instruction, and an atomic operation that is spared altogether, or finds
// its cell in the device's cache. Measured on an H200.
const (
	passCost   = 4
	atomicCost = 36
	missCost   = 128
)

// mostRanges is how many ranges there are at most.
const mostRanges = 16

// rowsPerBlock is for how many rows it is worth while to empty and to add up the homes
// of a large block.
const rowsPerBlock = 16 << 10

// spareShared is the shared memory of a block that homes leave: the kernel's own, and
// what ranges are rounded up by.
const spareShared = 3 << 10

// accumulate goes over the rows, which have so many cells, of which likely, or an unknown
// number (0), have rows.
func (p *Planner) accumulate(cells, likely launch.Expr) {
	p.Number(Arg{Kind: ArgCells}, cells)
	homed := func() {
		p.layOut(cells, likely)
		p.overRanges("aggregate", cells)
	}
	if p.entryNumber("own") < 0 {
		homed()
		return
	}
	bytes := expr.Times(cells, launch.Int(p.groups.OwnBytes))
	fits := expr.AtMost(bytes, launch.Int(mostOwn))
	if p.entryNumber("aggregate") < 0 {
		fits = launch.Int(1)
	}
	p.When(fits, func() {
		turns := launch.Int(p.groups.OwnTurns)
		p.Number(Arg{Kind: ArgTurns}, expr.Choose(expr.MaxTurns, expr.Min(expr.MaxTurns, turns), turns))
		p.Pieces(func() { p.Launch("own", expr.Piece).Shared = bytes })
	}, homed)
}

// overRanges starts an entry over all rows, once for each range of the cells.
func (p *Planner) overRanges(entry string, cells launch.Expr) {
	h, span := p.laidOut()
	shared := p.homeBytes(h)
	if !p.groups.Ranges {
		p.Pieces(func() { p.Launch(entry, expr.Piece).Shared = shared })
		return
	}
	first := p.Let("first", launch.Int(0))
	p.Loop(func() {
		p.Number(Arg{Kind: ArgFirstCell}, first)
		p.Number(Arg{Kind: ArgRangeCells}, expr.Min(span, expr.Less(cells, first)))
		p.Pieces(func() { p.Launch(entry, expr.Piece).Shared = shared })
		p.Let("first", expr.Plus(first, span))
		p.Until(expr.AtMost(cells, first))
	})
}

// laidOut are the variables that layOut sets.
func (p *Planner) laidOut() (h homes, span launch.Expr) {
	value := func(name string) launch.Expr { return launch.VarRef(p.Variable(name, launch.Natural)) }
	return homes{value("homes"), value("copies"), value("tagged")}, value("span")
}

// homeBytes is the shared memory that homes take.
func (p *Planner) homeBytes(h homes) launch.Expr {
	g := p.groups
	return expr.Times(expr.Times(launch.Int(4), h.homes), expr.Plus(expr.Times(launch.Int(g.Planes), h.copies), expr.Times(h.tagged, launch.Int(1+2*g.HomeWords))))
}

// layOut chooses how the cells are gone over, in ranges of span cells. There is a home
// for every cell where there is room, in one block of a multiprocessor or for one range
// after the other if need be; else cells share homes, and those that have none are
// combined in the device's cache, range by range where it does not hold them all.
func (p *Planner) layOut(cells, likely launch.Expr) {
	g := p.groups
	if !g.Dense {
		p.keyedHomes(cells, likely)
	} else {
		each := homes{expr.Even(cells), launch.Int(1), launch.Int(0)}
		p.When(expr.AtMost(p.homeBytes(each), launch.Int(smallHomes)), func() {
			p.setHomes(each, cells)
		}, func() { p.manyCells(cells, each) })
	}
	p.copies()
	h, _ := p.laidOut()
	p.Number(Arg{Kind: ArgHomes}, h.homes)
	p.Number(Arg{Kind: ArgCopies}, h.copies)
	p.Number(Arg{Kind: ArgTagged}, h.tagged)
}

func (p *Planner) setHomes(h homes, span launch.Expr) {
	p.Let("homes", h.homes)
	p.Let("tagged", h.tagged)
	p.Let("span", span)
}

// keyedHomes are the homes of a table's slots, or of the keys that are likely.
func (p *Planner) keyedHomes(slots, likely launch.Expr) {
	few := expr.Up(expr.Times(launch.Int(4), likely))
	if p.groups.HomeWords > 0 {
		few = expr.Max(expr.Up(expr.Times(launch.Int(homesPerKey), likely)), launch.Int(fewestKeyed))
	}
	p.setHomes(p.shared(expr.Choose(likely, expr.Min(slots, few), slots)), slots)
}

// manyCells are the homes of more cells than a block of the usual size has homes for.
func (p *Planner) manyCells(cells launch.Expr, each homes) {
	shared := func() {
		span := cells
		if p.groups.Ranges {
			span = expr.Parts(cells, expr.Max(p.Let("ranges", p.cacheRanges(cells)), launch.Int(1)))
		}
		p.setHomes(p.shared(expr.Up(cells)), span)
	}
	if !p.groups.Wide {
		shared()
		return
	}
	ranges := p.Let("ranges", p.homeRanges(p.homeBytes(each)))
	p.When(expr.Differ(ranges, launch.Int(0)), func() {
		each := expr.Plus(expr.Parts(cells, expr.Max(ranges, launch.Int(1))), launch.Int(1))
		span := p.Let("span", expr.Times(expr.Over(each, launch.Int(2)), launch.Int(2)))
		p.Let("homes", span)
		p.Let("tagged", launch.Int(0))
	}, shared)
}

// some is the shared memory that shared homes and copies take at most.
func (p *Planner) some() int64 {
	if len(p.f.Inputs) > 1 {
		return someHomesOfProbes
	}
	return someHomes
}

// shared are homes that cells share: so many, a power of two, if they take no more
// than some bytes.
func (p *Planner) shared(wanted launch.Expr) homes {
	g := p.groups
	fitting := expr.Down(launch.Int(p.some() / int64(4*(g.Planes+1+2*g.HomeWords))))
	return homes{expr.Max(expr.Min(wanted, fitting), launch.Int(2)), nil, launch.Int(1)}
}

// copies gives the homes as many copies as some bytes hold.
func (p *Planner) copies() {
	g := p.groups
	h, _ := p.laidOut()
	each := expr.Less(expr.Over(launch.Int(p.some()), expr.Max(expr.Times(launch.Int(4), h.homes), launch.Int(1))), expr.Times(h.tagged, launch.Int(1+2*g.HomeWords)))
	if g.Planes > 0 {
		p.Let("copies", expr.Min(expr.Down(expr.Over(each, launch.Int(g.Planes))), launch.Int(mostCopies)))
	} else {
		p.Let("copies", launch.Int(1)) // of nothing
	}
}

// homeRanges returns in how many ranges cells have homes of so many bytes in large blocks;
// 0: they are better off without.
func (p *Planner) homeRanges(bytes launch.Expr) launch.Expr {
	arrays := int64(len(p.groups.State))
	room := expr.Min(launch.Int(wideHomes), expr.Less(expr.SharedMemory, launch.Int(spareShared)))
	ranges := p.Let("ranges", expr.Parts(bytes, expr.Max(room, launch.Int(1))))
	worth := expr.Over(expr.Times(launch.Int(arrays), expr.Rows), expr.Times(launch.Int(rowsPerBlock), expr.SMs))
	affordable := expr.Max(p.affordable(atomicCost*arrays), launch.Int(1)) // one is no more than without
	return expr.Choose(room, expr.Choose(expr.AtMost(ranges, expr.Min(worth, affordable)), ranges, launch.Int(0)), launch.Int(0))
}

// cacheRanges returns in how many ranges the cells are gone over so that the device's
// cache holds those of one and what is read beside them.
func (p *Planner) cacheRanges(cells launch.Expr) launch.Expr {
	width := int64(0)
	for _, bytes := range p.groups.State {
		width += int64(bytes)
	}
	bytes := expr.Times(launch.Int(width), cells)
	needed := expr.Parts(expr.Times(launch.Int(2), bytes), expr.Max(expr.Cache, launch.Int(1)))
	enough := expr.Plus(expr.Plus(expr.Equal(expr.Cache, launch.Int(0)), expr.AtMost(bytes, expr.Over(expr.Cache, launch.Int(2)))), expr.Below(expr.Rows, cells))
	affordable := p.affordable(missCost * int64(len(p.groups.State)))
	return expr.Choose(enough, launch.Int(1), expr.Max(expr.Min(needed, affordable), launch.Int(1)))
}

// affordable is how many times the rows may be gone over to save so much for each.
func (p *Planner) affordable(saved int64) launch.Expr {
	s, ok := p.f.Source.(*kernel.Scan)
	if !ok || !p.groups.Ranges {
		return launch.Int(1)
	}
	cost := int64(passCost + len(p.f.Body))
	for _, c := range s.Cols {
		cost += int64(p.shapes[s.Input].Columns[c.Ordinal].Encoding.Width())
	}
	return expr.Choose(expr.Streamed, launch.Int(1), launch.Int(min(saved/cost, mostRanges)))
}
