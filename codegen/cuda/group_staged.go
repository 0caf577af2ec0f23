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
	if g.stagesStarts() {
		return g.stagedBytes() + bytesOf[g.startType()]
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
	return !v.Nullable && v.Type != kernel.Bool && bytesOf[g.ctype(v.Type)] > 0 // rows have booleans in a mask
}

// stagedKeys are the keys that do, by their numbers.
func (g *Grouping) stagedKeys() (keys []int) {
	for i, id := range g.s.Keys {
		if g.stages(id) {
			keys = append(keys, i)
		}
	}
	return keys
}

// stagesStarts reports whether it is kept which row of the tile each run begins with.
func (g *Grouping) stagesStarts() bool {
	return g.countsRuns() || len(g.stagedKeys()) > 0
}

// startType is what is kept of where a run begins: its row of the tile, and how many rows come before it where
// that is another number and is asked for.
func (g *Grouping) startType() string {
	if g.countsRuns() && !g.keepsRows() {
		return "u32"
	}
	return "u16"
}

// StageRuns keeps the first key of a tile's rows in shared memory: registers are free then for what comes.
func (g *Grouping) StageRuns(e *Entry, how string) {
	if keys := g.stagedKeys(); how == UpdateTile && len(keys) > 0 && g.s.Keys[keys[0]] != e.byWarp {
		e.Line("stage_rows(staged, %s);", e.name(g.s.Keys[keys[0]]))
	}
}

// StageStarts keeps with which rows the runs of a tile begin.
func (g *Grouping) StageStarts(e *Entry, how string) {
	if how == UpdateTile && g.stagesStarts() {
		e.Line("stage_starts(run_starts, begun, active);")
	}
}

// writeStaged writes the keys of a tile's runs that go through shared memory, and how many rows they
// have.
func (g *Grouping) writeStaged(e *Entry) {
	var counts []*GroupedAcc
	for i := range g.accs {
		if a := &g.accs[i]; g.countsRows(a) {
			counts = append(counts, a)
		}
	}
	for _, a := range counts {
		e.Line("if (threadIdx.x == 0 && tile_runs.continues) put(rows_of(run_starts, begun, 0), tile / TILE, %s);", a.terms[0].borders(e))
	}
	keys := g.stagedKeys()
	for n := range max(len(keys), min(len(counts), 1)) {
		if n > 0 {
			e.Line("__syncthreads();")
			e.Line("stage_rows(staged, %s);", e.name(g.s.Keys[keys[n]]))
			e.Line("__syncthreads();")
		}
		e.Begin("over_runs(run_starts, begun, tile_runs, %s, [&](u64 place, u32 row, u32 steps, u64 rows)", e.capacity())
		if n < len(keys) {
			id := g.s.Keys[keys[n]]
			e.Line("const int r = 0;")
			e.Line("const %[1]s %[2]s[1] = {staged_row<%[1]s>(staged, row, steps)};", e.kept(id), e.name(id))
			e.store(keys[n], id, "place")
		}
		if n == 0 {
			for _, a := range counts {
				e.putRun(&a.terms[0], "rows", "place")
			}
		}
		e.endWith(");")
	}
}

// writeRunKeys writes the other keys of the runs that begin in a tile.
func (g *Grouping) writeRunKeys(e *Entry, how string) {
	var direct []int
	for i, id := range g.s.Keys {
		if how != UpdateTile || !g.stages(id) {
			direct = append(direct, i)
		}
	}
	if len(direct) == 0 {
		return
	}
	e.Begin("ROWS if (bit(active & begins, r) && cell[r] < %s)", e.capacity())
	for _, i := range direct {
		e.store(i, g.s.Keys[i], "cell[r]")
	}
	e.End()
}

// OnlyCountsRuns reports whether a tile's rows are counted, at most, and their keys written by way of shared memory.
func (g *Grouping) OnlyCountsRuns(how string) bool {
	adds := func(a GroupedAcc) bool { return !g.countsRows(&a) }
	return how == UpdateTile && len(g.stagedKeys()) == len(g.s.Keys) && !slices.ContainsFunc(g.accs, adds)
}

// KeyByWarp is the first key where runs are only counted and warps can fetch it into shared memory: it is a
// column of the source, of which all rows are wanted; else NoValue.
func (g *Grouping) KeyByWarp(how string) kernel.ValueID {
	if !g.OnlyCountsRuns(how) || !g.keepsRows() {
		return kernel.NoValue
	}
	id := g.s.Keys[0]
	c, ok := g.sourceColumn(id)
	if !ok || rawTypes[c.shape.Encoding] == "" || bytesOf[g.ctype(g.f.Values[id].Type)] < bytesOf["u32"] {
		return kernel.NoValue
	}
	return id
}

// FetchByWarp has warps fetch such a key. When a tile begins, what the one before has in shared memory must not be
// read any more.
func (e *Entry) FetchByWarp(id kernel.ValueID) { e.byWarp = id }

// stageRuns adds what rows give to a term.
func (e *Entry) stageRuns(rows string, t *term, value func() string) {
	kind, ctype := t.kind.name, t.kind.ctype
	if e.grouping.small(t) {
		kind, ctype = "SmallSum", "u32"
	}
	e.Line("__syncthreads();")
	e.Begin("")
	e.Line("%s* const sums = (%s*)staged;", ctype, ctype)
	e.Line("%s sum = {}, head = {};", ctype)
	e.Line("u32 run = begun.runs;")
	e.Begin("ROWS")
	e.Begin("if (bit(begins, r))")
	e.Line("if (run == begun.runs) head = sum;")
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
	e.Line("__syncthreads();")
	e.Begin("for (u32 i = threadIdx.x; i < tile_runs.count; i += T)")
	e.Line("const %s v = sums[padded(i)];", t.kind.ctype)
	e.Line("if (i == 0 && tile_runs.continues) put(v, tile / TILE, %s);", t.borders(e))
	e.Begin("else if (tile_runs.first + i < %s)", e.capacity())
	e.putRun(t, "v", "tile_runs.first + i")
	e.End()
	e.End()
	e.End()
}

// putRun writes what a run has of a term to its cell.
func (e *Entry) putRun(t *term, v, cell string) {
	if column, base := e.runColumn(t); column != "" {
		e.Line("%s[%s] = (i64)%s - %s;", column, cell, v, base)
	} else {
		e.Line("put(%s, %s, %s);", v, cell, t.all(e))
	}
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
