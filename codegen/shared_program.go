package codegen

import "github.com/cubeloom/cubeloom/codegen/kernel"

// WithShares returns the program with the steps that several devices share as what each does of its share, and
// what makes the result of all: by step, nil for others. The numbers of steps change: from[i] is what step i was.
func (p *Program) WithShares(shares []*Shares) (_ *Program, from []int) {
	out := *p
	out.Steps, out.Shared = nil, nil
	now := make([]int, len(p.Steps)) // the step that makes what a step made
	for i := range p.Steps {
		step := p.Steps[i]
		step.Inputs = renumbered(step.Inputs, now)
		if s := shares[i]; s != nil {
			step.Func = s.Local
			if s.Merge != nil {
				out.Steps, from = append(out.Steps, step), append(from, i)
				step.Func, step.Inputs = s.Merge, []Binding{{Parts: []Part{{Step: len(out.Steps) - 1}}}}
			}
		}
		now[i] = len(out.Steps)
		out.Steps, from = append(out.Steps, step), append(from, i)
	}
	out.Result = renumbered([]Binding{p.Result}, now)[0]
	return &out, from
}

// Row are the types of what a kernel that writes rows or groups gives of each.
func Row(f *kernel.Func) (types []kernel.Type) {
	var ids []kernel.ValueID
	switch s := f.Sink.(type) {
	case *kernel.Materialize:
		ids = s.Cols
	case *kernel.Sort:
		ids = s.Cols
	case *kernel.Aggregate:
		ids = append(ids, s.Keys...)
		for i := range s.Accs {
			ids = append(ids, s.Accs[i].Dst...)
		}
	}
	for _, id := range ids {
		types = append(types, f.Values[id].Type)
	}
	return types
}
