package cuda

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
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
func (p *planner) accumulate(cells, likely launch.Expr) {
	p.number(Arg{Kind: ArgCells}, cells)
	homed := func() {
		p.layOut(cells, likely)
		p.overRanges("aggregate", cells)
	}
	if p.entryNumber("own") < 0 {
		homed()
		return
	}
	bytes := times(cells, launch.Int(p.groups.OwnBytes))
	fits := atMost(bytes, launch.Int(mostOwn))
	if p.entryNumber("aggregate") < 0 {
		fits = launch.Int(1)
	}
	p.when(fits, func() {
		turns := launch.Int(p.groups.OwnTurns)
		p.number(Arg{Kind: ArgTurns}, choose(maxTurns, least(maxTurns, turns), turns))
		p.pieces(func() { p.launch("own", piece).Shared = bytes })
	}, homed)
}

// overRanges starts an entry over all rows, once for each range of the cells.
func (p *planner) overRanges(entry string, cells launch.Expr) {
	h, span := p.laidOut()
	shared := p.homeBytes(h)
	if !p.groups.Ranges {
		p.pieces(func() { p.launch(entry, piece).Shared = shared })
		return
	}
	first := p.let("first", launch.Int(0))
	p.loop(func() {
		p.number(Arg{Kind: ArgFirstCell}, first)
		p.number(Arg{Kind: ArgRangeCells}, least(span, less(cells, first)))
		p.pieces(func() { p.launch(entry, piece).Shared = shared })
		p.let("first", plus(first, span))
		p.until(atMost(cells, first))
	})
}

// laidOut are the variables that layOut sets.
func (p *planner) laidOut() (h homes, span launch.Expr) {
	value := func(name string) launch.Expr { return launch.VarRef(p.variable(name, launch.Natural)) }
	return homes{value("homes"), value("copies"), value("tagged")}, value("span")
}

// homeBytes is the shared memory that homes take.
func (p *planner) homeBytes(h homes) launch.Expr {
	g := p.groups
	return times(times(launch.Int(4), h.homes), plus(times(launch.Int(g.Planes), h.copies), times(h.tagged, launch.Int(1+2*g.HomeWords))))
}

// layOut chooses how the cells are gone over, in ranges of span cells. There is a home
// for every cell where there is room, in one block of a multiprocessor or for one range
// after the other if need be; else cells share homes, and those that have none are
// combined in the device's cache, range by range where it does not hold them all.
func (p *planner) layOut(cells, likely launch.Expr) {
	g := p.groups
	if !g.Dense {
		p.keyedHomes(cells, likely)
	} else {
		each := homes{even(cells), launch.Int(1), launch.Int(0)}
		p.when(atMost(p.homeBytes(each), launch.Int(smallHomes)), func() {
			p.setHomes(each, cells)
		}, func() { p.manyCells(cells, each) })
	}
	p.copies()
	h, _ := p.laidOut()
	p.number(Arg{Kind: ArgHomes}, h.homes)
	p.number(Arg{Kind: ArgCopies}, h.copies)
	p.number(Arg{Kind: ArgTagged}, h.tagged)
}

func (p *planner) setHomes(h homes, span launch.Expr) {
	p.let("homes", h.homes)
	p.let("tagged", h.tagged)
	p.let("span", span)
}

// keyedHomes are the homes of a table's slots, or of the keys that are likely.
func (p *planner) keyedHomes(slots, likely launch.Expr) {
	few := up(times(launch.Int(4), likely))
	if p.groups.HomeWords > 0 {
		few = most(up(times(launch.Int(homesPerKey), likely)), launch.Int(fewestKeyed))
	}
	p.setHomes(p.shared(choose(likely, least(slots, few), slots)), slots)
}

