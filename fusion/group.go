package fusion

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// group decides for every edge of the graph whether it is woven, and forms the
// groups.
func (p *Program) group(opts Options) {
	edges := 0
	for _, op := range p.Ops {
		edges += len(op.Inputs)
	}
	p.Edges = make([]Edge, 0, edges)
	next := make([]int, len(p.Ops)) // the operator that each could be woven with, or -1
	for _, op := range p.Ops {
		next[op.ID] = -1
		for i, in := range op.Inputs {
			e := p.classify(op, i, opts.Fusion)
			p.Edges = append(p.Edges, e)
			if e.Woven() {
				next[in] = op.ID
			}
		}
	}
	for _, chain := range candidates(next) {
		p.choose(chain)
	}
	p.goOn()
	p.readGroups()
	slices.SortStableFunc(p.Groups, func(a, b Group) int { return cmp.Compare(a.Last(), b.Last()) })
	for i := range p.Groups {
		for _, id := range p.Groups[i].Ops {
			p.Ops[id].Group = i
		}
	}
}

// readGroups decides for each reader of groups whether they stay in their cells for it. One
// that nothing is woven with belongs to the kernel of the aggregation, which writes them.
func (p *Program) readGroups() {
	alone := make(map[int]bool)
	for _, group := range p.Groups {
		if len(group.Ops) == 1 && readsGroups(p.Ops[group.First()]) {
			alone[group.First()] = true
		}
	}
	p.Groups = slices.DeleteFunc(p.Groups, func(group Group) bool { return alone[group.First()] })
	for i := range p.Edges {
		e := &p.Edges[i]
		if !readsGroups(p.Ops[e.To]) {
			continue
		}
		if !alone[e.To] {
			e.read("")
			continue
		}
		e.read(p.unwoven(e.To))
		at := slices.IndexFunc(p.Groups, func(group Group) bool { return group.Last() == e.From })
		p.Groups[at].Ops = append(slices.Clip(p.Groups[at].Ops), e.To)
	}
}

// unwoven is why what reads the result of an operator is not woven with it.
func (p *Program) unwoven(id int) string {
	for i := range p.Edges {
		if e := &p.Edges[i]; e.From == id {
			return e.Reason
		}
	}
	return "they are the result"
}

// classify is the first half of Algorithm 1: the class of dependence of an
// operator on its input i, and whether that lets the two share a kernel. Where
// the paper deletes an operator with kernel dependence altogether, only the
// edge is deleted here: the stages before its barrier (inserting into a hash
// table, aggregating within a block, gathering what is to be ordered) belong
// to the producer's kernel, what reads its result to the next.
func (p *Program) classify(op *Op, i int, isFused bool) Edge {
	from := p.Ops[op.Inputs[i]]
	result, needs := from.Traits(), op.Dependence(i)
	dependence := max(needs, result.Result)
	how, refusal := "a row depends on one row: passes in registers", ""
	if dependence == operators.CTA {
		how = "a block depends on one block: passes in shared memory, behind a barrier"
	}
	switch {
	case result.Result == operators.Kernel:
		refusal = result.Why
	case needs == operators.Kernel:
		refusal = "the parts are complete when their kernels have ended"
	case len(from.consumers) > 1:
		refusal = fmt.Sprintf("%d operators read the result: it is made once", len(from.consumers))
	case result.Source:
		how = "only says where the rows are"
	case !isFused:
		refusal = "fusion is off"
	}
	e := Edge{From: from.ID, To: op.ID, Dependence: dependence, Bytes: from.Bytes()}
	e.decide(how, refusal, p.Machine.Host.Materialized*e.Bytes)
	return e
}

// candidates is the second half of Algorithm 1: the connected subgraphs of
// what is left of the graph. Each operator is woven with one that it reads and
// one that reads it at most, so that they are chains, here in the order of the
// data, which is topological.
func candidates(next []int) [][]int {
	inner := make([]bool, len(next))
	for _, to := range next {
		if to >= 0 {
			inner[to] = true
		}
	}
	var chains [][]int
	for id := range next {
		if inner[id] {
			continue
		}
		var chain []int
		for at := id; at >= 0; at = next[at] {
			chain = append(chain, at)
		}
		chains = append(chains, chain)
	}
	return chains
}

// renames are operators that give columns of their inputs under other names.
type renames interface {
	// UsesFor are the columns of the inputs that are read where those in needed are read of
	// the result.
	UsesFor(needed algebra.ColSet) algebra.ColSet
}

// keep finds, from the root down, which columns of each result are read.
func (p *Program) keep() {
	needed := make([]algebra.ColSet, len(p.Ops))
	needed[p.Root] = algebra.SetOf(p.Columns)
	for id := len(p.Ops) - 1; id >= 0; id-- {
		op := p.Ops[id]
		made := algebra.SetOf(op.Columns())
		want := op.Uses()
		if r, ok := op.Operator.(renames); ok {
			want = r.UsesFor(needed[id])
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
