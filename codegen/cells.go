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
		if agg, ok := step.Func.Sink.(*kernel.Aggregate); ok && agg.Cells && is(i) {
			step.Func = inColumns(step.Func, agg)
		}
		if maker := p.GroupsRead(i); maker >= 0 && is(maker) {
			f := *step.Func
			f.Inputs = slices.Clone(f.Inputs)
			f.Inputs[f.GroupsSource()].Kind = kernel.RelationInput
			step.Func = &f
		}
	}
	return &out
}

// inColumns is a kernel with an aggregation that writes its groups as a relation.
func inColumns(f *kernel.Func, s *kernel.Aggregate) *kernel.Func {
	columns := *s
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
