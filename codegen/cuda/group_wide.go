package cuda

import "github.com/cubeloom/cubeloom/codegen/kernel"

// An aggregation whose cells do not fit the shared memory of a few small blocks has
// one large block on a multiprocessor, with a home for every cell or for those of a
// range: an addition in shared memory is ten times as quick as one in global memory.

// smallHomes is how many bytes of shared memory homes take, at most, in a block of the
// usual size; wideHomes is the same of a large one.
const (
	smallHomes = 48 << 10
	wideHomes  = 224 << 10
)

// The threads of a large block, which share 65536 registers, and how many words the
// values of a row may take for the greater number.
const (
	fewerThreads = 512
	mostThreads  = 1024
	mostLive     = 8
)

// mostWide is how many ranges cells with homes are gone over in, at most.
const mostWide = 8

// isWide tells whether the blocks are large.
func (g *Grouping) isWide() bool {
	bytes := 4 * float64(g.groups.Planes) * g.likelyCells()
	return len(g.f.Inputs) == 1 && bytes > smallHomes && bytes <= mostWide*wideHomes
}

// wideThreads is the size of a large block.
func (g *Grouping) wideThreads() int {
	if liveWords(g.f) <= mostLive {
		return mostThreads
	}
	return fewerThreads
}

// lightRows is how many rows a thread holds of an aggregation that takes few registers:
// more of them are under way then. With hashing, rows wait for others of their thread.
const lightRows = 8

// The words that the values of a row and the planes of its accumulators take at most
// where that is so.
const (
	lightLive   = 4
	lightPlanes = 4
)

// isLight tells whether the aggregation takes few registers.
func (g *Grouping) isLight() bool {
	return g.groups.Dense && len(g.f.Inputs) == 1 && liveWords(g.f) <= lightLive && g.groups.Planes <= lightPlanes
}

// likelyCells is the number of cells of a dense aggregation, 0 where the keys' types
// do not tell it.
func (g *Grouping) likelyCells() float64 {
	if !g.groups.Dense {
		return 0
	}
	cells := 1.0
	for _, id := range g.s.Keys {
		v := &g.f.Values[id]
		values := 2.0
		if v.Type != kernel.Bool {
			if !v.Range.Known || v.Range.Lo > v.Range.Hi {
				return 0
			}
			values = float64(v.Range.Hi) - float64(v.Range.Lo) + 1
		}
		if v.Nullable {
			values++
		}
		cells *= values
	}
	return cells
}

// inRanges tells whether the rows may be gone over several times: what the body does
// is cheap, and leaves no rows out.
func (g *Grouping) inRanges() bool {
	if !g.groups.Dense || len(g.s.Keys) == 0 || len(g.f.Inputs) != 1 {
		return false
	}
	for _, in := range g.f.Body {
		if _, ok := in.(*kernel.Compute); !ok {
			return false
		}
	}
	_, scans := g.f.Source.(*kernel.Scan)
	return scans
}
