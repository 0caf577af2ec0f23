package cuda

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

// planBuild plans a Build. A table whose payload lies at the cells of the keys is tried
// first where the keys are dense; where a key turns out to have several rows, or a row
// no key, another rendering puts the rows of a key side by side.
func (p *Planner) planBuild(s *kernel.Build) {
	p.Number(Arg{Kind: ArgSkip}, launch.Int(0))
	p.Pointer(Arg{Kind: ArgDuplicates}, launch.InOut, p.statusWord(statusDups))
	p.Pointer(Arg{Kind: ArgKeyless}, launch.InOut, p.statusWord(statusKeyless))
	for at, i := range p.boundedKeys(s) {
		p.Pointer(Arg{Kind: ArgKeyBounds, Index: i}, launch.InOut, p.statusWord(statusBounds+2*at))
	}
	for i, k := range s.Keys {
		lo, extent, _ := KeyRange(&p.f.Values[k.Val])
		p.Number(Arg{Kind: ArgTableLo, Input: tableOutput, Index: i}, launch.Int(lo))
		p.Number(Arg{Kind: ArgTableExtent, Input: tableOutput, Index: i}, launch.Int(extent))
	}
	cells := cellsOf(p.f, s)
	if p.layout == LayoutCells {
		p.cellTable(s, cells)
	} else {
		p.runTable(s, cells)
	}
}

// cellTable plans the attempt at a table of cells.
func (p *Planner) cellTable(s *kernel.Build, cells int64) {
	slots := p.alloc("slots", launch.Int((cells+31)/32*4), launch.Zeros)
	out := p.columns("out")
	p.add(&launch.Columns{Buffer: out, Rows: launch.Int(cells)})
	p.into(out, launch.Int(cells))
	p.Pointer(Arg{Kind: ArgTableSlots, Input: tableOutput}, launch.InOut, launch.Ref{Buffer: slots})
	p.overRows("build")
	counts := []launch.Into{p.word("count", statusCount)}
	if !s.Members {
		counts = append(counts, p.word("duplicates", statusDups), p.word("keyless", statusKeyless))
	}
	bounds := p.readBuilt(s, counts...)
	if !s.Members {
		p.When(expr.NotEqual(expr.Plus(p.Value("duplicates"), p.Value("keyless")), launch.Int(0)), func() {
			p.add(&launch.Fallback{Room: p.Value("count")})
		}, func() {})
	}
	p.add(&launch.Table{
		Buffer: out, Rows: p.Value("count"), Places: launch.Int(cells), Unique: launch.Int(1), Mask: launch.Int(0),
		Slots: slots, Ends: launch.None, Words: launch.None, Bounds: bounds,
	})
}

// readBuilt reads the status of a table, and returns the bounds of its keys.
func (p *Planner) readBuilt(s *kernel.Build, into ...launch.Into) []launch.KeyBounds {
	keys := p.boundedKeys(s)
	if len(keys) == 0 {
		p.readStatus(into...)
		return nil
	}
	bounds := make([]launch.KeyBounds, len(keys))
	status := p.Variable("built", launch.Array)
	p.readStatusTo(status, into...)
	for at, i := range keys {
		word := func(n int) launch.Expr { return launch.At{Array: status, Index: launch.Int(statusBounds + 2*at + n)} }
		bounds[at] = launch.KeyBounds{Key: i, Min: word(0), Max: word(1)}
	}
	return bounds
}

// runTable plans a table in which the rows of a key lie side by side, with room for as
// many as are estimated or counted, and again where there turn out to be more.
func (p *Planner) runTable(s *kernel.Build, cells int64) {
	out := p.columns("out")
	p.firstRows()
	space := p.Value("space")
	table := &launch.Table{Buffer: out, Mask: launch.Int(0), Slots: launch.None, Ends: launch.None, Words: launch.None}
	p.Loop(func() {
		p.add(&launch.Fail{
			Kind: launch.LimitHit, Cond: expr.LessOrEqual(launch.Int(math.MaxInt32), space),
			Text: "the build side of a join has more than 2147483646 rows",
		})
		p.add(&launch.Columns{Buffer: out, Rows: space})
		p.into(out, space)
		held := p.index(s, table, space, cells)
		p.overRows("build")
		counts := []launch.Into{p.word("count", statusCount)}
		if p.hasRuns(s) {
			counts = append(counts, p.word("duplicates", statusDups))
		}
		table.Bounds = p.readBuilt(s, counts...)
		count := p.Value("count")
		p.Until(expr.LessOrEqual(count, space))
		p.release(append(held, out)...)
		p.clearStatus()
		p.Set(space, count)
	})
	table.Rows = p.Value("count")
	table.Places = table.Rows
	switch {
	case p.layout == LayoutAll:
		table.Unique = expr.LessOrEqual(table.Rows, launch.Int(1))
	case s.Members:
		table.Unique = launch.Int(1)
	case p.layout == LayoutDense:
		table.Unique = expr.Equal(p.Value("duplicates"), launch.Int(0))
		p.move(s, table)
	default:
		p.When(expr.Equal(p.Value("duplicates"), launch.Int(0)), func() {
			unique := *table
			unique.Unique = launch.Int(1)
			p.add(&unique)
		}, func() {})
		table.Unique = launch.Int(0)
		p.move(s, table)
	}
	p.add(table)
}

