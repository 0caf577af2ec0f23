package cuda

import (
	"math"
	"math/bits"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// firstSlots is how many slots the table of groups has at first: twice as many as
// there are likely to be groups.
func (r *run) firstSlots(s *kernel.Aggregate) int64 {
	most := float64(max(r.metrics.RowsIn, 1))
	if r.module.Multiplies {
		most = max(multiplied*most, fewMultiplied)
	}
	likely := min(max(s.Groups*moreLikely, leastSlots), most, 1<<28)
	slots := powerOfTwo(2 * int64(likely))
	if r.feed != nil { // there is little room, and estimates are high
		for slots > leastSlots && slots*r.slotBytes() > r.backend.room()/2 {
			slots /= 2
		}
	}
	return slots
}

// multiplied is how many times as many groups as the source has rows are likely at
// first, at most, where a join or a repetition makes more rows of them, and fewMultiplied
// how many are likely of a source of few rows: how many rows are made is a guess, a table
// that is too small is given up soon, and one that is too large is read out to its end.
const (
	multiplied    = 4
	fewMultiplied = 1 << 12
)

// leastSlots is how many slots are tried at least.
const leastSlots = 1 << 9

// slotBytes is the memory of a slot of the table of groups.
func (r *run) slotBytes() int64 {
	bytes := int64(8*r.module.Groups.KeyWords + 4)
	for _, width := range r.module.Groups.State {
		bytes += int64(width)
	}
	return bytes
}

// powerOfTwo is the least one that is at least n, and at least 2.
func powerOfTwo(n int64) int64 { return 1 << max(bits.Len64(uint64(n-1)), 1) }

// filled is what came of an attempt to aggregate into a table of groups.
type filled struct {
	groups int64 // in the table
	full   bool  // some rows have found no slot, and the blocks have given up
	rows   int64 // of the source that they have gone over until then, about; 0: not known
	came   int64 // rows of them that have reached the sink, about
	taken  int64 // rows of those that have found a slot, about
}

// filled reads what came of an attempt.
func (r *run) filled(status *[statusLength]uint64) filled {
	e := r.module.Entries[0]
	warps := int64(e.Threads / warpThreads)
	return filled{
		groups: int64(status[statusGroups]), full: status[statusFull] != 0,
		rows: int64(status[statusTiles]) * int64(e.TileRows),
		came: int64(status[statusCame]) * warps, taken: int64(status[statusTaken]) * warps,
	}
}

// warpThreads is the number of threads of a warp.
const warpThreads = 32

// leastGrowth is how many times as many slots are tried at least after a table was
// full: where equal keys lie together, no part of the rows tells of the others.
const leastGrowth = 4

// moreSlots is how many slots are tried after a table of so many was full: twice as
// many as the groups that the rows until then make likely, as far as there is room.
func (r *run) moreSlots(slots int64, f filled) int64 {
	least := slots * leastGrowth
	most := int64(maxCells)
	if !r.module.Multiplies {
		most = powerOfTwo(2 * max(r.metrics.RowsIn, 1))
	}
	likely := min(likelyGroups(f, r.metrics.RowsIn), maxCells/4)
	more := min(powerOfTwo(int64(2*moreLikely*likely)), most)
	for more > least && more*r.slotBytes() > r.backend.room()/2 {
		more /= 2
	}
	return max(more, min(least, most), 2*slots)
}

// moreLikely is how many times the groups that are likely a table has room for.
const moreLikely = 1.2

// likelyGroups is how many groups so many rows are likely to have when those until now
// have been drawn from groups that are equally frequent: from how many, the share of
// the rows tells that have found no slot after the table was full.
func likelyGroups(f filled, rows int64) float64 {
	groups := float64(f.groups)
	if f.rows <= 0 || f.groups <= 0 || f.came <= 0 {
		return groups
	}
	came, lost := float64(max(f.came, f.groups)), float64(f.came-f.taken)
	lo, hi := groups, float64(maxCells)
	for range 60 {
		if mid := (lo + hi) / 2; lostRows(groups, mid, came) <= lost {
			lo = mid
		} else {
			hi = mid
		}
	}
	all := came * max(float64(rows)/float64(f.rows), 1)
	return max(-lo*math.Expm1(-all/lo), groups)
}

// lostRows is how many of so many rows, drawn from so many groups, find no slot in a
// table that has room for some of these.
func lostRows(room, groups, rows float64) float64 {
	after := rows + groups*math.Log1p(-room/groups) // when the table was full
	return max(after, 0) * (1 - room/groups)
}
