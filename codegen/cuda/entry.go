package cuda

import (
	"fmt"
	"maps"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// pass is an entry that goes over the rows of the source: what the sink does
// before them, with the rows of a tile that have come through the body, and
// after all tiles. rows may be called for several sets of rows of one tile; every
// thread of the block gets there, with or without rows. Any of them may be nil.
type pass struct {
	name              string
	comment           string
	reads             []kernel.ValueID // what rows reads; nil: all that the sink does
	open, rows, close func(e *entry)
}

// entry is a kernel of the source while it is written. The mask of the rows that
// count is the variable active.
type entry struct {
	*renderer
	text    strings.Builder
	depth   int
	reads   []kernel.ValueID             // by the sink
	loaded  map[kernel.ValueID]bool      // columns of the source
	fetched map[kernel.ValueID]bool      // columns of the source whose bits are in registers
	pending map[kernel.ValueID]payloadOf // columns of tables that are not loaded yet
	temps   int
}

// line writes a line.
func (e *entry) line(format string, args ...any) {
	e.text.WriteString(strings.Repeat("    ", e.depth))
	fmt.Fprintf(&e.text, format, args...)
	e.text.WriteByte('\n')
}

// begin opens a block of the source with a line, and end closes it.
func (e *entry) begin(format string, args ...any) {
	e.line("%s", strings.TrimSpace(fmt.Sprintf(format, args...)+" {"))
	e.depth++
}

func (e *entry) end() {
	e.depth--
	e.line("}")
}

// temp is a new name.
func (e *entry) temp(prefix string) string {
	e.temps++
	return fmt.Sprintf("%s_t%d", prefix, e.temps)
}

// pass renders an entry that goes over the rows.
func (r *renderer) pass(p pass) {
	r.entry(p.name, p.comment, r.rows*r.threads, func(e *entry) {
		e.reads = p.reads
		if e.reads == nil {
			e.reads = sinkValues(r.f.Sink)
		}
		e.params()
		if p.open != nil {
			p.open(e)
		}
		e.tiles(func() {
			e.block(r.f.Body, func() {
				if p.rows != nil {
					p.rows(e)
				}
			})
		})
		if p.close != nil {
			p.close(e)
		}
	})
}

// entry renders an entry with a body of its own.
func (r *renderer) entry(name, comment string, tileRows int, body func(e *entry)) {
	e := &entry{renderer: r, loaded: make(map[kernel.ValueID]bool), fetched: make(map[kernel.ValueID]bool), pending: make(map[kernel.ValueID]payloadOf)}
	e.line("// %s", oneLine(comment))
	e.begin(`extern "C" __global__ __launch_bounds__(T) void %s(const Params p)`, name)
	body(e)
	e.end()
	r.entries = append(r.entries, Entry{Name: name, Threads: r.threads, TileRows: tileRows})
	r.texts = append(r.texts, e.text.String())
}

// tiles writes the loop over the tiles of the source.
func (e *entry) tiles(body func()) {
	input := 0
	switch s := e.f.Source.(type) {
	case *kernel.Scan:
		input = s.Input
		e.line("// scan %s", oneLine(e.f.Inputs[input].Name))
	case *kernel.Unmatched:
		input = s.Input
		e.line("// rows of %s that no probe has matched", oneLine(e.f.Inputs[input].Name))
	}
	rows := e.arg(Arg{Kind: ArgRows, Input: input}, "i64", "rows of "+e.f.Inputs[input].Name)
	e.line("for (i64 tile = (i64)blockIdx.x * TILE; tile < %s; tile += (i64)gridDim.x * TILE) {", rows)
	e.depth++
	e.line("__syncwarp();  // lanes that have parted in the tile before go on together")
	e.line("const i64 first = tile + threadIdx.x * 4;")
	e.line("u32 active = rows_from(first, %s);", rows)
	if s, ok := e.f.Source.(*kernel.Unmatched); ok {
		e.unmatched(s)
	}
	e.fetchEarly()
	body()
	e.end()
}

// block writes instructions and then what follows them, which may come to stand
// within loops that they open.
func (e *entry) block(b kernel.Block, then func()) {
	for i := 0; i < len(b); i++ {
		if n := e.comparisons(b[i:]); n > 0 {
			e.compareAll(b[i : i+n])
			i += n - 1
			continue
		}
		e.need(b[i])
		switch in := b[i].(type) {
		case *kernel.Probe:
			if e.expands(in) {
				e.expand(in, func() { e.block(b[i+1:], then) })
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

// instr writes an instruction that neither adds rows nor needs others.
func (e *entry) instr(in kernel.Instr) {
	switch in := in.(type) {
	case *kernel.Compute:
		e.compute(in)
	case *kernel.Filter:
		e.line("active &= %s;%s", e.truth(in.Cond), e.about(in.Cond, "filter"))
	case *kernel.If:
		e.branch(in)
	case *kernel.Map:
		e.mapping(in)
	}
}

// need makes sure that the columns that an instruction reads are loaded.
func (e *entry) need(in kernel.Instr) {
	kernel.VisitBlock(kernel.Block{in}, func(id *kernel.ValueID) { e.use(*id) })
}

// scoped writes what stands in a block of its own: columns that are loaded there
// are not known after it.
func (e *entry) scoped(body func()) {
	loaded, fetched, pending := maps.Clone(e.loaded), maps.Clone(e.fetched), maps.Clone(e.pending)
	body()
	e.loaded, e.fetched, e.pending = loaded, fetched, pending
}
