package cuda

import "github.com/cubeloom/cubeloom/codegen/kernel"

// Groups that are runs of rows, which come in the order of a key. A strategy finds the number
// of each row's run, its cell; what follows is here.

// The updates: how the rows of a thread, which follow each other, are added to the cells of
// their runs. Between the first run of a thread and the last one lie those that no other
// thread adds to.
const (
	UpdateDirect   = "direct"   // each row by an atomic operation, four rows a thread
	UpdateChunked  = "chunked"  // the same, more rows a thread
	UpdateVariable = "variable" // the rows of a run are joined in a register before
	UpdateArray    = "array"    // all runs are joined before, and those between the first and the last stored
)

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
	switch e.update = how; how {
	case UpdateVariable:
		e.Line("u32 ends = 0;  // the last rows of runs in the thread")
		e.Begin("")
		e.Line("u32 last = 0;")
		e.Begin("ROWS if (bit(active, r))")
		e.Line("if (last != 0 && cell[last - 1] != cell[r]) ends |= 1u << (last - 1);")
		e.Line("last = r + 1;")
		e.End()
		e.Line("if (last != 0) ends |= 1u << (last - 1);")
		e.End()
	case UpdateArray:
		e.Line("u32 first_cell = 0, thread_runs = 0;")
		e.Begin("ROWS if (bit(active, r))")
		e.Line("if (thread_runs == 0) first_cell = cell[r];")
		e.Line("thread_runs = cell[r] - first_cell + 1;")
		e.End()
	}
}

// addRuns is contribute for runs.
func (e *Entry) addRuns(rows string, terms []*term, values func() []string) {
	switch e.update {
	case UpdateVariable:
		e.joinRows(rows, "", "", terms, values, func(sums []string) {
			e.Begin("if (bit(ends, r))")
			for i, t := range terms {
				e.Line("if (some(%s)) %s::add(%s, cell[r], %s);", sums[i], t.kind.name, sums[i], t.all(e))
				e.Line("%s = {};", sums[i])
			}
			e.End()
		})
	case UpdateArray:
		sums := e.joinRows(rows, "[R]", "[cell[r] - first_cell]", terms, values, nil)
		e.Begin("for (u32 run = 0; run < thread_runs; run++)")
		e.Line("const bool is_shared = run == 0 || run == thread_runs - 1;")
		for i, t := range terms {
			e.Begin("if (some(%s[run]))", sums[i])
			e.Line("if (is_shared) %s::add(%s[run], first_cell + run, %s);", t.kind.name, sums[i], t.all(e))
			e.Line("else put(%s[run], first_cell + run, %s);", sums[i], t.all(e))
			e.End()
		}
		e.End()
	default:
		e.addEach(rows, terms, values, func(t *term, v string) { t.addToCell(e, "cell", v) })
	}
}

// joinRows joins what each of some rows gives to terms in registers, of which each term has
// as many as an extent says, at an index. then is written for each row.
func (e *Entry) joinRows(rows, extent, index string, terms []*term, values func() []string, then func(sums []string)) (sums []string) {
	for _, t := range terms {
		sum := e.Temp("sum")
		e.Line("%s %s%s = {};", t.kind.ctype, sum, extent)
		sums = append(sums, sum)
	}
	e.Begin("ROWS")
	e.Begin("if (bit(%s, r))", rows)
	for i, v := range values() {
		at := sums[i] + index
		e.Line("%s = %s::join(%s, %s);", at, terms[i].kind.name, at, v)
	}
	e.End()
	if then != nil {
		then(sums)
	}
	e.End()
	return sums
}

// finishRuns writes the results of the groups, whose keys are written.
func (g *Grouping) finishRuns(e *Entry) {
	e.params()
	cells := e.Arg(Arg{Kind: ArgCells}, "u64", "cells")
	e.Begin("for (u64 cell = (u64)blockIdx.x * T + threadIdx.x; cell < %s; cell += (u64)gridDim.x * T)", cells)
	e.Line("const int r = 0;")
	out := len(g.s.Keys)
	for i := range g.accs {
		g.accs[i].result(g, e)
		for _, id := range g.accs[i].acc.Dst {
			e.store(out, id, "cell")
			out++
		}
	}
	e.End()
}

// ticketTiles writes the loop over the tiles of the source in their order, which blocks take
// one by one.
func (e *Entry) ticketTiles(body func()) {
	tickets := e.Arg(Arg{Kind: ArgTileRecords}, "u64*", "records of the tiles")
	rows := e.openSource()
	e.Line("__shared__ u64 ticket;")
	e.Begin("for (;;)")
	e.Line("__syncthreads();")
	e.Line("if (threadIdx.x == 0) ticket = atomicAdd(%s, 1ull);", tickets)
	e.Line("__syncthreads();")
	e.Line("const i64 tile = (i64)ticket * TILE;")
	e.Line("if (tile >= %s) break;", rows)
	e.tile(rows, body)
	e.End()
}
