package ordered

import (
	_ "embed"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
)

//go:embed runs.cuh
var code string

// argFirstTile is the number of a launch's first tile among those of all chunks, and
// argChunkRows how many rows the chunk has.
var (
	argFirstTile = cuda.Arg{Kind: "first_tile"}
	argChunkRows = cuda.Arg{Kind: "chunk_rows"}
)

// stageNames are what entries are called after the stages that they have.
var stageNames = [...]string{"mask", "sum", "offset", "place", "aggregate"}

// name is what the entry of a kernel is called.
func (s span) name() string {
	if s.has(aggregation) {
		return "aggregate"
	}
	return strings.Join(stageNames[s.from:s.to], "_")
}

// runs renders the kernels of a form.
type runs struct{ *cuda.Grouping }

func (x *runs) form() []span { return forms[x.RunForm().Kernels] }

// residentThreads is how many threads of a multiprocessor are resident with next to nothing spilled, where runs are
// only counted and the values of a thread's rows take so many registers; the compiler would take more for each.
func residentThreads(registers int) int { return min(1536, 64<<10/(registers+20)) }

// render writes the entry of a kernel.
func (x *runs) render(s span) {
	switch {
	case s.passes():
		pass := cuda.Pass{
			Name: s.name(), Comment: "groups runs of rows", Tickets: s.placesTiles(),
			Open: func(e *cuda.Entry) { x.open(e, s) },
			Rows: func(e *cuda.Entry) { x.rows(e, s) },
		}
		if !s.has(aggregation) {
			pass.Reads = []kernel.ValueID{x.By()}
		} else if live := x.TileRows() * x.LiveWords(); x.OnlyCountsRuns(x.RunForm().Update) && live <= countedRows {
			pass.Resident = residentThreads(live)
		}
		x.Pass(pass)
	case s == span{offsets, propagation}:
		x.Entry(s.name(), "counts the runs before each tile; one block", 0, x.scan)
	default:
		x.Entry(s.name(), "numbers runs", x.TileRows()*x.Threads(), func(e *cuda.Entry) { x.tiles(e, s) })
	}
}

// open declares what a block has.
func (x *runs) open(e *cuda.Entry, s span) {
	if s.has(mask) || s.has(partial) || s.has(aggregation) {
		e.Line("__shared__ RunScratch runs;")
	}
	if s.has(aggregation) {
		x.OpenRuns(e, x.RunForm().Update)
		if s.placesTiles() {
			e.FetchByWarp(x.KeyByWarp(x.RunForm().Update))
		}
	}
}

func records(e *cuda.Entry) string {
	return e.Arg(cuda.Arg{Kind: cuda.ArgTileRecords}, "u64*", "records of the tiles")
}

func firstTile(e *cuda.Entry) string {
	return e.Arg(argFirstTile, "i64", "tiles of the chunks before")
}

// tiles goes over tiles without their rows.
func (x *runs) tiles(e *cuda.Entry, s span) {
	x.open(e, s)
	rows := e.Arg(argChunkRows, "i64", "rows of the chunk")
	e.Begin("for (i64 tile = (i64)blockIdx.x * TILE; tile < %s; tile += (i64)gridDim.x * TILE)", rows)
	e.Line("const i64 first = tile + threadIdx.x * R;")
	x.rows(e, s)
	e.End()
}

// rows does what the stages of a kernel do with a tile.
func (x *runs) rows(e *cuda.Entry, s span) {
	e.Line("const i64 number = %s + tile / TILE;", firstTile(e))
	if !s.placesTiles() {
		e.Line("__syncthreads();") // for what the tile before has in shared memory
	}
	e.Line("u32 cell[R];")
	for i := range all {
		if c := &all[i]; s.needs(c) {
			e.Line(c.load, c.array(e))
		}
	}
	if s.has(aggregation) {
		x.StageRuns(e, x.RunForm().Update)
	}
	switch {
	case s.has(mask):
		x.begins(e)
	case s.has(partial):
		e.Line("const Begun begun = count_runs(runs, ALL, begins);")
	case s.has(aggregation):
		e.Line("const Begun begun = count_runs(runs, active, begins);")
	}
	x.number(e, s)
	for i := range all {
		if c := &all[i]; s.leaves(c) {
			e.Line(c.store, c.array(e))
		}
	}
	if s.has(aggregation) {
		x.AddRuns(e, x.RunForm().Update)
	}
}

