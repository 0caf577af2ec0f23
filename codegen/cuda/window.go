package cuda

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// windows renders a Window, or for groups the aggregation that it is then. The last entry,
// which compute renders, writes the result.
func (r *renderer) windows(s *kernel.Window, groups bool, compute func(w *windowing)) {
	for _, file := range []string{"cells.cuh", "state.cuh", "windows.cuh"} {
		r.include(file)
	}
	w := &windowing{renderer: r, s: s, groups: groups, perGroup: groups, frames: make([]function, len(s.Frames))}
	r.window = func(p *Planner) { (&windowPlanner{p, w}).plan() }
	w.collects()
	for _, id := range s.Cols {
		r.output(id)
	}
	for i := range s.Calls {
		for _, id := range s.Calls[i].Dst {
			r.output(id)
		}
	}
	words := r.sortWords(slices.Concat(s.Partition, s.Order))
	var keep *keeping
	if w.first = w.leaveOut(); w.first != nil {
		keep = &keeping{open: func(*Entry) {}, keep: w.first.keep}
	}
	r.collect(words, keep, func(e *Entry) {
		for _, id := range w.collected {
			e.storeTo(w.column(id), id, "to")
		}
	})
	w.mark(words)
	w.accumulators()
	w.selections()
	w.concatenations()
	if w.err == nil {
		compute(w)
	}
}

// collects finds what is written of the rows.
func (w *windowing) collects() {
	for _, id := range w.s.Operands() {
		if w.isParam(id) || slices.Contains(w.collected, id) {
			continue
		}
		w.ctype(w.f.Values[id].Type)
		shape, base := outputShape(w.f.Values[id])
		w.collected, w.shapes, w.bases = append(w.collected, id), append(w.shapes, shape), append(w.bases, base)
	}
}

// mark renders the entries that number partitions and groups of peers.
func (w *windowing) mark(words [][]sortField) {
	whole, bits := partitionWords(words, len(w.s.Partition))
	w.partition = layoutOf(words[:whole])
	w.overTiles("mark", "finds where partitions and groups of peers begin", func(e *Entry) {
		e.openQuads()
		e.Line("const Keys keys = {%s, %s, %s, %s, %#xull};", e.Arg(Arg{Kind: ArgSortKeys}, "u64*", "words of the keys"), e.capacity(),
			e.Arg(Arg{Kind: ArgKeyWords}, "u64", "words of a key"), e.Arg(Arg{Kind: ArgPartWords}, "u64", "those of the partition alone"), bits)
	}, func(e *Entry) {
		e.Line("mark_rows(scratch, keys, %s, %s, tile, %s, %s);",
			e.Arg(Arg{Kind: ArgOrder}, "const u32*", "numbers of the rows in order"), e.ordered(), e.marks(), e.tileStart())
	})
	w.entry("start_groups", "replaces what begins in the tiles by what does before each", 0, (*Entry).tileStarts)
	w.overTiles("number", "numbers partitions and groups of peers", (*Entry).openQuads, func(e *Entry) {
		of, starts := e.partitions()
		peersOf, peerStarts := "nullptr", "nullptr"
		if !w.perGroup {
			peersOf, peerStarts = e.peersOf()
		}
		e.Line("number_rows(scratch, %s, %s, tile, %s[tile], {%s, %s}, {%s, %s});", e.marks(), e.ordered(), e.tileStart(), of, starts, peersOf, peerStarts)
	})
}

// partitionWords returns how many words of keys are those of the first so many keys alone,
// and which bits of the next are theirs too.
func partitionWords(words [][]sortField, keys int) (whole int, bits uint64) {
	for _, fields := range words {
		used, mine := 0, 0
		for _, f := range fields {
			used += f.size
			if f.at < keys {
				mine = used
			}
		}
		if mine < used || used == 0 {
			if mine > 0 {
				bits = (1<<mine - 1) << (used - mine)
			}
			return whole, bits
		}
		whole++
	}
	return whole, 0
}
