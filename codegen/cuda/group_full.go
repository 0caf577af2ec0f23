package cuda

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// A table of groups that turns out to be too small makes the host start again with a
// larger one. The blocks then need not take any more tiles: nothing that they do counts.
// What they have done until then tells the host how large the next one has to be.

// groupCount are the words that tell of the table.
func (g *grouping) groupCount(e *entry) string {
	return e.arg(Arg{Kind: ArgGroupCount}, "u64*", "groups in the table; whether it was full; tiles and rows of a warp of each block, and those of the rows with a slot")
}

// tellFull counts the rows that have slots and tells all blocks where the table is full.
func (g *grouping) tellFull(e *entry) {
	e.line("taken += __popc(active);")
	e.line("if (full) atomicMax(%s + 1, 1ull);", g.groupCount(e))
}

// roomLeft is the condition that no block is known to have found the table full. The
// threads of a warp agree on it, and those of a block wherever they wait for each other.
func (g *grouping) roomLeft(e *entry) string {
	if g.groups.Dense {
		return ""
	}
	together := "filling > 0"
	switch {
	case g.waits():
		together = "true"
	case g.groups.HomeWords == 0:
		together = "false"
	}
	count := g.groupCount(e)
	e.line("u64 known_full = *(volatile u64*)(%s + 1);", count)
	e.line("u32 tiles = 0, came = 0, taken = 0;")
	return "!gives_up(" + count + " + 1, known_full, " + together + ", tiles) && "
}

// waits tells whether the threads of a block wait for each other on the way of the rows.
func (g *grouping) waits() bool {
	return g.multiplies() || slices.ContainsFunc(g.f.Body, func(in kernel.Instr) bool {
		probe, ok := in.(*kernel.Probe)
		return ok && probe.Sorted != nil
	})
}

// countGroups adds the groups that the block's threads have added to the table to
// their number, and what its first warp has gone over.
func (g *grouping) countGroups(e *entry) {
	count := g.groupCount(e)
	e.line("fresh = warp_scan(fresh);")
	e.line("if ((threadIdx.x & 31) == 31 && fresh) atomicAdd(%s, (u64)fresh);", count)
	e.line("came = warp_sum(came);")
	e.line("taken = warp_sum(taken);")
	e.begin("if (threadIdx.x == 0)")
	e.line("atomicAdd(%s + 2, (u64)tiles);", count)
	e.line("atomicAdd(%s + 3, (u64)came);", count)
	e.line("atomicAdd(%s + 4, (u64)taken);", count)
	e.end()
}
