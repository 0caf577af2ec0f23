package cuda

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

// limited is a number of rows within a limit, where there is one.
func limited(x launch.Expr, limit int64) launch.Expr {
	if limit < 0 {
		return x
	}
	return expr.Min(x, launch.Int(limit))
}

// planMaterialize plans a Materialize. Where the body makes several rows of one there may
// be more rows than there is room for: they are counted, and the entry runs again.
func (p *Planner) planMaterialize(s *kernel.Materialize) {
	p.Number(Arg{Kind: ArgSkip}, launch.Int(s.Offset))
	p.Number(Arg{Kind: ArgEnough}, launch.Int(enoughOf(s)))
	out := p.columns("out")
	before := func() {}
	if s.Ordered {
		before = p.inOrder("materialize")
	}
	space := p.Let("space", limited(p.firstRoom(0), s.Limit))
	p.Loop(func() {
		p.add(&launch.Columns{Buffer: out, Rows: space})
		p.into(out, space)
		p.overRowsBehind(before, "materialize")
		p.readStatus(p.word("count", statusCount))
		count := p.Value("count")
		wanted := p.Let("wanted", limited(expr.Minus(count, launch.Int(s.Offset)), s.Limit))
		p.Until(expr.LessOrEqual(wanted, space))
		p.release(out)
		p.clearStatus()
		p.Set(space, wanted)
	})
	p.add(&launch.Rows{Buffer: out, Rows: p.Value("wanted")})
}

// enoughOf is how many rows are enough.
func enoughOf(s *kernel.Materialize) int64 {
	if s.Limit < 0 || s.Offset > math.MaxInt64-s.Limit {
		return math.MaxInt64
	}
	return s.Offset + s.Limit
}

// stateBytes is more than the state of one accumulator takes.
const stateBytes = 48

// planSingle plans an Aggregate of one group: each block leaves a state, and the last one
// merges them, or an entry where there are no blocks.
func (p *Planner) planSingle(s *kernel.Aggregate) {
	blocks := launch.Blocks{Entry: p.entryNumber("aggregate")}
	partials := p.alloc("partials", expr.Times(expr.Max(blocks, launch.Int(1)), launch.Int(stateBytes*(len(s.Accs)+1))), launch.Anything)
	out := p.columns("out")
	p.add(&launch.Columns{Buffer: out, Rows: launch.Int(1)})
	p.into(out, launch.Int(1))
	first := p.Value("first")
	p.marking(s, func() []int {
		p.Set(first, launch.Int(0))
		p.Number(Arg{Kind: ArgFirstBlock}, first)
		p.Pointer(Arg{Kind: ArgPartials}, launch.Out, launch.Ref{Buffer: partials})
		p.endLast(p.Set(p.Value("last"), expr.LessThan(launch.Int(0), expr.Rows)))
		p.Chunks(func() {
			p.Launch("aggregate", expr.Chunk).Blocks = p.Variable("ran", launch.Natural)
			p.Set(first, expr.Plus(first, p.Value("ran")))
		})
		return nil
	})
	p.Note(Single, nil)
	p.When(expr.Equal(p.last, launch.Int(0)), func() {
		p.Number(Arg{Kind: ArgBlocks}, first)
		p.Pointer(Arg{Kind: ArgPartials}, launch.In, launch.Ref{Buffer: partials})
		p.Launch("finish", launch.Int(1))
	}, func() {})
	p.readResult(out, launch.Int(1))
	p.add(&launch.Rows{Buffer: out, Rows: launch.Int(1)})
}
