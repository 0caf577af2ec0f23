package cuda

import (
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// UpdateTile: threads join the rows of their runs, the runs of a tile are put together in shared
// memory, and its threads store them side by side. Nothing is atomic, and cells need not be zeros
// before: a run that begins in a tile before leaves its part to the entry stitch.

// ArgRunBorders are, by tile of the chunk, what its first run adds to that of a tile before: arrays
// like those of the cells.
const ArgRunBorders ArgKind = "run_borders"

// RunBytes is what a run of a tile takes in shared memory, at most.
func (g *Grouping) RunBytes() int {
	if g.countsRuns() {
		return g.stagedBytes() + bytesOf["u16"]
	}
	return g.stagedBytes()
}

// stagedBytes is what the greatest key or sum of a run takes.
func (g *Grouping) stagedBytes() int {
	n := bytesOf["u32"]
	for _, second := range []bool{false, true} {
		for _, t := range g.termsOf(second) {
			if bytes := t.sumBytes(); !g.small(t) {
				n = max(n, bytes)
			}
		}
	}
	for _, id := range g.s.Keys {
		if g.stages(id) {
			n = max(n, bytesOf[g.ctype(g.f.Values[id].Type)])
		}
	}
	return n
}

// sumBytes is the size of a sum of the term.
func (t *term) sumBytes() int {
	n := 0
	for _, ctype := range t.kind.arrays {
		n += bytesOf[ctype]
	}
	return n
}

// mostTileRows is how many rows a tile of runs has at most.
const mostTileRows = 32 << 10

// small reports whether what a tile adds to a term fits 32 bits.
func (g *Grouping) small(t *term) bool {
	return t.kind == sumTerm && t.max <= math.MaxUint32/mostTileRows
}

// stages reports whether the values of a key go through shared memory on their way to the groups:
// others are written where their rows are.
func (g *Grouping) stages(id kernel.ValueID) bool {
	v := &g.f.Values[id]
	return !v.Nullable && bytesOf[g.ctype(v.Type)] > 0
}

// writeRunKeys writes the keys of the runs that begin in a tile.
func (g *Grouping) writeRunKeys(e *Entry, how string) {
	capacity := e.capacity()
	var direct []int
	for i, id := range g.s.Keys {
		if how != UpdateTile || !g.stages(id) {
			direct = append(direct, i)
			continue
		}
		ctype := e.ctype(g.f.Values[id].Type)
		e.Begin("")
		e.Line("%s* const keys = (%s*)staged;", ctype, ctype)
		e.Begin("if (begins == ALL)")
		e.Line("ROWS keys[padded(run_from + r)] = %s;", e.At(id))
		e.Else()
		e.Line("u32 run = run_from;")
		e.Line("ROWS if (bit(begins, r)) keys[padded(run++)] = %s;", e.At(id))
		e.End()
		e.overTileRuns(func() {
			e.Begin("if ((i > 0 || !tile_runs.continues) && tile_runs.first + i < %s)", capacity)
			e.Line("const int r = 0;")
			e.Line("const %s %s[1] = {keys[padded(i)]};", ctype, e.name(id))
			e.store(i, id, "(tile_runs.first + i)")
			e.End()
		})
		e.End()
	}
	if len(direct) == 0 {
		return
	}
	e.Begin("ROWS if (bit(active & begins, r) && cell[r] < %s)", capacity)
	for _, i := range direct {
		e.store(i, g.s.Keys[i], "cell[r]")
	}
	e.End()
}

// overTileRuns writes the loop over the runs i of a tile that have been staged.
func (e *Entry) overTileRuns(body func()) {
	e.Line("__syncthreads();")
	e.overRuns(body)
	e.Line("__syncthreads();")
}

func (e *Entry) overRuns(body func()) {
	e.Begin("for (u32 i = threadIdx.x; i < tile_runs.count; i += T)")
	body()
	e.End()
}

// stageRuns adds what rows give to a term.
func (e *Entry) stageRuns(rows string, t *term, value func() string) {
	kind, ctype := t.kind.name, t.kind.ctype
	if e.grouping.small(t) {
		kind, ctype = "SmallSum", "u32"
	}
	e.Begin("")
	e.Line("%s* const sums = (%s*)staged;", ctype, ctype)
	e.Line("%s sum = {}, head = {};", ctype)
	e.Line("u32 run = run_from;")
	e.Begin("ROWS")
	e.Begin("if (bit(begins, r))")
	e.Line("if (run == run_from) head = sum;")
	e.Line("else sums[padded(run - 1)] = sum;")
	e.Line("sum = {};")
	e.Line("run++;")
	e.End()
	e.Begin("if (bit(%s, r))", rows)
	e.Line("sum = %s::join(sum, %s);", kind, value())
	e.End()
	e.End()
	e.Line("if (begins == 0) head = sum;")
	e.Line("const %s rest = rest_of_run<%s>(heads, head, begins != 0);", ctype, kind)
	e.Line("if (begins) sums[padded(run - 1)] = %s::join(sum, rest);", kind)
	e.overTileRuns(func() {
		e.Line("const %s v = sums[padded(i)];", t.kind.ctype)
		e.storeRun(t)
	})
	e.End()
}

// storeRun writes what run i of a tile has of a term, v: to its cell, or for the entry stitch.
func (e *Entry) storeRun(t *term) {
	e.Line("if (i == 0 && tile_runs.continues) put(v, tile / TILE, %s);", t.borders(e))
	e.Begin("else if (tile_runs.first + i < %s)", e.capacity())
	if column, base := e.runColumn(t); column != "" {
		e.Line("%s[tile_runs.first + i] = (i64)v - %s;", column, base)
	} else {
		e.Line("put(v, tile_runs.first + i, %s);", t.all(e))
	}
	e.End()
}

// countsRows reports whether an accumulator counts all rows: the number of a run's is the difference
// between the places of the first rows of two runs.
func (g *Grouping) countsRows(a *GroupedAcc) bool {
	isNullable := func(id kernel.ValueID) bool { return g.f.Values[id].Nullable }
	return a.kind == keptSum && a.terms[0].ones && a.acc.Filter == kernel.NoValue && !slices.ContainsFunc(a.acc.Args, isNullable)
}

// countsRuns reports whether any accumulator does.
func (g *Grouping) countsRuns() bool {
	for i := range g.accs {
		if g.countsRows(&g.accs[i]) {
			return true
		}
	}
	return false
}

// stageStarts keeps which row of the tile each of its runs begins with. What stages keys waits for
// all threads.
func (g *Grouping) stageStarts(e *Entry) {
	e.Begin("")
	e.Line("u32 total;")
	e.Line("stage_starts(run_starts, begins, run_from, active, rows_before(heads.open, active, total));")
	e.Line("if (threadIdx.x == 0) run_starts[padded(tile_runs.count)] = (u16)total;")
	e.End()
	if !slices.ContainsFunc(g.s.Keys, g.stages) {
		e.Line("__syncthreads();")
	}
}

// countRuns writes how many rows the runs of a tile have.
func (e *Entry) countRuns(t *term) {
	e.Line("// %s", t.note)
	e.overRuns(func() {
		e.Line("const u64 v = run_starts[padded(i + 1)] - run_starts[padded(i)];")
		e.storeRun(t)
	})
}

// borders are the arrays of what the first runs of tiles add.
func (t *term) borders(e *Entry) string {
	return t.arrays(func(i int) string {
		return e.Arg(Arg{Kind: ArgRunBorders, Index: t.array + i}, t.kind.arrays[i]+"*", t.note+", of first runs of tiles")
	})
}

// StitchRuns adds what tiles, one of each thread, have of the runs that begin before them: those of
// one run are joined by the block.
func (g *Grouping) StitchRuns(e *Entry, second bool) {
	e.Line("const bool adds = tile_runs.continues && tile_runs.first < %s;", e.capacity())
	e.Line("const u64 cell = adds ? tile_runs.first : ~0ull, before = cell_before(heads, cell);")
	e.Line("const bool begins = cell != before;")
	for _, t := range g.termsOf(second) {
		e.Begin("")
		e.Line("%s sum = {};", t.kind.ctype)
		e.Line("if (adds) sum = %s::of(tile, %s);", t.kind.name, t.borders(e))
		e.Line("sum = %s::join(sum, rest_of_run<%s>(heads, begins ? %s{} : sum, begins));", t.kind.name, t.kind.name, t.kind.ctype)
		e.Begin("if (adds && begins && some(sum))")
		if column, _ := e.runColumn(t); column != "" {
			e.Line("add_to(%s + cell, sum);", column)
		} else {
			e.Line("%s::add(sum, cell, %s);", t.kind.name, t.all(e))
		}
		e.End()
		e.Line("__syncthreads();")
		e.End()
	}
}

// inColumn is the column of the result in which term array i is added up, where the numbers are
// the result; else -1.
func (g *Grouping) inColumn(array int) int {
	if g.how.runs.Update != UpdateTile || g.s.Cells { // the state is read from its array
		return -1
	}
	column := len(g.s.Keys)
	for i := range g.accs {
		if a := &g.accs[i]; a.terms[0].array == array && g.isResult(a) {
			return column
		}
		column += len(g.accs[i].acc.Dst)
	}
	return -1
}

// isResult reports whether the sum of an accumulator is its result as it stands.
func (g *Grouping) isResult(a *GroupedAcc) bool {
	dst := g.f.Values[a.acc.Dst[0]]
	shape, _ := outputShape(dst)
	return a.kind == keptSum && !dst.Nullable && (shape.Encoding == EncI64 || shape.Encoding == EncU32)
}

// runColumn is the column of the result in which a term is added up, and what the numbers there are
// above; "" where there is none.
func (e *Entry) runColumn(t *term) (column, base string) {
	i := e.grouping.inColumn(t.array)
	if i < 0 {
		return "", ""
	}
	c, base := e.outputColumn(i, e.results[i]), "0"
	if c.shape.Encoding.isOffset() {
		base = e.baseArg(c)
	}
	return e.Arg(c.data, elements[c.shape.Encoding]+"*", c.name), base
}

// unfinished reports whether results are to be written of what has been added up.
func (g *Grouping) unfinished() bool {
	for i := range g.accs {
		if g.inColumn(g.accs[i].terms[0].array) < 0 {
			return true
		}
	}
	return false
}