// move has the rows of the table moved to the runs of their keys.
func (p *Planner) move(s *kernel.Build, t *launch.Table) {
	from, rows := t.Buffer, t.Rows
	p.Number(Arg{Kind: ArgRunRows}, rows)
	p.Pointer(Arg{Kind: ArgRunPlace}, launch.InOut, p.statusWord(statusRuns))
	p.Pointer(Arg{Kind: ArgRunSpread}, launch.InOut, p.statusWord(statusSpread))
	for i := range p.outputs {
		p.Pointer(Arg{Kind: ArgRowData, Index: i}, launch.In, launch.Data(from, i))
		p.Pointer(Arg{Kind: ArgRowValid, Index: i}, launch.In, launch.Validity(from, i))
	}
	for _, kind := range []ArgKind{ArgRunOf, ArgRunRank} {
		p.Pointer(Arg{Kind: kind}, launch.In, p.fills[Arg{Kind: kind}].Ref)
	}
	t.Buffer = p.columns("moved")
	p.add(&launch.Columns{Buffer: t.Buffer, Rows: rows})
	p.into(t.Buffer, rows)
	at := func(kind ArgKind) Arg { return Arg{Kind: kind, Input: tableOutput} }
	if p.layout == LayoutDense {
		t.Slots = p.alloc("slots", expr.Times(launch.Int(8), p.Value("places")), launch.Zeros)
		p.Pointer(at(ArgTableSlots), launch.InOut, launch.Ref{Buffer: t.Slots})
	} else {
		t.Ends = p.alloc("ends", expr.Times(launch.Int(4), rows), launch.Zeros)
		p.Pointer(at(ArgTableEnds), launch.InOut, launch.Ref{Buffer: t.Ends})
	}
	if t.Words != launch.None {
		p.Pointer(Arg{Kind: ArgRowKeys}, launch.In, launch.Ref{Buffer: t.Words})
		t.Words = p.alloc("moved_keys", expr.Times(launch.Int(8*keyWords(p.buildKeys(s))), rows), launch.Anything)
		p.Pointer(at(ArgTableKeys), launch.Out, launch.Ref{Buffer: t.Words})
	}
	p.Launch("place_runs", p.Value("places"))
	p.Launch("move_rows", rows)
	p.readStatus(p.word("keys", statusSpread), p.word("longest", statusSpread+1), p.word("squares", statusSpread+2))
	t.Keys, t.Longest, t.Squares = p.Value("keys"), p.Value("longest"), p.Value("squares")
}

// firstRows sets for how many rows there is room at first: as many as an attempt at
// cells has counted, as are likely, but no more than are read where each is kept once at most,
// or as a pass counts that does nothing else.
func (p *Planner) firstRows() {
	if p.noCells && p.layout == LayoutDense {
		p.Let("space", expr.Counted)
		return
	}
	likely := expr.Plus(expr.Div(expr.Times(expr.Estimate, launch.Int(3)), launch.Int(2)), launch.Int(1024))
	likely = expr.Select(expr.LessOrEqual(expr.Estimate, expr.Rows), expr.Min(expr.Rows, likely), likely)
	fewer := expr.Times(expr.LessOrEqual(expr.Rows, expr.FewRows), expr.LessThan(likely, expr.Rows))
	space := p.Let("space", expr.Select(expr.Plus(expr.Equal(expr.Estimate, launch.Int(0)), fewer), launch.Int(0), likely))
	p.When(expr.Equal(space, launch.Int(0)), func() {
		p.overRows("count")
		p.readStatus(p.word("space", statusCount))
		p.clearStatus()
	}, func() {})
}

// index allocates what finds the rows of a key, and returns what it has allocated.
func (p *Planner) index(s *kernel.Build, t *launch.Table, space launch.Expr, cells int64) []int {
	if p.layout == LayoutAll {
		return nil
	}
	at := func(kind ArgKind) Arg { return Arg{Kind: kind, Input: tableOutput} }
	rows := expr.Times(launch.Int(4), expr.Max(space, launch.Int(1)))
	runs := p.buffer("runs", 2)
	p.add(&launch.Alloc{Buffer: runs, Sizes: []launch.Expr{rows, rows}, Fill: launch.Anything})
	p.Pointer(Arg{Kind: ArgRunOf}, launch.Out, launch.Ref{Buffer: runs})
	p.Pointer(Arg{Kind: ArgRunRank}, launch.Out, launch.Ref{Buffer: runs, Part: 1})
	held := []int{runs}
	width, slots := int64(4), expr.CeilPow2(expr.Times(launch.Int(2), expr.Max(space, launch.Int(1))))
	switch p.layout {
	case LayoutDense:
		slots = launch.Int(cells)
	case LayoutNarrow:
		width = 8
	case LayoutWide:
		words := launch.Int(8 * keyWords(p.buildKeys(s)))
		t.Words = p.alloc("keys", expr.Max(expr.Times(words, space), launch.Int(8)), launch.Anything)
		p.Pointer(at(ArgTableKeys), launch.Out, launch.Ref{Buffer: t.Words})
		held = append(held, t.Words)
	}
	slots = p.Let("places", slots)
	t.Mask = expr.Minus(slots, launch.Int(1))
	p.Number(at(ArgTableMask), t.Mask)
	length := p.alloc("length", expr.Times(slots, launch.Int(4)), launch.Zeros)
	p.Pointer(Arg{Kind: ArgRunLength}, launch.InOut, launch.Ref{Buffer: length})
	held = append(held, length)
	if p.layout != LayoutDense {
		t.Slots = p.alloc("slots", expr.Times(slots, launch.Int(width)), launch.Zeros)
		p.Pointer(at(ArgTableSlots), launch.InOut, launch.Ref{Buffer: t.Slots})
		held = append(held, t.Slots)
	}
	return held
}
