package codegen

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

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
				for _, f := range []*kernel.Func{s.Divide, s.Merge} {
					if f != nil {
						out.Steps, from = append(out.Steps, step), append(from, i)
						step.Func, step.Inputs = f, []Binding{{Parts: []Part{{Step: len(out.Steps) - 1}}}}
					}
				}
			}
		}
		now[i] = len(out.Steps)
		out.Steps, from = append(out.Steps, step), append(from, i)
	}
	out.Result = renumbered([]Binding{p.Result}, now)[0]
	return &out, from
}

// Row are the types of what a kernel that writes rows or groups gives of each.
func Row(f *kernel.Func) []kernel.Type {
	return lists.Map(written(f.Sink), func(id kernel.ValueID) kernel.Type { return f.Values[id].Type })
}

// Row are the types of the columns that Merge reads.
func (s *Shares) Row() []kernel.Type {
	cols := s.Merge.Source.(*kernel.Scan).Cols
	return lists.Map(cols, func(c kernel.SourceCol) kernel.Type { return s.Merge.Values[c.Dst].Type })
}

// written are the columns of what a sink makes.
func written(sink kernel.Sink) (ids []kernel.ValueID) {
	switch s := sink.(type) {
	case *kernel.Materialize:
		return s.Cols
	case *kernel.Sort:
		return s.Cols
	case *kernel.Aggregate:
		ids = append(ids, s.Keys...)
		for i := range s.Accs {
			ids = append(ids, s.Accs[i].Dst...)
		}
	case *kernel.Window:
		ids = append(ids, s.Cols...)
		for i := range s.Calls {
			ids = append(ids, s.Calls[i].Dst...)
		}
	}
	return ids
}
