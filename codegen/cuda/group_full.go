package cuda

import "fmt"

// A table of groups that turns out to be too small makes the host start again with a
// larger one. The blocks then need not take any more tiles: nothing that they do counts.
// What they have done until then says how large the next one has to be.

// groupCount are the words that say how full the table is.
func (g *Grouping) groupCount(e *Entry) string {
	return e.Arg(Arg{Kind: ArgGroupCount}, "u64*", "groups in the table; whether it was full; tiles and rows of a warp of each block, and those of the rows with a slot")
}

// tellFull counts the rows that have slots and signals all blocks where the table is full.
func (g *Grouping) tellFull(e *Entry) {
	e.Line("rows_placed += __popc(active);")
	g.signalFull(e)
}

// signalFull signals all blocks where the thread has found the table full.
func (g *Grouping) signalFull(e *Entry) {
	e.Line("if (full) atomicMax(%s + 1, 1ull);", g.groupCount(e))
}

// roomLeft is the condition that no block is known to have found the table full. The
// threads of a warp agree on it, and those of a block wherever they wait for each other.
func (g *Grouping) roomLeft(e *Entry) string {
	if g.Layout.Dense {
		return ""
	}
	count := g.groupCount(e)
	e.Line("u64 known_full = *(volatile u64*)(%s + 1);", count)
	e.Line("u32 tiles = 0, rows_seen = 0, rows_placed = 0;")
	return fmt.Sprintf("!overflows(%s + 1, known_full, %t, tiles) && ", count, g.multiplies())
}

// CountGroups adds the groups that the block's threads have added to the table to
// their number, and what its first warp has gone over.
func (g *Grouping) CountGroups(e *Entry) {
	count := g.groupCount(e)
	g.signalFull(e)
	e.Line("new_groups = warp_scan(new_groups);")
	e.Line("if ((threadIdx.x & 31) == 31 && new_groups) atomicAdd(%s, (u64)new_groups);", count)
	e.Line("rows_seen = warp_sum(rows_seen);")
	e.Line("rows_placed = warp_sum(rows_placed);")
	e.Begin("if (threadIdx.x == 0)")
	e.Line("atomicAdd(%s + 2, (u64)tiles);", count)
	e.Line("atomicAdd(%s + 3, (u64)rows_seen);", count)
	e.Line("atomicAdd(%s + 4, (u64)rows_placed);", count)
	e.End()
}
