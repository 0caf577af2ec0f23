package cuda

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
)

// passName is the name of an entry that goes over the rows, after what it does with them:
// scan_probe3_aggregate.
func (r *renderer) passName(does string) string {
	name := "scan"
	if _, ok := r.f.Source.(*kernel.Unmatched); ok {
		name = "unmatched"
	}
	if r.f.GroupsSource() >= 0 {
		name = "groups"
	}
	probes, merges := 0, 0
	for _, in := range r.f.Body {
		if p, ok := in.(*kernel.Probe); ok && p.Sorted != nil {
			merges++
		} else if ok {
			probes++
		}
	}
	for _, step := range []struct {
		name string
		n    int
	}{{"probe", probes}, {"merge", merges}} {
		if step.n > 0 {
			name += "_" + step.name
		}
		if step.n > 1 {
			name += strconv.Itoa(step.n)
		}
	}
	return name + "_" + does
}

// childName is the kernel that goes on with rows that the entry hands over.
func (e *Entry) childName() string { return e.entryName + "_child" }

// passed notes what a pass says of its entry.
func (e *Entry) passed(p Pass) {
	e.reads, e.eager, e.warps, e.children = p.Reads, p.Eager, p.Warps, p.Children
	if e.reads == nil {
		e.reads = sinkValues(e.f.Sink)
	}
}

// newEntry begins an entry.
func (r *renderer) newEntry(name string) *Entry {
	e := &Entry{entryName: name, loaded: make(map[kernel.ValueID]bool), fetched: make(map[kernel.ValueID]bool), pending: make(map[kernel.ValueID]payloadOf), lookedUp: make(map[*kernel.Probe]*probing), inPart: make(map[kernel.ValueID]bool), byWarp: kernel.NoValue}
	e.renderer = r
	return e
}

// entry renders an entry with a body of its own.
func (r *renderer) entry(name, comment string, tileRows int, body func(e *Entry)) {
	r.boundEntry(name, comment, "T", tileRows, body)
}

// boundEntry is entry with bounds of its launches.
func (r *renderer) boundEntry(name, comment, bounds string, tileRows int, body func(e *Entry)) {
	clear(r.takes)
	r.takes[0] = true // the error, which what is called raises
	e := r.newEntry(name)
	e.Line("// %s", comment)
	e.Begin(`extern "C" __global__ __launch_bounds__(%s) void %s(const Params p)`, bounds, name)
	body(e)
	e.End()
	r.entries = append(r.entries, launch.Entry{
		Name: name, Threads: r.threads, TileRows: tileRows, Takes: slices.Sorted(maps.Keys(r.takes)),
	})
	r.texts = append(r.texts, e.lines.String())
}

// flushing writes the loop over the tiles of the source so that each block calls
// close after every so many tiles, and at the end.
func (e *Entry) flushing(tiles string, body, close func()) {
	e.Begin("for (i64 from = (i64)blockIdx.x * TILE; from < %s; from += %s * gridDim.x * TILE)", e.sourceRows(), tiles)
	e.Line("i64 done = 0;")
	e.tiles("from", fmt.Sprintf("done++ < %s && ", tiles), body)
	close()
	e.End()
}

// tiles writes the loop over the tiles of the source, from one on, as long as a
// condition that ends in && holds.
func (e *Entry) tiles(from, while string, body func()) {
	rows := e.openSource()
	e.Begin("for (i64 tile = %s; %stile < %s; tile += (i64)gridDim.x * TILE)", from, while, rows)
	e.tile(rows, body)
	e.End()
}

// stridedTiles writes the loop over one of so many tiles: see top.cuh.
func (e *Entry) stridedTiles(body func()) {
	rows := e.openSource()
	e.Line("const i64 tiles = (%s + TILE - 1) / TILE, samples = (tiles + STRIDE - 1) / STRIDE;", rows)
	e.Begin("for (i64 sample = blockIdx.x; sample < samples; sample += gridDim.x)")
	e.Line("const i64 tile = sampled_tile(sample, samples, tiles);")
	e.tile(rows, body)
	e.End()
}

// packTiles is tiles where rows wait, with another turn behind the last tile for those that are left. What is fetched first of
// a tile is fetched while the one before is gone over, where registers are left: warps are few where rows wait, and the
// look-ups behind take long.
func (e *Entry) packTiles(while string, body func()) {
	rows := e.openSource()
	e.Line("bool more = true;")
	before := e.lines.String()
	e.lines.Reset()
	e.fetchesNext = e.sparesRegisters()
	e.Begin("for (i64 tile = (i64)blockIdx.x * TILE; more; tile += (i64)gridDim.x * TILE)")
	e.Line("more = %stile < %s;", while, rows)
	e.tile(fmt.Sprintf("(more ? %s : 0)", rows), body)
	e.End()
	loop := e.lines.String()
	e.lines.Reset()
	e.lines.WriteString(before + e.ahead + loop)
}

