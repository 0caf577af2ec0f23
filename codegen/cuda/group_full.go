package cuda

import "fmt"

// A table of groups that turns out to be too small makes the host start again with a
// larger one. A warp that finds it full takes no more tiles: nothing that it does counts. Kernels that go on with
// its rows look first whether that is known.
// What has been done until then says how large the next one has to be.

// groupCount are the words that say how full the table is.
func (g *Grouping) groupCount(e *Entry) string {
	return e.Arg(Arg{Kind: ArgGroupCount}, "u64*", "groups in the table; whether it was full; tiles and rows of a warp of each block, and those of the rows with a slot")
}

// OpenCounts declares what a thread knows of the table: groups that it has added, rows for which there was no
// room, and tiles and rows that it has gone over.
func (g *Grouping) OpenCounts(e *Entry) {
	e.Line("u32 new_groups = 0, lost = 0, tiles = 0, rows_seen = 0;")
}

// roomLeft is the condition that no row of the warp was without room, or of the block, where its
// threads wait for each other.
func (g *Grouping) roomLeft(e *Entry) string {
	if g.Layout.Dense {
		return ""
	}
	lost := "lost"
	if e.isChild { // the block agrees on what its threads read
		lost = fmt.Sprintf("lost | (*(volatile u64*)(%s + 1) != 0)", g.groupCount(e))
	}
	return fmt.Sprintf("has_room(%s, %t, tiles) && ", lost, g.multiplies())
}

// countSeen counts the rows that come to the groups, where those are not all of a tile.
func (g *Grouping) countSeen(e *Entry) {
	if !g.Layout.Dense && !g.keepsRows() {
		e.Line("rows_seen += __popc(active);")
	}
}

// countTiles makes rows of the tiles, where all of them come to the groups, and counts the groups.
func (g *Grouping) countTiles(e *Entry) {
	if g.Layout.Dense {
		return
	}
	if g.keepsRows() {
		e.Line("rows_seen = tiles * R;")
	}
	g.CountGroups(e)
}

// tellFull says that the table was full where the thread has found that.
func (g *Grouping) tellFull(e *Entry) {
	e.Line("if (lost) atomicMax(%s + 1, 1ull);", g.groupCount(e))
}

// CountGroups adds the groups that the block's threads have added to the table to
// their number, and what its first warp has gone over, and says whether the table was full.
func (g *Grouping) CountGroups(e *Entry) {
	count := g.groupCount(e)
	g.tellFull(e)
	e.Line("new_groups = warp_scan(new_groups);")
	e.Line("if ((threadIdx.x & 31) == 31 && new_groups) atomicAdd(%s, (u64)new_groups);", count)
	e.Line("rows_seen = warp_sum(rows_seen);")
	e.Line("lost = warp_sum(lost);")
	e.Begin("if (threadIdx.x == 0)")
	e.Line("atomicAdd(%s + 2, (u64)tiles);", count)
	e.Line("atomicAdd(%s + 3, (u64)rows_seen);", count)
	e.Line("atomicAdd(%s + 4, (u64)(rows_seen - min(lost, rows_seen)));", count)
	e.End()
}
