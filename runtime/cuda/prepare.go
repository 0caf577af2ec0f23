package cuda

import (
	"cmp"
	"context"
	"sync"

	"github.com/cubeloom/cubeloom/codegen"
	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/fault"
)

// Prepare compiles the kernels of the steps of prog for which here is true, all
// at the same time, for the shapes that their inputs are likely to have. It
// returns at once; wait returns when all is done. Where a shape turns out to be
// another the step's run renders and compiles anew, and an error is left for it
// to find.
func (b *Backend) Prepare(ctx context.Context, prog *codegen.Program, here []bool) (wait func()) {
	p := b.preparation(ctx, prog)
	p.compiles = true
	p.group.Go(func() { p.steps(here) })
	return p.group.Wait
}

// Rendered returns, by step, the modules that the steps for which here is true would run
// as, for the shapes that their inputs are likely to have; nil where these are not known.
func (b *Backend) Rendered(ctx context.Context, prog *codegen.Program, here []bool) []*Rendered {
	p := b.preparation(ctx, prog)
	p.steps(here)
	return p.rendered
}

// Rendered is a module with the shapes that it was rendered for.
type Rendered struct {
	Module *cudagen.Module
	Shapes []cudagen.InputShape
	Found  []string // by a tuner: how it aggregates, and its launch parameters
}

func (b *Backend) preparation(ctx context.Context, prog *codegen.Program) *preparation {
	n := len(prog.Steps)
	return &preparation{backend: b, ctx: ctx, prog: prog, outputs: make([]*estimated, n), rendered: make([]*Rendered, n)}
}

// steps renders steps. One whose columns cannot be read fails when it runs.
func (p *preparation) steps(here []bool) {
	_ = fault.Call(func() {
		for i := range p.prog.Steps {
			if here[i] {
				p.outputs[i] = p.step(i)
			}
		}
	})
}

// preparation is the state of one Prepare.
type preparation struct {
	backend  *Backend
	ctx      context.Context
	prog     *codegen.Program
	outputs  []*estimated // by step; nil: not known
	rendered []*Rendered  // by step; nil: not known
	compiles bool
	// uncompiled is, by step, what modules.soon says of its module; nil: nobody asks.
	uncompiled []*NotCompiled
	group      sync.WaitGroup
}

// estimated is what a step is likely to make: a relation of columns, or a table.
type estimated struct {
	cols    []column // without memory
	table   *cudagen.TableShape
	results []*estimated // of a step whose results have columns of their own
	groups  *cudagen.GroupCells
}

// step renders a step, starts to compile it where that is wanted, and returns what it is
// likely to make.
func (p *preparation) step(i int) *estimated {
	step := &p.prog.Steps[i]
	shapes := make([]cudagen.InputShape, len(step.Inputs))
	for i := range step.Inputs {
		in := p.input(&step.Inputs[i], step.Func.ColumnsRead(i))
		if in == nil {
			return nil
		}
		shapes[i] = in.shape()
	}
	shapes = cudagen.WithExpansions(step.Func, shapes)
	m := p.backend.modules.get(renderPlain, step.Func, shapes)
	if m.err != nil {
		return nil
	}
	p.rendered[i] = &Rendered{m.rendered.For(m.of, step.Func), shapes, p.backend.foundOf(step.Func, m)}
	switch {
	case p.compiles:
		p.compile(step.Func, m)
	case p.uncompiled != nil:
		p.uncompiled[i] = cmp.Or(p.ask(step.Func, m)...)
	}
	return made(step.Func, m)
}

// compile starts to compile what a kernel needs beside its module.
func (p *preparation) compile(f *kernel.Func, m *module) {
	for _, m := range p.backend.modules.with(f, m) {
		p.group.Go(func() {
			_, _ = p.backend.modules.load(p.ctx, m) // the step's run meets the same error
		})
	}
}

// ask returns what modules.soon says of what a kernel needs.
func (p *preparation) ask(f *kernel.Func, m *module) []*NotCompiled {
	var why []*NotCompiled
	for _, m := range p.backend.modules.with(f, m) {
		why = append(why, p.backend.modules.soon(m))
	}
	return why
}

// with are the modules that a kernel needs: its own, and that which gathers rows.
func (m *modules) with(f *kernel.Func, own *module) []*module {
	switch f.Sink.(type) {
	case *kernel.Sort, *kernel.Window, *kernel.Cubing:
		return []*module{own, m.rows}
	}
	return []*module{own}
}

