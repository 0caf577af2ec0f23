package cuda

import (
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
	out := p.columns("out")
	if s.Ordered {
		p.inOrder(s, out)
		return
	}
	space := p.Let("space", limited(p.firstRoom(0), s.Limit))
	p.Loop(func() {
		p.add(&launch.Columns{Buffer: out, Rows: space})
		p.into(out, space)
		p.overRows("materialize")
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

// inOrder plans a Materialize that keeps the order of the source: the rows of each tile
// are counted first.
func (p *Planner) inOrder(s *kernel.Materialize, out int) {
	tileRows := p.made.Entries[p.entryNumber("materialize")].TileRows
	tiles := launch.Tiles{Rows: tileRows}
	starts := p.alloc("starts", expr.Times(launch.Int(8), expr.Plus(tiles, launch.Int(1))), launch.Anything)
	p.Number(Arg{Kind: ArgTiles}, tiles)
	tileStart := Arg{Kind: ArgTileStart}
	pass := func(entry string, access launch.Access) {
		done := p.Let("done", launch.Int(0))
		p.Chunks(func() {
			p.Pointer(tileStart, access, launch.Ref{Buffer: starts, Offset: expr.Times(launch.Int(8), done)})
			p.Launch(entry, expr.Chunk)
			p.Set(done, expr.Plus(done, expr.CeilDiv(expr.Chunk, launch.Int(tileRows))))
		})
	}
	pass("count", launch.Out)
	p.Pointer(tileStart, launch.InOut, launch.Ref{Buffer: starts})
	p.Launch("starts", tiles)
	p.readStatus()
	p.add(&launch.Read{
		From: launch.Ref{Buffer: starts, Offset: expr.Times(launch.Int(8), tiles)}, Words: launch.Int(1), Raise: launch.None,
		Into: []launch.Into{p.word("count", 0)}, Array: launch.None,
	})
	count := p.Value("count")
	space := p.Let("space", limited(expr.Minus(count, launch.Int(s.Offset)), s.Limit))
	p.add(&launch.Columns{Buffer: out, Rows: space})
	p.into(out, space)
	pass("materialize", launch.In)
	p.readStatus()
	p.add(&launch.Rows{Buffer: out, Rows: space})
}

// stateBytes is more than the state of one accumulator takes.
const stateBytes = 48

// planSingle plans an Aggregate of one group: each block leaves a state, and a last entry
// merges them.
func (p *Planner) planSingle(s *kernel.Aggregate) {
	blocks := launch.Blocks{Entry: p.entryNumber("aggregate")}
	partials := p.alloc("partials", expr.Times(expr.Max(blocks, launch.Int(1)), launch.Int(stateBytes*(len(s.Accs)+1))), launch.Anything)
	out := p.columns("out")
	p.add(&launch.Columns{Buffer: out, Rows: launch.Int(1)})
	p.into(out, launch.Int(1))
	first := p.Let("first", launch.Int(0))
	p.Number(Arg{Kind: ArgFirstBlock}, first)
	p.Pointer(Arg{Kind: ArgPartials}, launch.Out, launch.Ref{Buffer: partials})
	p.Chunks(func() {
		p.Launch("aggregate", expr.Chunk).Blocks = p.Variable("ran", launch.Natural)
		p.Set(first, expr.Plus(first, p.Value("ran")))
	})
	p.Note(Single, nil)
	p.Number(Arg{Kind: ArgBlocks}, first)
	p.Pointer(Arg{Kind: ArgPartials}, launch.In, launch.Ref{Buffer: partials})
	p.Launch("finish", launch.Int(1))
	p.readStatus()
	p.add(&launch.Rows{Buffer: out, Rows: launch.Int(1)})
}
