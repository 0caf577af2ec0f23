package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

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