// made is what a kernel is likely to make.
func made(f *kernel.Func, m *module) *estimated {
	if s, ok := f.Sink.(*kernel.Build); ok {
		return &estimated{table: estimatedTable(f, s, m.rendered)}
	}
	made := &estimated{groups: m.rendered.Groups, cols: make([]column, len(m.rendered.Outputs))}
	for i := range made.cols {
		made.cols[i] = column{shape: m.rendered.Outputs[i], base: m.rendered.Bases[i]}
	}
	for i := range m.rendered.Plan.Buffers {
		if b := &m.rendered.Plan.Buffers[i]; b.Columns != nil && len(b.Columns) < len(made.cols) {
			made.results = append(made.results, &estimated{cols: made.cols[b.First : b.First+len(b.Columns)]})
		}
	}
	return made
}

// output is what a part names; nil: not known.
func (p *preparation) output(part *codegen.Part) *estimated {
	made := p.outputs[part.Step]
	if made != nil && made.results != nil {
		return made.results[part.Result]
	}
	return made
}

// estimatedTable is the shape of a table whose keys are unique, as those that are
// joined to mostly are.
func estimatedTable(f *kernel.Func, s *kernel.Build, m *cudagen.Module) *cudagen.TableShape {
	return &cudagen.TableShape{
		Layout: m.Layout, Unique: m.Layout != cudagen.LayoutAll, Keys: keyShapes(f, s), Payload: m.Outputs,
	}
}

// shape is the shape of an input of a kernel.
func (l *estimated) shape() cudagen.InputShape {
	s := cudagen.InputShape{Table: l.table, Groups: l.groups}
	for i := range l.cols {
		s.Columns = append(s.Columns, l.cols[i].shape)
	}
	return s
}

// input is what a binding is likely to give; nil: not known.
func (p *preparation) input(b *codegen.Binding, cols []int) *estimated {
	switch {
	case b.Table != nil:
		rel, ok := b.Table.Handle.(runtime.Relation)
		if !ok {
			return nil
		}
		return p.relation(rel, cols)
	case b.Rows != nil:
		return p.relation(runtime.NewRows(b.Rows.Types, b.Rows.Rows), cols)
	case b.Loop != nil:
		return nil // not known before the recursion has run
	case len(b.Parts) == 1 && b.Parts[0].Cols == nil:
		return p.output(&b.Parts[0])
	}
	return p.composed(b.Parts, cols)
}

// relation returns the shapes of columns of a relation of the host.
func (p *preparation) relation(rel runtime.Relation, cols []int) *estimated {
	_, composed := rel.(runtime.Composed)
	if decoded, ok := rel.(runtime.Decoded); ok && !composed {
		return stated(decoded, cols)
	}
	chunks, err := loadChunks(p.ctx, rel, cols)
	if err != nil {
		return nil
	}
	types := rel.Types()
	out := &estimated{cols: make([]column, len(types))}
	for i, o := range cols {
		out.cols[o].shape, out.cols[o].base = p.backend.columns.stored(types[o], chunks[i])
	}
	return out
}

// stated returns the shapes that columns are likely to have of a relation whose blocks are not made
// for that.
func stated(rel runtime.Decoded, cols []int) *estimated {
	types := rel.Types()
	out := &estimated{cols: make([]column, len(types))}
	for _, o := range cols {
		c, sure := &out.cols[o], false
		if c.shape, c.base, sure = statedShape(rel, types[o], o); !sure {
			return nil
		}
	}
	return out
}

// composed returns the shapes of columns that several steps have rows of.
func (p *preparation) composed(parts []codegen.Part, cols []int) *estimated {
	out := &estimated{}
	for _, o := range cols {
		segments := make([]segment, len(parts))
		for i, part := range parts {
			from := p.output(&part)
			if from == nil {
				return nil
			}
			segments[i].rows = 1
			if source := sourceOrdinal(part.Cols, o); source >= 0 {
				segments[i].col, segments[i].typ = &from.cols[source], from.cols[source].shape.Type
			} else {
				segments[i].typ, segments[i].val = part.Cols[o].Type, part.Cols[o].Const
			}
		}
		for len(out.cols) <= o {
			out.cols = append(out.cols, column{})
		}
		if len(segments) == 1 && segments[0].col != nil {
			out.cols[o] = *segments[0].col
		} else {
			out.cols[o].shape, out.cols[o].base = commonShape(segments)
		}
	}
	return out
}