// begins declares which rows begin runs.
func (x *runs) begins(e *cuda.Entry) {
	e.Line("RunKey run_keys[R];")
	e.Line("ROWS run_keys[r] = %s;", x.RunKey(e))
	e.Line("const Begun begun = begin_runs(runs, active, run_keys);")
	e.Line("const u32 begins = begun.begins;")
}

// number numbers the runs, within a tile, and then of all; what is kept of a tile's runs in shared memory
// is kept while its place is looked for.
func (x *runs) number(e *cuda.Entry, s span) {
	if s.has(mask) {
		e.Line("tell_tile(runs, %s, number, begun.all_runs);", records(e))
	}
	if s.has(partial) {
		e.Line("rank_runs(begun, cell);")
		if !s.has(mask) {
			e.Line("if (threadIdx.x == 0) count_tile(%s, number, begun.all_runs);", records(e))
		}
	}
	if s.has(aggregation) {
		x.StageStarts(e, x.RunForm().Update)
	}
	if s.placesTiles() {
		e.Line("place_tile(runs, %s, number, begun.all_runs);", records(e))
	}
	if s.placesTiles() || s.has(aggregation) {
		e.Line("__syncthreads();")
	}
	switch {
	case s.placesTiles():
		e.Line("const TileRuns tile_runs = runs.placed;")
	case s.has(propagation), s.has(aggregation):
		e.Line("const TileRuns tile_runs = placed_tile(%s, number);", records(e))
	}
	if s.has(propagation) {
		e.Line("ROWS cell[r] += (u32)tile_runs.first;")
	}
}

// second is the pass that adds what depends on the groups as a whole, when all tiles have been
// placed.
func (x *runs) second() {
	x.Pass(cuda.Pass{
		Name: "aggregate_second", Comment: "accumulates what depends on the groups as a whole",
		Open: func(e *cuda.Entry) {
			x.open(e, span{mask, offsets})
			x.OpenRuns(e, x.RunForm().Update)
		},
		Rows: func(e *cuda.Entry) {
			e.Line("__syncthreads();")
			e.Line("u32 cell[R];")
			x.begins(e)
			e.Line("rank_runs(begun, cell);")
			e.Line("const TileRuns tile_runs = placed_tile(%s, %s + tile / TILE);", records(e), firstTile(e))
			e.Line("ROWS cell[r] += (u32)tile_runs.first;")
			x.AddSecond(e, x.RunForm().Update)
		},
	})
}

// stitch is the entry that adds what tiles have of runs that begin in tiles before, of one of the
// passes over the rows.
func (x *runs) stitch(second bool) {
	x.Entry(stitchName(second), "adds what tiles have of runs that begin before them", x.Threads(), func(e *cuda.Entry) {
		rows := e.Arg(argChunkRows, "i64", "rows of the chunk")
		e.Line("__shared__ Heads heads;")
		e.Line("const i64 tiles = (%s + TILE - 1) / TILE;", rows)
		e.Begin("for (i64 from = (i64)blockIdx.x * T; from < tiles; from += (i64)gridDim.x * T)")
		e.Line("const i64 tile = from + threadIdx.x;")
		e.Line("const TileRuns tile_runs = tile < tiles ? placed_tile(%s, %s + tile) : TileRuns{};", records(e), firstTile(e))
		x.StitchRuns(e, second)
		e.End()
	})
}

func stitchName(second bool) string {
	if second {
		return "stitch_second"
	}
	return "stitch"
}

// array is where it is kept.
func (c *carried) array(e *cuda.Entry) string {
	return e.Arg(c.Arg, c.ctype+"*", "what is left to kernels behind")
}

// scan places all tiles.
func (x *runs) scan(e *cuda.Entry) {
	e.Line("__shared__ Runs parts[T];")
	e.Line("scan_tiles(parts, %s, %s, (%s + TILE - 1) / TILE);", records(e), firstTile(e), e.Arg(argChunkRows, "i64", "rows of the chunk"))
}
