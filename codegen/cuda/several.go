package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

// several renders a Several: one pass over the rows, which does for each tile what the branches
// do, one after the other. A column that a branch reads again is in the cache.
func (r *renderer) several(s *kernel.Several) {
	first := make([]int, len(s.Branches)) // by branch: of its outputs
	for i := range s.Branches {
		m, ok := s.Branches[i].Sink.(*kernel.Materialize)
		if !ok {
			r.refuse("there is no device code for a sink of type %T beside others", s.Branches[i].Sink)
			return
		}
		first[i] = len(r.outputs)
		for _, id := range m.Cols {
			r.output(id)
		}
	}
	r.Pass(Pass{
		Name: "materialize", Comment: "writes the rows that remain in each branch", Reads: []kernel.ValueID{},
		Open: (*Entry).openRows,
		Rows: func(e *Entry) {
			e.Line("const u32 all = active;")
			for i := range s.Branches {
				e.sink, e.firstOutput = i, first[i]
				e.writeBranch(&s.Branches[i])
			}
		},
	})
}

// writeBranch writes what a branch does with the rows of a tile.
func (e *Entry) writeBranch(b *kernel.Branch) {
	cols := b.Sink.(*kernel.Materialize).Cols
	e.scoped(func() {
		e.Begin("")
		e.Line("u32 active = all;")
		e.reads = cols
		e.block(b.Body, func() {
			e.whereActive(func() {
				e.placeRows(func() { e.storeAll(cols) })
			})
		})
		e.End()
	})
}

// severalPlanner plans a Several. Of each branch there are its columns and for how many rows
// they have room.
type severalPlanner struct {
	*Planner
	out   []int
	space []launch.Expr
	count []launch.Into
}

// planSeveral plans a Several: where a branch gives more rows than there is room for, all of
// them run again.
func (p *Planner) planSeveral(s *kernel.Several) {
	b := &severalPlanner{Planner: p}
	p.Number(Arg{Kind: ArgSkip}, launch.Int(0))
	next := 0
	for i := range s.Branches {
		cols := len(s.Branches[i].Sink.(*kernel.Materialize).Cols)
		b.out = append(b.out, p.columnsOf("out", next, cols))
		next += cols
		b.space = append(b.space, p.Let("space", p.firstRoom(0)))
		b.count = append(b.count, p.word(fmt.Sprintf("count%d", i), countWord(i)))
		p.Pointer(Arg{Kind: ArgCount, Index: i}, launch.InOut, p.statusWord(countWord(i)))
	}
	p.Loop(b.run)
	for i, out := range b.out {
		p.add(&launch.Keep{Buffer: out, Rows: launch.VarRef(b.count[i].Var), Number: launch.Int(i)})
	}
	p.add(&launch.Relations{Count: len(b.out)})
}

// run plans that the branches run, and what is done before they run again.
func (b *severalPlanner) run() {
	for i, out := range b.out {
		b.add(&launch.Columns{Buffer: out, Rows: b.space[i]})
		b.intoResult(out, i, b.space[i])
	}
	b.overRows("materialize")
	b.readStatus(b.count...)
	fits := launch.Expr(launch.Int(1))
	for i := range b.out {
		fits = expr.Times(fits, expr.LessOrEqual(launch.VarRef(b.count[i].Var), b.space[i]))
	}
	b.Until(fits)
	b.release(b.out...)
	b.clearStatus()
	for i := range b.out {
		b.Set(b.space[i], launch.VarRef(b.count[i].Var))
	}
}
