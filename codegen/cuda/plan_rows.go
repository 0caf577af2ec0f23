package cuda

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
)

// limited is a number of rows within a limit, where there is one.
func limited(x launch.Expr, limit int64) launch.Expr {
	if limit < 0 {
		return x
	}
	return least(x, launch.Int(limit))
}

// planMaterialize plans a Materialize. Where the body makes several rows of one there may
// be more rows than there is room for: they are counted, and the entry runs again.
func (p *planner) planMaterialize(s *kernel.Materialize) {
	p.number(Arg{Kind: ArgSkip}, launch.Int(s.Offset))
	out := p.columns("out")
	if s.Ordered {
		p.inOrder(s, out)
		return
	}
	space := p.let("space", limited(p.firstRoom(0), s.Limit))
	p.loop(func() {
		p.add(&launch.Columns{Buffer: out, Rows: space})
		p.into(out, space)
		p.overRows("materialize")
		p.readStatus(p.word("count", statusCount))
		count := launch.VarRef(p.variable("count", launch.Natural))
		wanted := p.let("wanted", limited(less(count, launch.Int(s.Offset)), s.Limit))
		p.until(atMost(wanted, space))
		p.release(out)
		p.clearStatus()
		p.let("space", wanted)
	})
	p.add(&launch.Rows{Buffer: out, Rows: launch.VarRef(p.variable("wanted", launch.Natural))})
}

// inOrder plans a Materialize that keeps the order of the source: the rows of each tile
// are counted first.
func (p *planner) inOrder(s *kernel.Materialize, out int) {
	tileRows := p.made.Entries[p.entryNumber("materialize")].TileRows
	tiles := launch.Tiles{Rows: tileRows}
	starts := p.alloc("starts", times(launch.Int(8), plus(tiles, launch.Int(1))), launch.Anything)
	p.number(Arg{Kind: ArgTiles}, tiles)
	tileStart := Arg{Kind: ArgTileStart}
	pass := func(entry string, access launch.Access) {
		done := p.let("done", launch.Int(0))
		p.pieces(func() {
			p.pointer(tileStart, access, launch.Ref{Buffer: starts, Offset: times(launch.Int(8), done)})
			p.launch(entry, piece)
			p.let("done", plus(done, parts(piece, launch.Int(tileRows))))
		})
	}
	pass("count", launch.Out)
	p.pointer(tileStart, launch.InOut, launch.Ref{Buffer: starts})
	p.launch("starts", tiles)
	p.readStatus()
	p.add(&launch.Read{
		From: launch.Ref{Buffer: starts, Offset: times(launch.Int(8), tiles)}, Words: launch.Int(1), Raise: launch.None,
		Into: []launch.Into{p.word("count", 0)}, Array: launch.None,
	})
	count := launch.VarRef(p.variable("count", launch.Natural))
	space := p.let("space", limited(less(count, launch.Int(s.Offset)), s.Limit))
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
func (p *planner) planSingle(s *kernel.Aggregate) {
	blocks := launch.Blocks{Entry: p.entryNumber("aggregate")}
	partials := p.alloc("partials", times(most(blocks, launch.Int(1)), launch.Int(stateBytes*(len(s.Accs)+1))), launch.Anything)
	out := p.columns("out")
	p.add(&launch.Columns{Buffer: out, Rows: launch.Int(1)})
	p.into(out, launch.Int(1))
	first := p.let("first", launch.Int(0))
	p.number(Arg{Kind: ArgFirstBlock}, first)
	p.pointer(Arg{Kind: ArgPartials}, launch.Out, launch.Ref{Buffer: partials})
	p.pieces(func() {
		p.launch("aggregate", piece).Blocks = p.variable("ran", launch.Natural)
		p.let("first", plus(first, launch.VarRef(p.variable("ran", launch.Natural))))
	})
	p.number(Arg{Kind: ArgBlocks}, first)
	p.pointer(Arg{Kind: ArgPartials}, launch.In, launch.Ref{Buffer: partials})
	p.launch("finish", launch.Int(1))
	p.readStatus()
	p.add(&launch.Rows{Buffer: out, Rows: launch.Int(1)})
}