// manyCells are the homes of more cells than a block of the usual size has homes for.
func (p *planner) manyCells(cells launch.Expr, each homes) {
	shared := func() {
		span := cells
		if p.groups.Ranges {
			span = parts(cells, most(p.let("ranges", p.cacheRanges(cells)), launch.Int(1)))
		}
		p.setHomes(p.shared(up(cells)), span)
	}
	if !p.groups.Wide {
		shared()
		return
	}
	ranges := p.let("ranges", p.homeRanges(p.homeBytes(each)))
	p.when(differ(ranges, launch.Int(0)), func() {
		each := plus(parts(cells, most(ranges, launch.Int(1))), launch.Int(1))
		span := p.let("span", times(over(each, launch.Int(2)), launch.Int(2)))
		p.let("homes", span)
		p.let("tagged", launch.Int(0))
	}, shared)
}

// some is the shared memory that shared homes and copies take at most.
func (p *planner) some() int64 {
	if len(p.f.Inputs) > 1 {
		return someHomesOfProbes
	}
	return someHomes
}

// shared are homes that cells share: so many, a power of two, if they take no more
// than some bytes.
func (p *planner) shared(wanted launch.Expr) homes {
	g := p.groups
	fitting := down(launch.Int(p.some() / int64(4*(g.Planes+1+2*g.HomeWords))))
	return homes{most(least(wanted, fitting), launch.Int(2)), nil, launch.Int(1)}
}

// copies gives the homes as many copies as some bytes hold.
func (p *planner) copies() {
	g := p.groups
	h, _ := p.laidOut()
	each := less(over(launch.Int(p.some()), most(times(launch.Int(4), h.homes), launch.Int(1))), times(h.tagged, launch.Int(1+2*g.HomeWords)))
	if g.Planes > 0 {
		p.let("copies", least(down(over(each, launch.Int(g.Planes))), launch.Int(mostCopies)))
	} else {
		p.let("copies", launch.Int(1)) // of nothing
	}
}

// homeRanges returns in how many ranges cells have homes of so many bytes in large blocks;
// 0: they are better off without.
func (p *planner) homeRanges(bytes launch.Expr) launch.Expr {
	arrays := int64(len(p.groups.State))
	room := least(launch.Int(wideHomes), less(sharedMemory, launch.Int(spareShared)))
	ranges := p.let("ranges", parts(bytes, most(room, launch.Int(1))))
	worth := over(times(launch.Int(arrays), rows), times(launch.Int(rowsPerBlock), sms))
	affordable := most(p.affordable(atomicCost*arrays), launch.Int(1)) // one is no more than without
	return choose(room, choose(atMost(ranges, least(worth, affordable)), ranges, launch.Int(0)), launch.Int(0))
}

// cacheRanges returns in how many ranges the cells are gone over so that the device's
// cache holds those of one and what is read beside them.
func (p *planner) cacheRanges(cells launch.Expr) launch.Expr {
	width := int64(0)
	for _, bytes := range p.groups.State {
		width += int64(bytes)
	}
	bytes := times(launch.Int(width), cells)
	needed := parts(times(launch.Int(2), bytes), most(cache, launch.Int(1)))
	enough := plus(plus(equal(cache, launch.Int(0)), atMost(bytes, over(cache, launch.Int(2)))), below(rows, cells))
	affordable := p.affordable(missCost * int64(len(p.groups.State)))
	return choose(enough, launch.Int(1), most(least(needed, affordable), launch.Int(1)))
}

// affordable is how many times the rows may be gone over to save so much for each.
func (p *planner) affordable(saved int64) launch.Expr {
	s, ok := p.f.Source.(*kernel.Scan)
	if !ok || !p.groups.Ranges {
		return launch.Int(1)
	}
	cost := int64(passCost + len(p.f.Body))
	for _, c := range s.Cols {
		cost += int64(p.shapes[s.Input].Columns[c.Ordinal].Encoding.Width())
	}
	return choose(streamed, launch.Int(1), launch.Int(min(saved/cost, mostRanges)))
}
