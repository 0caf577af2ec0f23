package cuda

import (
	"fmt"
	"maps"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
)

// Pass renders an entry that goes over the rows.
func (r *renderer) Pass(p Pass) {
	var parent *Entry
	r.entry(r.passName(p.Name), p.Comment, r.rows*r.threads, func(e *Entry) {
		parent = e
		e.passed(p)
		e.params()
		if p.Open != nil {
			p.Open(e)
		}
		body := func() {
			e.block(r.f.Body, func() {
				if p.Rows != nil {
					p.Rows(e)
				}
			})
		}
		if p.FlushTiles != nil {
			e.flushing(p.FlushTiles(e), body, func() { p.Close(e) })
			return
		}
		while := ""
		if p.While != nil {
			while = p.While(e)
		}
		e.tiles("(i64)blockIdx.x * TILE", while, body)
		if p.Close != nil {
			p.Close(e)
		}
	})
	r.entries[len(r.entries)-1].Source = true
	if parent.handed > 0 {
		r.child(p, parent)
	}
}

// childName is the kernel that goes on with rows that the entry hands over.
func (e *Entry) childName() string { return e.entryName + "_child" }

// child renders the kernel that goes on with rows that the entry of a pass hands over: the
// same pass, without its source. It is not launched by the host.
func (r *renderer) child(p Pass, parent *Entry) {
	e := r.newEntry(parent.entryName)
	e.isChild = true
	e.passed(p)
	e.Line("// goes on with rows that %s hands over", parent.entryName)
	e.Begin(`extern "C" __global__ __launch_bounds__(T) void %s(const Params p, const u64 number, const u32 rows)`, e.childName())
	e.params()
	if p.Open != nil {
		p.Open(e)
	}
	if p.While != nil {
		e.Line("if (!(%strue)) return;", p.While(e))
	}
	before := e.text.String()
	e.block(r.f.Body, func() { p.Rows(e) })
	e.text.Reset()
	e.text.WriteString(before + e.keeps)
	e.depth = 1
	if p.Close != nil {
		p.Close(e)
	}
	e.End()
	last := len(r.texts) - 1
	r.texts = slices.Insert(r.texts, last, e.text.String()) // a kernel is declared before it is launched
	r.entries[last].Takes = slices.Sorted(maps.Keys(r.takes))
}

// passed notes what a pass says of its entry.
func (e *Entry) passed(p Pass) {
	e.reads, e.eager, e.warps, e.children = p.Reads, p.Eager, p.Warps, p.Children
	if e.reads == nil {
		e.reads = sinkValues(e.f.Sink)
	}
}

// newEntry begins an entry.
func (r *renderer) newEntry(name string) *Entry {
	return &Entry{renderer: r, entryName: name, loaded: make(map[kernel.ValueID]bool), fetched: make(map[kernel.ValueID]bool), pending: make(map[kernel.ValueID]payloadOf)}
}

// entry renders an entry with a body of its own.
func (r *renderer) entry(name, comment string, tileRows int, body func(e *Entry)) {
	clear(r.takes)
	r.takes[0] = true // the error, which what is called raises
	e := r.newEntry(name)
	e.Line("// %s", comment)
	e.Begin(`extern "C" __global__ __launch_bounds__(T) void %s(const Params p)`, name)
	body(e)
	e.End()
	r.entries = append(r.entries, launch.Entry{
		Name: name, Threads: r.threads, TileRows: tileRows, Takes: slices.Sorted(maps.Keys(r.takes)),
	})
	r.texts = append(r.texts, e.text.String())
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

// sourceRows is the number of rows of the source.
func (e *Entry) sourceRows() string {
	input := e.sourceInput()
	return e.Arg(Arg{Kind: ArgRows, Input: input}, "i64", "rows of "+e.input(input))
}

// sourceInput is the input that the source reads.
func (r *renderer) sourceInput() int {
	switch s := r.f.Source.(type) {
	case *kernel.Scan:
		return s.Input
	case *kernel.Unmatched:
		return s.Input
	}
	return 0
}

// tiles writes the loop over the tiles of the source, from one on, as long as a
// condition that ends in && holds.
func (e *Entry) tiles(from, while string, body func()) {
	name := e.input(e.sourceInput())
	switch e.f.Source.(type) {
	case *kernel.Scan:
		e.Line("// scan %s", name)
	case *kernel.Unmatched:
		e.Line("// rows of %s that no probe has matched", name)
	}
	rows := e.sourceRows()
	spread := e.spreads()
	if spread {
		e.Line("const bool spread = %s <= T;  // a row for each thread", rows)
	}
	e.Line("for (i64 tile = %s; %stile < %s; tile += (i64)gridDim.x * TILE) {", from, while, rows)
	e.depth++
	e.Line("__syncwarp();  // lanes that have parted in the tile before go on together")
	if spread {
		e.Line("const i64 first = tile + (spread ? threadIdx.x & ~3u : threadIdx.x * 4);")
		e.Line("u32 active = rows_from(first, %s) & (spread ? 1u << (threadIdx.x & 3) : ALL);", rows)
	} else {
		e.Line("const i64 first = tile + threadIdx.x * 4;")
		e.Line("u32 active = rows_from(first, %s);", rows)
	}
	if s, ok := e.f.Source.(*kernel.Unmatched); ok {
		e.unmatched(s)
	}
	e.fetchEarly()
	body()
	e.End()
}

// block writes instructions and then what follows them, which may come to stand
// within loops that they open.
func (e *Entry) block(b kernel.Block, then func()) {
	for i := 0; i < len(b); i++ {
		if n := e.comparisons(b[i:]); n > 0 {
			e.compareAll(b[i : i+n])
			i += n - 1
			continue
		}
		e.fetchAhead(b[i:])
		e.need(b[i])
		switch in := b[i].(type) {
		case *kernel.Probe:
			if e.expands(in) {
				e.expand(in, b[i+1:], func() { e.block(b[i+1:], then) })
				return
			}
			e.probe(in)
		case *kernel.Repeat:
			e.repeat(in, func() { e.block(b[i+1:], then) })
			return
		default:
			e.instr(in)
		}
	}
	e.use(e.reads...)
	then()
}
