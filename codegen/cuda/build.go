package cuda

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// maxCells is how many cells a dense table has at most.
const maxCells = math.MaxInt32

// tableLayout chooses how the table of a Build is laid out.
func (r *renderer) tableLayout(s *kernel.Build, keys []keyValue) Layout {
	cells, ok := int64(1), s.Dense
	for _, k := range keys {
		_, extent, known := KeyRange(&r.f.Values[k.id])
		if k.shape.Null {
			extent++
		}
		if ok = ok && known && cells <= maxCells/extent; ok {
			cells *= extent
		}
	}
	switch {
	case len(keys) == 0:
		return LayoutAll
	case ok && (s.Members || !r.noCells && !s.Repeats):
		return LayoutCells
	case ok:
		return LayoutDense
	case r.isNarrow(keys):
		return LayoutNarrow
	}
	return LayoutWide
}

// build renders a Build.
func (r *renderer) build(s *kernel.Build) {
	r.include("hash.cuh")
	r.include("table.cuh")
	keys := r.buildKeys(s)
	for _, k := range keys {
		if t := k.shape.Type; t == kernel.Interval {
			r.refuse("there is no device code for hash tables by keys of type %s", t)
		}
	}
	for _, id := range s.Payload {
		r.output(id)
	}
	r.layout = r.tableLayout(s, keys)
	if r.layout == LayoutCells {
		r.buildCells(s, keys)
		return
	}
	if !r.noCells || r.layout != LayoutDense { // else the attempt at cells has counted them
		r.Pass(Pass{
			Name: "count", Comment: "counts the rows that remain", Warps: r.packsRows(), Reads: []kernel.ValueID{},
			Open: (*Entry).openRowCount, Rows: (*Entry).countRows, Close: (*Entry).closeCount,
		})
	}
	r.Pass(Pass{
		Name: "build", Comment: "writes the rows that remain, and numbers those of one key", Warps: r.packsRows(),
		Open: func(e *Entry) {
			e.openRows()
			e.Line("u32 duplicates = 0;")
			e.openBounds(s)
		},
		Rows: func(e *Entry) {
			e.whereActive(func() {
				e.buildRows(s, keys)
			})
		},
		Close: func(e *Entry) {
			e.closeDuplicates()
			e.closeBounds(s)
		},
	})
	if r.hasRuns(s) {
		r.entry("place_runs", "gives the rows of each key places side by side", r.rows*r.threads, (*Entry).placeRuns)
		r.entry("move_rows", "writes the rows to their places", threads, func(e *Entry) { e.moveRows(keys) })
	}
}

// hasRuns reports whether the rows of a key, where it has several, are moved side by side.
func (r *renderer) hasRuns(s *kernel.Build) bool { return r.layout != LayoutAll && !s.Members }

func (e *Entry) openRowCount() {
	e.openScratch("u64")
	e.Line("u64 count = 0;")
}

func (e *Entry) countRows() { e.Line("count += __popc(active);") }

// closeCount adds the rows of the block to the counter of all.
func (e *Entry) closeCount() { e.Line("add_count(scratch, count, %s);", e.count()) }

// closeDuplicates adds the rows whose keys have been found before to the counter.
func (e *Entry) closeDuplicates() {
	e.Line("add_warp_count(duplicates, %s);", e.Arg(Arg{Kind: ArgDuplicates}, "u64*", "rows of keys found before"))
}

// buildCells renders a table whose payload lies at the cells of the keys. It
// fails, and says so, where a key has several rows or a row has no key, unless it is asked
// for its members alone.
func (r *renderer) buildCells(s *kernel.Build, keys []keyValue) {
	r.Pass(Pass{
		Name: "build", Comment: "writes the payload of each row to the cell of its key", Warps: r.packsRows(),
		Open: func(e *Entry) {
			e.openRowCount()
			if !s.Members {
				e.Line("u32 duplicates = 0, keyless = 0;")
			}
			e.openBounds(s)
		},
		Rows: func(e *Entry) {
			e.countRows()
			e.Line("u32 keyed = %s;", e.keyed(keys))
			e.bound(s, "keyed")
			e.cells(tableOutput, keys, e.layout, "cell", "keyed")
			slots := e.Arg(Arg{Kind: ArgTableSlots, Input: tableOutput}, "u32*", "cells that have a row")
			if s.Members {
				e.Line("claim(keyed, cell, %s);", slots)
			} else {
				e.Line("keyless += __popc(active & ~keyed);")
				e.Line("duplicates += claim(keyed, cell, %s);", slots)
			}
			if len(s.Payload) == 0 {
				return
			}
			e.Begin("ROWS if (bit(keyed, r))")
			for i, id := range s.Payload {
				e.store(i, id, "cell[r]")
			}
			e.End()
		},
		Close: func(e *Entry) {
			e.closeCount()
			if !s.Members {
				e.closeDuplicates()
				e.Line("add_warp_count(keyless, %s);", e.Arg(Arg{Kind: ArgKeyless}, "u64*", "rows without a key"))
			}
			e.closeBounds(s)
		},
	})
}

// buildRows writes the active rows, and inserts them by their keys.
func (e *Entry) buildRows(s *kernel.Build, keys []keyValue) {
	if e.layout == LayoutDense || e.layout == LayoutNarrow {
		e.Line("u32 keyed = %s;", e.keyed(keys))
		e.bound(s, "keyed")
		e.cells(tableOutput, keys, e.layout, "cell", "keyed")
	} else {
		e.Line("const u32 keyed = %s;", e.keyed(keys))
		e.bound(s, "keyed")
	}
	e.placeRows(func() {
		e.storeAll(s.Payload)
		if e.layout != LayoutAll {
			e.insert(keys)
		}
	})
}

// insert finds the slot of the key of row number to, and numbers the row among those of
// the key.
func (e *Entry) insert(keys []keyValue) {
	runs := e.runArgs()
	e.Line("u32 run = NO_RUN, rank = 0;")
	e.Begin("if (bit(keyed, r))")
	slots := Arg{Kind: ArgTableSlots, Input: tableOutput}
	switch e.layout {
	case LayoutDense:
		e.Line("run = cell[r];")
		e.Line("rank = atomicAdd(%s + run, 1u);", runs.length)
	case LayoutNarrow:
		e.Line("run = insert_narrow(%s, %s, cell[r], (u32)to + 1, %s, rank);", e.Arg(slots, "u64*", "keys and first rows"), e.lastSlot(), runs.length)
	case LayoutWide:
		table := e.Arg(Arg{Kind: ArgTableKeys, Input: tableOutput}, "u64*", "keys of the rows")
		w := keyWords(keys)
		kind := e.wideKey(keys)
		e.Line("for (int w = 0; w < %d; w++) %s[to * %d + w] = key[w];", w, table, w)
		e.Line("run = insert_wide<%d%s>(%s, %s, %s, key, (u32)to + 1, %s, rank);", w, kind, e.Arg(slots, "u32*", "first rows"), e.lastSlot(), table, runs.length)
	}
	e.Line("duplicates += rank > 0;")
	e.End()
	e.Line("%s[to] = run;", runs.of)
	e.Line("%s[to] = rank;", runs.rank)
}
