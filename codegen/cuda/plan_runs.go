package cuda

import (
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

// TileRecord is how many words a tile has for scanning words of a tile in one pass.
func TileRecord(words int) int { return 1 + 2*words }

// runWords is how many words are scanned of a tile of runs.
const runWords = 3

// planRuns plans an Aggregate whose groups are runs of rows. There is room for so many as are
// likely; where there are more, they have been counted, and all starts again.
func (p *Planner) planRuns() {
	g := p.grouping
	p.launches = g.how.strategy.Launches(p, g)
	record := 8 * TileRecord(runWords)
	tiles := launch.Tiles{Rows: g.rows * g.threads}
	bytes := expr.Times(launch.Int(record), expr.Plus(tiles, launch.Int(1)))
	records := p.alloc("records", bytes, launch.Zeros)
	p.Pointer(Arg{Kind: ArgTileRecords}, launch.InOut, launch.Ref{Buffer: records})
	p.Number(Arg{Kind: ArgSkip}, launch.Int(0))
	out := p.columns("out")
	space := p.Let("space", p.firstRuns())
	count := p.word("groups", 0)
	p.Loop(func() {
		p.add(&launch.Fail{
			Kind: launch.OutOfMemory, Cond: expr.LessThan(launch.Int(maxGroups), space),
			Text: "out of device memory: an aggregation has too many groups",
		})
		held := []int{out}
		if cells := p.states(space); cells != launch.None {
			held = append(held, cells)
		}
		p.add(&launch.Columns{Buffer: out, Rows: space})
		p.into(out, space)
		p.launches.Rows(space, expr.Estimate)
		p.readStatus()
		p.add(&launch.Read{ // of all up to the last tile
			From:  launch.Ref{Buffer: records, Offset: expr.Plus(expr.Times(launch.Int(record), tiles), launch.Int(8*(1+runWords)))},
			Words: launch.Int(1), Raise: launch.None, Into: []launch.Into{count}, Array: launch.None,
		})
		p.Until(expr.LessOrEqual(p.Value("groups"), space))
		p.release(held...)
		p.add(&launch.Clear{At: launch.Ref{Buffer: records}, Bytes: bytes})
		p.Set(space, p.Value("groups"))
	})
	if g.Layout.SecondPass {
		p.launches.SecondPass(space)
	}
	if len(g.accs) > 0 {
		p.Number(Arg{Kind: ArgCells}, p.Value("groups"))
		p.readStates()
		p.Launch("finish", p.Value("groups"))
	}
	p.readStatus()
	p.add(&launch.Rows{Buffer: out, Rows: p.Value("groups")})
}

// firstRuns is for how many groups there is room at first: for all rows, where these are few
// or nothing is known of the groups; in a part of the memory where the source is streamed.
func (p *Planner) firstRuns() launch.Expr {
	width := 1
	for _, bytes := range p.grouping.Layout.State {
		width += bytes
	}
	for _, shape := range p.outputs {
		width += max(shape.Encoding.Width(), 1)
	}
	fitting := expr.Max(expr.Div(expr.Div(expr.Free, launch.Int(pieceShare)), launch.Int(width)), launch.Int(fewestRows))
	likely := expr.Select(expr.Estimate, p.roomy(expr.Estimate), expr.Rows)
	return expr.Min(expr.Rows, expr.Select(expr.Streamed, expr.Min(likely, fitting), expr.Max(likely, launch.Int(firstGroups))))
}

// TileArray allocates an array with so many bytes for each row of the whole tiles of a chunk,
// which an argument points to, and returns what releases it.
func (p *Planner) TileArray(a Arg, name string, rowBytes int) (release func()) {
	tileRows := p.grouping.rows * p.grouping.threads
	rows := expr.Times(expr.CeilDiv(expr.Chunk, launch.Int(tileRows)), launch.Int(tileRows))
	b := p.alloc(name, expr.Times(launch.Int(rowBytes), rows), launch.Anything)
	p.Pointer(a, launch.Out, launch.Ref{Buffer: b})
	return func() { p.release(b) }
}

// Filled has launches from here on read what those before have written.
func (p *Planner) Filled(a Arg) {
	fill := p.fills[a]
	fill.Access = launch.In
	p.fills[a] = fill
}

// ClearTickets has blocks take the tiles from the first on.
func (p *Planner) ClearTickets() {
	p.add(&launch.Clear{At: p.fills[Arg{Kind: ArgTileRecords}].Ref, Bytes: launch.Int(8)})
}
