package cuda

import "github.com/cubeloom/cubeloom/codegen/kernel"

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

// AddRuns adds the active rows of a tile to their cells, whose numbers the array cell has,
// and writes the keys of the runs that begin in the mask begins.
func (g *Grouping) AddRuns(e *Entry, how string) {
	capacity := e.capacity()
	e.Line("ROWS if (cell[r] >= %s) active &= ~(1u << r);", capacity)
	e.Begin("ROWS if (bit(active & begins, r))")
	for i, id := range g.s.Keys {
		e.store(i, id, "cell[r]")
	}
	e.End()
	e.openUpdate(how)
	for i := range g.accs {
		g.accs[i].accumulate(e, false)
	}
	for i := range g.seen {
		g.seen[i].accumulate(e)
	}
	e.update = ""
}

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
	e.Begin("for (u64 cell = (u64)blockIdx.x * T + threadIdx.x; cell < %s; cell += (u64)gridDim.x * T)", cells)
	e.Line("const int r = 0;")
	g.storeResults(e, "cell")
	e.End()
}
