package fusion

import (
	"github.com/cubeloom/cubeloom/operators/union"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// keep finds, from the root down, which columns of each result are read.
func (p *Program) keep() {
	needed := make([]algebra.ColSet, len(p.Ops))
	needed[p.Root] = algebra.SetOf(p.Columns)
	for id := len(p.Ops) - 1; id >= 0; id-- {
		op := p.Ops[id]
		made := algebra.SetOf(op.Columns())
		want := op.Uses()
		if u, ok := op.Operator.(*union.Operator); ok {
			want = u.UsesFor(needed[id])
		}
		if op.Traits().Passes {
			for _, c := range op.cols {
				if needed[id].Has(c.ID) && !made.Has(c.ID) {
					want.Add(c.ID)
				}
			}
		}
		for _, in := range op.Inputs {
			needed[in].AddSet(want)
		}
	}
	for id, op := range p.Ops {
		if id == p.Root {
			op.Keep = p.Columns
			continue
		}
		for _, c := range op.cols {
			if needed[id].Has(c.ID) {
				op.Keep = append(op.Keep, c)
			}
		}
	}
}