// sparesRegisters reports whether a kernel is likely to have registers left for the columns of another tile: TPC-H Q18 with
// nine words of a row, and Q21 with three merges, lose more by them (docs/measurements/2026-11-30-marks.md).
func (e *Entry) sparesRegisters() bool {
	return liveWords(e.f) <= maxLargeLive && !slices.ContainsFunc(e.f.Body, func(in kernel.Instr) bool {
		p, ok := in.(*kernel.Probe)
		return ok && p.Sorted != nil
	})
}

// ticketTiles writes the loop over the tiles of the source in their order, which blocks take
// one by one.
func (e *Entry) ticketTiles(while string, body func()) {
	tickets := e.tileRecords()
	rows := e.openSource()
	e.Line("__shared__ u64 ticket;")
	e.Begin("for (;;)")
	e.Line("__syncthreads();")
	next := fmt.Sprintf("atomicAdd(%s, 1ull)", tickets)
	if while != "" {
		next = fmt.Sprintf("%strue ? %s : (u64)%s", while, next, rows)
	}
	e.Line("if (threadIdx.x == 0) ticket = %s;", next)
	e.Line("__syncthreads();")
	e.Line("const i64 tile = (i64)ticket * TILE;")
	e.Line("if (tile >= %s) break;", rows)
	e.tile(rows, body)
	e.End()
}

// tileRecords are the records of the tiles.
func (e *arguments) tileRecords() string {
	return e.Arg(Arg{Kind: ArgTileRecords}, "u64*", "records of the tiles")
}

// openSource says what the source is, and returns the number of its rows.
func (e *Entry) openSource() string {
	name := e.input(e.sourceInput())
	switch e.f.Source.(type) {
	case *kernel.Scan:
		if e.f.GroupsSource() >= 0 {
			e.Line("// groups of %s", name)
			break
		}
		e.Line("// scan %s", name)
	case *kernel.Unmatched:
		e.Line("// rows of %s that no probe has matched", name)
	}
	rows := e.sourceRows()
	if e.spreads() {
		e.Line("const bool spread = %s <= T;  // a row for each thread", rows)
	}
	return rows
}

// tile writes what is done with the rows of the tile that begins at the variable tile.
func (e *Entry) tile(rows string, body func()) {
	e.Line("__syncwarp();  // lanes that have parted in the tile before go on together")
	if e.spreads() {
		e.Line("const i64 first = tile + (spread ? threadIdx.x & ~3u : threadIdx.x * 4);")
		e.Line("u32 active = rows_from(first, %s) & (spread ? 1u << (threadIdx.x & 3) : ALL);", rows)
	} else {
		width := "4"
		if e.sideBySide {
			width = "R"
		}
		e.Line("const i64 first = tile + threadIdx.x * %s;", width)
		e.Line("u32 active = rows_from(first, %s);", rows)
	}
	if s, ok := e.f.Source.(*kernel.Unmatched); ok {
		e.unmatched(s)
	}
	e.presentGroups()
	e.fetchEarly()
	body()
}

// block writes instructions and then what follows them, which may come to stand
// within loops that they open.
func (e *Entry) block(b kernel.Block, then func()) {
	for i := 0; i < len(b); i++ {
		if n := e.comparisons(b[i:]); n > 0 {
			e.compareAll(b[i : i+n])
			i += n - 1
			if e.packs && packs(b[i]) {
				e.pack(b[i+1:], func() { e.block(b[i+1:], then) })
				return
			}
			continue
		}
		e.fetchAhead(b[i:])
		e.need(b[i])
		switch in := b[i].(type) {
		case *kernel.Probe:
			if e.expands(in) {
				e.expand(in, b[i+1:], func(left kernel.Block) { e.block(left, then) })
				return
			}
			e.probe(in)
		case *kernel.Repeat:
			e.repeat(in, func() { e.block(b[i+1:], then) })
			return
		default:
			e.instr(in)
		}
		if e.packs && packs(b[i]) {
			e.pack(b[i+1:], func() { e.block(b[i+1:], then) })
			return
		}
	}
	e.use(e.reads...)
	then()
}
