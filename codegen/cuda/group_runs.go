package cuda

import (
	"fmt"
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// Groups that are runs of rows, which come in the order of a key. A strategy finds the number
// of each row's run, its cell; what follows is here.

// RunForm is how the aggregation is done.
func (g *Grouping) RunForm() kernel.RunForm { return g.how.runs }

// Terms is how many numbers are added up of a group.
func (g *Grouping) Terms() int { return len(g.termsOf(false)) + len(g.termsOf(true)) }

// Groups is how many groups are likely.
func (g *Grouping) Groups() float64 { return g.groups() }

// By is the key in whose order the rows come.
func (g *Grouping) By() kernel.ValueID { return g.s.Keys[g.s.By] }

// SetSideBySide has the rows of a thread follow each other.
func (g *Grouping) SetSideBySide() { g.sideBySide = true }

// IncludeFile adds one of the files of device primitives.
func (g *Grouping) IncludeFile(name string) { g.include(name) }

// Entry renders an entry over tiles that is no pass over the rows.
func (g *Grouping) Entry(name, comment string, tileRows int, body func(e *Entry)) {
	g.entry(name, comment, tileRows, body)
}

// RunKeyType is the type of the numbers that runs are told apart by, RunKey: the keys, or what they
// are above the least one.
func (g *Grouping) RunKeyType() string {
	if g.narrowRunKey() {
		return "u32"
	}
	return "u64"
}

func (g *Grouping) narrowRunKey() bool {
	v := &g.f.Values[g.By()]
	return v.Type == kernel.I32 || knownRange(v) && uint64(v.Range.Hi)-uint64(v.Range.Lo) <= math.MaxUint32
}

// RunKey is the number of row r's.
func (g *Grouping) RunKey(e *Entry) string {
	v := &g.f.Values[g.By()]
	if v.Type == kernel.I32 || !g.narrowRunKey() {
		return "(RunKey)" + e.At(g.By())
	}
	return fmt.Sprintf("(RunKey)((u64)%s - (u64)%s)", e.At(g.By()), e.Arg(Arg{Kind: ArgKeyLo, Index: g.s.By}, "i64", "minimum of "+g.name(g.By())))
}

// OpenRuns declares the shared memory of an update.
func (g *Grouping) OpenRuns(e *Entry, how string) {
	if how == UpdateTile {
		if g.OnlyCountsRuns(how) {
			e.Line("__shared__ u64x2 staged[(R * %d / 16 | 1) * T];  // a key of each row", g.stagedBytes())
		} else {
			e.Line("__shared__ u64x2 staged[TILE * %d / 16 + T];  // a key of each row, or a sum of each run of the tile", g.stagedBytes())
		}
		e.Line("__shared__ Heads heads;")
		if g.stagesStarts() {
			e.Line("__shared__ %s run_starts[TILE + 1];  // with which row of the tile each run begins, and how many come before", g.startType())
		}
	}
}

// AddRuns adds the active rows of a tile to their cells, whose numbers the array cell has,
// and writes the keys of the runs that begin in the mask begins; the variable tile_runs says which
// runs the tile has, and begun where those of a thread stand.
func (g *Grouping) AddRuns(e *Entry, how string) {
	if how != UpdateTile {
		e.Line("ROWS if (cell[r] >= %s) active &= ~(1u << r);", e.capacity())
	}
	e.openUpdate(how)
	if how == UpdateTile {
		g.writeStaged(e)
	}
	g.writeRunKeys(e, how)
	for i := range g.accs {
		if a := &g.accs[i]; how != UpdateTile || !g.countsRows(a) {
			a.accumulate(e, false)
		}
	}
	for i := range g.seen {
		g.seen[i].accumulate(e)
	}
	e.update = ""
}

// AddsRuns reports whether a pass over the rows adds anything.
func (g *Grouping) AddsRuns(second bool) bool { return len(g.termsOf(second)) > 0 }

// AddSecond adds what depends on the groups as a whole.
func (g *Grouping) AddSecond(e *Entry, how string) {
	e.openUpdate(how)
	for i := range g.accs {
		g.accs[i].accumulate(e, true)
	}
	e.update = ""
}

// openUpdate declares what an update needs of a tile.
func (e *Entry) openUpdate(how string) {
	e.update = how
	if how != UpdateVariable && how != UpdateArray {
		return
	}
	e.Line("u32 ends = 0;  // the last rows of the thread's runs")
	e.Begin("")
	e.Line("u32 before = 0;")
	e.Begin("ROWS if (bit(active, r))")
	e.Line("if (ends != 0 && before == cell[r]) ends &= ~(1u << (31 - __clz((int)ends)));")
	e.Line("ends |= 1u << r, before = cell[r];")
	e.End()
	e.End()
	if how == UpdateArray {
		e.Line("const u32 outer = ends ? (ends & -ends) | 1u << (31 - __clz((int)ends)) : 0;  // those of the first run and the last")
	}
}

// finishRuns writes the results of the groups, whose keys are written.
func (g *Grouping) finishRuns(e *Entry) {
	e.params()
	cells := e.Arg(Arg{Kind: ArgCells}, "u64", "cells")
	e.overPlaces(cells, func() {
		e.Line("const u64 cell = i;")
		g.storeResults(e, g.cells(), "cell")
	})
}
