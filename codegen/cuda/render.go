package cuda

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
)

// Refusal says why a kernel is not rendered; it runs on the CPU then.
type Refusal struct{ Reason string }

// Error implements error.
func (r *Refusal) Error() string { return r.Reason }

// Render renders f over inputs of the given shapes, which stand in the order of
// f.Inputs. What it does not know how to render it refuses with a *Refusal.
// The source needs a compiler with 128-bit integers.
func (t *Target) Render(f *kernel.Func, shapes []InputShape) (*Module, error) {
	return newRenderer(t, f, shapes).render()
}

// render renders the kernel.
func (r *renderer) render() (*Module, error) {
	r.source()
	r.sink()
	if r.err != nil {
		return nil, r.err
	}
	m := r.module()
	if r.err != nil {
		return nil, r.err
	}
	return m, launch.Verify(m.Plan)
}

// threads is how many threads a block has, mostly.
const threads = 256

// renderer renders one kernel. The first refusal makes an end of it: what is
// rendered after it is thrown away.
type renderer struct {
	f        *kernel.Func
	shapes   []InputShape
	target   *Target
	threads  int // of a block
	rows     int // of a tile in each thread
	args     []Arg
	words    []launch.Word // of the args
	taken    map[int]bool  // words that the entry being written takes
	fields   []string
	known    map[Arg]string
	files    []string
	entries  []launch.Entry
	texts    []string
	outputs  []ColumnShape
	results  []kernel.ValueID // of the outputs
	bases    []int64
	sites    []Site
	maps     []*kernel.Map
	likes    []*kernel.Compute
	grouping *Grouping // of an Aggregate by cells
	sort     *sortLayout
	layout   Layout
	noCells  bool   // a Build is not of LayoutCells
	narrow   []bool // by value: see narrowValues
	err      error
}

func newRenderer(t *Target, f *kernel.Func, shapes []InputShape) *renderer {
	r := &renderer{target: t, f: f, shapes: shapes, threads: threads, known: make(map[Arg]string), taken: make(map[int]bool)}
	r.rows = rowsPerThread(f)
	r.include("prelude.cuh")
	r.include("load.cuh")
	r.include("integers.cuh")
	r.include("floats.cuh")
	r.include("block.cuh")
	r.Arg(Arg{Kind: ArgError}, "u64*", "the first error")
	r.collectMaps(f.Body)
	r.narrow = r.narrowValues()
	return r
}

// refuse says why the kernel cannot be rendered.
func (r *renderer) refuse(format string, args ...any) {
	if r.err == nil {
		r.err = &Refusal{Reason: fmt.Sprintf(format, args...)}
	}
}

// include adds a file of device primitives.
func (r *renderer) include(file string) { r.Include(deviceFile(file)) }

// Include adds device code.
func (r *renderer) Include(text string) {
	if !slices.Contains(r.files, text) {
		r.files = append(r.files, text)
	}
}

// Arg gives the expression of an argument, adding it where it is new. ctype is
// its type in the source, of 64 bits.
func (r *renderer) Arg(a Arg, ctype, comment string) string {
	if name, ok := r.known[a]; ok {
		r.taken[slices.Index(r.args, a)] = true
		return name
	}
	field := fmt.Sprintf("%s_%d", a.Kind, len(r.args))
	r.taken[len(r.args)] = true
	r.args = append(r.args, a)
	r.words = append(r.words, launch.Word{Name: field, Pointer: strings.Contains(ctype, "*"), Bound: a.bound()})
	r.fields = append(r.fields, fmt.Sprintf("    %s %s;  // %s", ctype, field, oneLine(comment)))
	r.known[a] = "p." + field
	return r.known[a]
}

// source checks that the source is one that can be rendered.
func (r *renderer) source() {
	switch s := r.f.Source.(type) {
	case *kernel.Scan:
		for _, c := range s.Cols {
			r.checkColumn(r.shapes[s.Input].Columns[c.Ordinal])
		}
	case *kernel.Unmatched:
		for _, c := range s.Cols {
			r.checkColumn(r.shapes[s.Input].Table.Payload[c.Ordinal])
		}
	}
}

// sink renders the entries.
func (r *renderer) sink() {
	switch s := r.f.Sink.(type) {
	case *kernel.Materialize:
		r.materialize(s)
	case *kernel.Build:
		r.build(s)
	case *kernel.Aggregate:
		r.aggregate(s)
	case *kernel.Sort:
		r.sorting(s)
	default:
		r.refuse("there is no device code for a sink of type %T", s)
	}
}

// module puts the source together.
func (r *renderer) module() *Module {
	var b strings.Builder
	fmt.Fprintf(&b, "constexpr int T = %d;  // threads of a block\nconstexpr int R = %d;  // rows of a thread\n\n", r.threads, r.rows)
	for _, file := range r.files {
		b.WriteString(file)
		b.WriteByte('\n')
	}
	b.WriteString("struct Params {\n")
	for _, field := range r.fields {
		b.WriteString(field)
		b.WriteByte('\n')
	}
	b.WriteString("};\n")
	for _, text := range r.texts {
		b.WriteByte('\n')
		b.WriteString(text)
	}
	return &Module{
		Source: b.String(), Args: r.args, Plan: r.plan(),
		Outputs: r.outputs, Bases: r.bases, Results: r.results, Sites: r.sites, Maps: r.maps, Likes: r.likes,
		Layout: r.layout,
	}
}

// oneLine makes a comment of a text of any kind.
func oneLine(s string) string {
	s = strings.Map(func(c rune) rune {
		if c < ' ' || c == '\\' || c > '~' {
			return ' '
		}
		return c
	}, s)
	return s[:min(len(s), 80)]
}
