package codegen

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// WithColumns returns the program in which the steps for which is is true write their groups
// as relations, where they leave them in cells, and the steps that read those read relations.
func (p *Program) WithColumns(is func(step int) bool) *Program {
	out := *p
	out.Steps = slices.Clone(p.Steps)
	for i := range out.Steps {
		step := &out.Steps[i]
		maker := p.GroupsRead(i)
		if is(i) {
			step.Func = writesColumns(step.Func)
		}
		if maker >= 0 && is(maker) {
			step.Func = ReadsColumns(step.Func)
		}
	}
	return &out
}

// InColumns is a kernel that reads groups from a relation, and writes them as one, where it has them in cells.
func InColumns(f *kernel.Func) *kernel.Func { return ReadsColumns(writesColumns(f)) }

// ReadsColumns is a kernel that reads groups from a relation, where it reads them from their cells.
func ReadsColumns(f *kernel.Func) *kernel.Func {
	input := f.GroupsSource()
	if input < 0 {
		return f
	}
	reads := *f
	reads.Inputs = slices.Clone(f.Inputs)
	reads.Inputs[input].Kind = kernel.RelationInput
	return &reads
}

// writesColumns is a kernel that writes its groups as a relation, where it leaves them in cells.
func writesColumns(f *kernel.Func) *kernel.Func {
	agg, ok := f.Sink.(*kernel.Aggregate)
	if !ok || !agg.Cells {
		return f
	}
	columns := *agg
	columns.Cells = false
	return withSink(f, &columns)
}

// GroupsRead is the step whose groups step i reads from their cells, -1 for none.
func (p *Program) GroupsRead(i int) int {
	step := &p.Steps[i]
	if input := step.Func.GroupsSource(); input >= 0 {
		return step.Inputs[input].Parts[0].Step
	}
	return -1
}
