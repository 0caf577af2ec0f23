package cuda

import (
	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// layout is how the cells of an aggregation are gone over: in ranges of span cells,
// each of which the rows are gone over for.
type layout struct {
	homes homes
	cells int64
	span  int64
}

// homes is how the shared memory of a block is used.
type homes struct{ homes, copies, tagged int64 }

// bytes is the shared memory that it takes.
func (h *homes) bytes(g *cudagen.Groups) int64 {
	return 4 * h.homes * (int64(g.Planes)*h.copies + h.tagged*(1+2*int64(g.HomeWords)))
}

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

// layOut chooses how the cells are gone over, of which likely, or an unknown number (0),
// have rows. There is a home for every cell where there is room, in one block of a
// multiprocessor or for one range after the other if need be; else cells share homes,
// and those that have none are combined in the device's cache, range by range where it
// does not hold them all.
func (r *run) layOut(cells, likely int64) layout {
	g := r.module.Groups
	some := int64(someHomes)
	if len(r.f.Inputs) > 1 {
		some = someHomesOfProbes
	}
	l := layout{homes: homes{homes: cells + cells%2, copies: 1}, cells: cells, span: cells}
	switch {
	case g.HomeWords > 0:
		wanted := powerOfTwo(cells)
		if likely > 0 {
			wanted = min(wanted, max(powerOfTwo(homesPerKey*likely), fewestKeyed))
		}
		l.homes = shared(wanted, some, g)
	case g.Dense && l.homes.bytes(g) <= cudagen.SmallHomes:
	default:
		if ranges := r.homeRanges(l.homes.bytes(g)); ranges > 0 {
			l.span = (cells+ranges-1)/ranges + 1
			l.span -= l.span % 2
			l.homes.homes = l.span
			break
		}
		wanted := powerOfTwo(cells)
		if likely > 0 {
			wanted = min(wanted, powerOfTwo(4*likely))
		}
		l.homes = shared(wanted, some, g)
		ranges := r.cacheRanges(cells)
		l.span = (cells + ranges - 1) / ranges
	}
	l.homes.copy(some, g)
	return l
}

// shared are homes that cells share, so many if they take no more than some bytes.
func shared(wanted, some int64, g *cudagen.Groups) homes {
	h := homes{homes: wanted, copies: 1, tagged: 1}
	for h.homes > 2 && h.bytes(g) > some {
		h.homes /= 2
	}
	return h
}

// copy gives the homes as many copies as some bytes hold.
func (h *homes) copy(some int64, g *cudagen.Groups) {
	for h.copies < mostCopies {
		more := *h
		more.copies *= 2
		if more.bytes(g) > some {
			break
		}
		*h = more
	}
}

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

// homeRanges gives in how many ranges cells have homes of so many bytes in large blocks;
// 0: they are better off without.
func (r *run) homeRanges(bytes int64) int64 {
	room := min(cudagen.WideHomes, int64(r.backend.device.Info().SharedMemory)-spareShared)
	if !r.module.Groups.Wide || room <= 0 {
		return 0
	}
	ranges := (bytes + room - 1) / room
	arrays := int64(len(r.module.Groups.State))
	worth := arrays * r.metrics.RowsIn / (rowsPerBlock * int64(max(r.backend.device.Info().SMs, 1)))
	if ranges > worth || ranges > 1 && ranges > r.affordable(atomicCost*arrays) {
		return 0
	}
	return ranges
}

// cacheRanges gives in how many ranges the cells are gone over so that the device's
// cache holds those of one and what is read beside them.
func (r *run) cacheRanges(cells int64) int64 {
	bytes, arrays := int64(0), int64(0)
	for _, width := range r.module.Groups.State {
		bytes += int64(width) * cells
		arrays++
	}
	cache := r.backend.device.Info().Cache
	if cache == 0 || bytes <= cache/2 || r.metrics.RowsIn < cells {
		return 1
	}
	return max(min((2*bytes+cache-1)/cache, r.affordable(missCost*arrays)), 1)
}

// affordable is how many times the rows may be gone over to save so much for each.
func (r *run) affordable(saved int64) int64 {
	s, ok := r.f.Source.(*kernel.Scan)
	if !ok || !r.module.Groups.Ranges || r.feed != nil {
		return 1
	}
	cost := int64(passCost + len(r.f.Body))
	for _, c := range s.Cols {
		cost += int64(r.inputs[s.Input].bound.cols[c.Ordinal].shape.Encoding.Width())
	}
	return min(saved/cost, mostRanges)
}
