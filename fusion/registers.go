package fusion

import (
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/aggregate"
	"github.com/cubeloom/cubeloom/operators/build"
	"github.com/cubeloom/cubeloom/operators/cuboid"
	"github.com/cubeloom/cubeloom/operators/merge"
	"github.com/cubeloom/cubeloom/operators/probe"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// span is how long a thread holds a column of its rows: from the operator that makes or first reads
// it to the last that reads it.
type span struct {
	first, last int
	words       int  // 32-bit, of a row
	loaded      bool // from memory, and not computed
}

// spans are those of the columns that operators of one kernel hold. A column of their input is loaded
// where it is first read, and until then what a probe has found is held in its place.
func (p *Program) spans(ops []int) []span {
	var all []span
	at := make(map[algebra.ColumnID]int)
	mark := func(c *algebra.Column, k int, loaded bool) {
		i, known := at[c.ID]
		if !known {
			i = len(all)
			at[c.ID] = i
			all = append(all, span{first: k, words: operators.Registers(c.Type), loaded: loaded})
		}
		all[i].last = k
	}
	for k, id := range ops {
		op := p.Ops[id]
		uses := op.Uses()
		for _, in := range op.Inputs {
			cols := p.Ops[in].cols
			for i := range cols {
				if uses.Has(cols[i].ID) {
					mark(&cols[i], k, true)
				}
			}
		}
		if rowByRow(op.Operator) && len(brought(p, op)) == 0 {
			made := op.Columns()
			for i := range made {
				mark(&made[i], k, false)
			}
		}
		if k == len(ops)-1 && (op.traits.Passes || op.traits.Result != operators.Kernel) {
			for i := range op.Keep {
				mark(&op.Keep[i], k, true)
			}
		}
	}
	for k, id := range ops {
		until := k
		for _, c := range brought(p, p.Ops[id]) {
			if i, known := at[c.ID]; known {
				until = max(until, all[i].first)
			}
		}
		if until > k {
			all = append(all, span{first: k, last: until, words: 1})
		}
	}
	return all
}

// brought are the columns of a join's other side, which are read where the match lies.
func brought(p *Program, op *Op) []algebra.Column {
	switch o := op.Operator.(type) {
	case *probe.Operator:
		if o.Reads != nil {
			return o.Columns()
		}
		return p.Ops[op.Inputs[1]].Keep
	case *merge.Operator:
		return o.Columns()
	}
	return nil
}

// heldWords is how many words of a row a thread holds at one time, at most.
func heldWords(spans []span, ops int) int {
	most := 0
	for k := range ops {
		sum := 0
		for _, s := range spans {
			if s.first <= k && k <= s.last {
				sum += s.words
			}
		}
		most = max(most, sum)
	}
	return most
}

// parts are those of a kernel of the operators.
func (p *Program) parts(ops []int, spans []span) machine.Parts {
	parts := machine.Parts{Kernel: 1}
	for _, id := range ops {
		parts = parts.Plus(p.Ops[id].traits.Needs.Parts)
	}
	parts.Words = float64(heldWords(spans, len(ops)))
	if last := p.Ops[ops[len(ops)-1]]; last.traits.Result != operators.Kernel {
		parts.Written = float64(operators.RowRegisters(last.Keep))
	}
	return parts
}

// threadRows is how many rows a thread of a kernel of the operators holds.
func (p *Program) threadRows(ops []int, words int) int {
	switch o := p.Ops[ops[len(ops)-1]].Operator.(type) {
	case *build.Operator, *cuboid.Operator:
		return operators.FewThreadRows
	case *aggregate.Operator:
		if len(o.Keys) > 0 {
			return operators.FewThreadRows
		}
	}
	return operators.ThreadRows(words)
}
