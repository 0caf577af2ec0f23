package cuda

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
)

// Render renders f over inputs of the given shapes, which stand in the order of
// f.Inputs. What it does not know how to render it refuses with a *Refusal.
// The source needs a compiler with 128-bit integers.
func (t *Target) Render(f *kernel.Func, shapes []InputShape) (*Module, error) {
	return newRenderer(t, f, shapes).render()
}

// render renders the kernel.
func (r *renderer) render() (*Module, error) {
	r.source()
	r.threads = r.filterThreads()
	if packedBehind(r.f) >= 0 {
		r.rows = packRows
	}
	r.sink()
	r.makeFilters() // when the sink has chosen the size of blocks
	if r.err != nil {
		return nil, r.err
	}
	m := r.module()
	if r.err != nil {
		return nil, r.err
	}
	return m, launch.Verify(m.Plan)
}

// source checks that the source is one that can be rendered.
func (r *renderer) source() {
	switch s := r.f.Source.(type) {
	case *kernel.Scan:
		if groups := r.shapes[s.Input].Groups; groups != nil {
			r.includeCells(groups)
			return
		}
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
	case *kernel.Window:
		r.windows(s, false, (*windowing).compute)
	case *kernel.Cubing:
		r.cubing(s)
	case *kernel.Several:
		r.several(s)
	default:
		r.refuse("there is no device code for a sink of type %T", s)
	}
}

// module puts the source together.
func (r *renderer) module() *Module {
	var b strings.Builder
	if r.sideBySide {
		b.WriteString("#define SIDE_BY_SIDE\n")
	}
	fmt.Fprintf(&b, "constexpr int T = %d;  // threads of a block\nconstexpr int R = %d;  // rows of a thread\n\n", r.threads, r.rows)
	for _, file := range r.files {
		b.WriteString(file)
		b.WriteByte('\n')
	}
	b.WriteString(paramsHead)
	for _, field := range r.fields {
		b.WriteString(field)
		b.WriteByte('\n')
	}
	b.WriteString("};\n\n")
	for line := range strings.Lines(kernel.Outline(r.f)) {
		b.WriteString("// " + line)
	}
	for _, text := range r.texts {
		b.WriteByte('\n')
		b.WriteString(text)
	}
	return &Module{
		Source: b.String(), Args: r.args, Plan: r.plan(),
		Outputs: r.outputs, Bases: r.bases, Results: r.results, Sites: r.sites, Maps: r.maps, Likes: r.likes,
		Layout: r.layout, Groups: r.cells(), Added: r.added(),
	}
}

// RenderBuild is Render for a Build whose table is not to be of LayoutCells,
// which holds only tables in which every row has a key of its own.
func (t *Target) RenderBuild(f *kernel.Func, shapes []InputShape) (*Module, error) {
	r := newRenderer(t, f, shapes)
	r.noCells = true
	return r.render()
}

// RenderSample renders a kernel that looks some tiles of the source up in the table of f's
// first expansion. Its plan ends with the words of the sample: see Fanouts.
func (t *Target) RenderSample(f *kernel.Func, shapes []InputShape) (*Module, error) {
	r := newRenderer(t, f, shapes)
	r.samples = true
	r.source()
	r.include("sample.cuh")
	r.entry(r.passName("sample"), "samples how matches spread over rows", r.rows*r.threads, (*Entry).sample)
	m := r.module()
	if r.err != nil {
		return nil, r.err
	}
	return m, launch.Verify(m.Plan)
}

// plan makes the launch plan.
func (r *renderer) plan() *launch.Plan {
	p := &Planner{renderer: r, fills: make(map[Arg]launch.Arg), made: &launch.Plan{
		Name: oneLine(r.f.Name), Entries: r.entries, Blocks: []launch.Block{{Name: "kernel", Words: r.words}},
	}}
	p.status = p.buffer("status", 1)
	p.add(&launch.Alloc{Buffer: p.status, Sizes: []launch.Expr{launch.Int(8 * p.statusWords())}, Fill: launch.Zeros})
	p.Pointer(Arg{Kind: ArgError}, launch.InOut, p.statusWord(statusError))
	p.Pointer(Arg{Kind: ArgCount}, launch.InOut, p.statusWord(statusCount))
	if r.samples {
		p.planSample()
	} else {
		p.planSink()
	}
	p.handOver()
	p.countMatches()
	p.planFilters()
	p.made.Body = p.list
	return p.made
}

// planSink plans the launches that the sink needs.
func (p *Planner) planSink() {
	if p.window != nil {
		p.window(p)
		return
	}
	switch s := p.f.Sink.(type) {
	case *kernel.Materialize:
		p.planMaterialize(s)
	case *kernel.Build:
		p.planBuild(s)
	case *kernel.Aggregate:
		switch {
		case p.grouping == nil:
			p.planSingle(s)
		case p.grouping.Layout.Runs:
			p.planRuns()
		default:
			p.planGroups(s)
		}
	case *kernel.Sort:
		p.planSort(s)
	case *kernel.Several:
		p.planSeveral(s)
	}
}

// aggregate renders an Aggregate by its strategy.
func (r *renderer) aggregate(s *kernel.Aggregate) {
	switch {
	case ordersRows(r.f):
		if s.Cells {
			r.refuse("groups of rows that are ordered first have no cells")
		}
		r.sortedGroups(s)
	case isSingle(s):
		r.single(s)
	default:
		if s.Cells && sumsFloats(r.f, s) {
			r.refuse("sums of double precision may have overflowed in groups that nobody reads")
		}
		r.grouped(s)
	}
}

// LeavesCells reports whether f, an aggregation, can leave its groups in cells.
func LeavesCells(f *kernel.Func) bool {
	s, _ := f.Sink.(*kernel.Aggregate)
	return len(s.Keys) > 0 && !ordersRows(f) && !sumsFloats(f, s)
}

// sumsFloats reports whether an Aggregate adds up double precision, whose sums are looked at when
// they are read: an error is one in a group that HAVING leaves out, too.
func sumsFloats(f *kernel.Func, s *kernel.Aggregate) bool {
	return slices.ContainsFunc(s.Accs, func(a kernel.Acc) bool {
		return slices.ContainsFunc(a.Dst, func(id kernel.ValueID) bool { return f.Values[id].Type == kernel.F64 }) && a.Op != kernel.AccMin && a.Op != kernel.AccMax
	})
}

// cells are those in which an Aggregate leaves its groups.
func (r *renderer) cells() *GroupCells {
	if s, ok := r.f.Sink.(*kernel.Aggregate); ok && s.Cells && r.grouping != nil {
		return r.grouping.cells()
	}
	return nil
}

// added is where the status counts additions.
func (r *renderer) added() int {
	if _, counted := r.known[Arg{Kind: ArgAdditions}]; counted {
		return statusAdded
	}
	return 0
}
