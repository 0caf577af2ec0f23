package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

// TileRecord is how many words a tile has for scanning words of a tile in one pass: see
// lookback.cuh.
func TileRecord(words int) int { return 2 * words }

// knownWord is what the first word of a record is to be divided by.
const knownWord = 4

// runWords is how many words are scanned of a tile of runs.
func (g *Grouping) runWords() int {
	if g.narrowRunKey() {
		return 2
	}
	return 3
}

// planRuns plans an Aggregate whose groups are runs of rows. There is room for so many as are
// likely; where there are more, they have been counted, and all starts again.
func (p *Planner) planRuns() {
	g := p.grouping
	p.launches = g.how.strategy.Launches(p, g)
	record := 8 * TileRecord(g.runWords())
	tiles := launch.Tiles{Rows: g.rows * g.threads}
	bytes := expr.Times(launch.Int(record), expr.Plus(tiles, launch.Int(1)))
	records := p.alloc("records", bytes, launch.Zeros)
	p.Pointer(Arg{Kind: ArgTileRecords}, launch.InOut, launch.Ref{Buffer: records})
	p.Number(Arg{Kind: ArgSkip}, launch.Int(0))
	p.Number(Arg{Kind: ArgKeyLo, Index: g.s.By}, launch.Int(g.f.Values[g.By()].Range.Lo))
	out := p.columns("out")
	space := p.Let("space", p.firstRuns())
	count := p.word("last_record", 0)
	p.Loop(func() {
		p.add(&launch.Fail{
			Kind: launch.OutOfMemory, Cond: expr.LessThan(launch.Int(maxGroups), space),
			Text: "out of device memory: an aggregation has too many groups",
		})
		held := []int{out}
		if cells := p.runStates(space); cells != launch.None {
			held = append(held, cells)
		}
		p.add(&launch.Columns{Buffer: out, Rows: space})
		p.into(out, space)
		p.launches.Rows(space, expr.Estimate)
		p.readStatus()
		p.add(&launch.Read{ // of all up to the last tile
			From:  launch.Ref{Buffer: records, Offset: expr.Plus(expr.Times(launch.Int(record), tiles), launch.Int(8*g.runWords()))},
			Words: launch.Int(1), Raise: launch.None, Into: []launch.Into{count}, Array: launch.None,
		})
		p.Until(expr.LessOrEqual(p.Let("groups", expr.Div(p.Value("last_record"), launch.Int(knownWord))), space))
		p.release(held...)
		p.add(&launch.Clear{At: launch.Ref{Buffer: records}, Bytes: bytes})
		p.Set(space, p.Value("groups"))
	})
	if g.Layout.SecondPass {
		p.launches.SecondPass(space)
	}
	if g.s.Cells {
		p.readStatus()
		p.leaveGroups(p.Value("groups"), p.Value("groups"))
		return
	}
	if g.unfinished() {
		p.Number(Arg{Kind: ArgCells}, p.Value("groups"))
		p.readStates()
		p.Launch(FinalizeEntry, p.Value("groups"))
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
	return p.tileArray(a, name, rowBytes*p.grouping.rows*p.grouping.threads)
}

// tileArray is TileArray with so many bytes for each tile.
func (p *Planner) tileArray(a Arg, name string, bytes int) (release func()) {
	tiles := expr.CeilDiv(expr.Chunk, launch.Int(p.grouping.rows*p.grouping.threads))
	return p.Array(a, name, expr.Times(launch.Int(bytes), tiles), launch.Anything)
}

// runStates allocates the arrays of the cells of runs, but for those that are columns of the result,
// and returns the buffer. Where updates add to what is there they are zeros.
func (p *Planner) runStates(cells launch.Expr) int {
	g := p.grouping
	var sizes []launch.Expr
	b := launch.None
	for i, width := range g.Layout.State {
		if g.inColumn(i) >= 0 {
			continue
		}
		if b == launch.None {
			b = p.buffer("cells", 0)
		}
		p.Pointer(Arg{Kind: ArgState, Index: i}, launch.InOut, launch.Ref{Buffer: b, Part: len(sizes)})
		sizes = append(sizes, expr.Times(launch.Int(width), cells))
	}
	if b != launch.None {
		p.made.Buffers[b].Parts = len(sizes)
		fill := launch.Zeros
		if g.how.runs.Update == UpdateTile {
			fill = launch.Anything
		}
		p.add(&launch.Alloc{Buffer: b, Sizes: sizes, Fill: fill})
	}
	return b
}

// Filled has launches from here on read what those before have written.
func (p *Planner) Filled(a Arg) { p.accessing(a, launch.In) }

// accessing says what launches from here on do with an array.
func (p *Planner) accessing(a Arg, access launch.Access) {
	fill := p.fills[a]
	fill.Access = access
	p.fills[a] = fill
}

// ClearTickets has blocks take the tiles from the first on.
func (p *Planner) ClearTickets() {
	p.add(&launch.Clear{At: p.fills[Arg{Kind: ArgTileRecords}].Ref, Bytes: launch.Int(8)})
}

// addedIn is the array in which a term's array of cells is added up.
func (g *Grouping) addedIn(array int) Arg {
	if column := g.inColumn(array); column >= 0 {
		return Arg{Kind: ArgOutData, Index: column}
	}
	return Arg{Kind: ArgState, Index: array}
}

// RunBorders allocates the arrays of the first runs of the tiles of a chunk, for a pass over the rows
// that writes them and the cells, and returns what releases them.
func (p *Planner) RunBorders(second bool) (release func()) {
	var held []func()
	for _, t := range p.grouping.termsOf(second) {
		for i, ctype := range t.kind.arrays {
			a := Arg{Kind: ArgRunBorders, Index: t.array + i}
			held = append(held, p.tileArray(a, fmt.Sprintf("borders_%d", a.Index), bytesOf[ctype]))
			p.accessing(p.grouping.addedIn(a.Index), launch.Out)
		}
	}
	return func() {
		for _, free := range held {
			free()
		}
	}
}

// BordersFilled has launches from here on read these arrays, and add to cells.
func (p *Planner) BordersFilled(second bool) {
	for _, t := range p.grouping.termsOf(second) {
		for i := range t.kind.arrays {
			p.accessing(Arg{Kind: ArgRunBorders, Index: t.array + i}, launch.In)
			p.accessing(p.grouping.addedIn(t.array+i), launch.InOut)
		}
	}
}
