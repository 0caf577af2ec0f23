package cuda

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

// maxGroups is how many cells an aggregation may have: a cell's number has 32 bits, and
// some are taken.
const maxGroups = 1 << 31

// planGroups plans an Aggregate with keys: the cells are allocated, the rows accumulated in
// them, and what they hold is written to columns.
func (p *Planner) planGroups(s *kernel.Aggregate) {
	p.launches = p.grouping.how.strategy.Launches(p, p.grouping)
	p.Pointer(Arg{Kind: ArgAdditions}, launch.InOut, p.statusWord(statusAdded))
	p.Number(Arg{Kind: ArgCopies}, launch.Int(p.grouping.how.tables()))
	p.Number(Arg{Kind: ArgSkip}, launch.Int(0))
	if !s.Cells {
		p.out = p.columns("out")
	}
	var cells, room launch.Expr
	if p.grouping.Layout.Dense {
		cells = p.denseCells(s)
		p.marking(s, func() []int {
			var held []int
			if states := p.states(p.copied(cells)); states != launch.None {
				held = append(held, states)
			}
			p.lastColumns(cells)
			p.accumulate(cells, cells)
			if p.last != nil {
				held = append(held, p.out)
			}
			return held
		})
		room = expr.Min(cells, launch.Int(firstGroups))
	} else {
		cells, room = p.hashedGroups(s), expr.Min(p.Value("groups"), p.Value("slots"))
	}
	if p.grouping.Layout.SecondPass {
		p.launches.SecondPass(cells)
	}
	if s.Cells {
		var groups launch.Expr
		if !p.grouping.Layout.Dense {
			groups = p.Value("groups")
		} else if len(p.markings) == 0 { // else it has been read
			p.readStatus()
		}
		p.leaveGroups(cells, groups)
		return
	}
	p.written(func() { p.readGroups(cells, p.Let("space", room)) })
}

// leaveGroups ends the plan with the groups in so many cells; groups is how many have rows, nil
// where that is not known.
func (p *Planner) leaveGroups(cells, groups launch.Expr) {
	made := &launch.Groups{Cells: cells, Groups: groups}
	for _, arg := range p.grouping.cells().words {
		fill := p.fills[arg]
		made.Words = append(made.Words, launch.Arg{Word: launch.None, X: fill.X, Ref: fill.Ref})
	}
	p.add(made)
}

// accumulate goes over the rows.
func (p *Planner) accumulate(cells, likely launch.Expr) {
	p.Number(Arg{Kind: ArgCells}, cells)
	p.launches.Rows(cells, likely)
	p.addCopies(cells)
}

// copied is so many cells with their replicas.
func (p *Planner) copied(cells launch.Expr) launch.Expr {
	return expr.Times(cells, launch.Int(p.grouping.how.tables()))
}

// addCopies adds the replicas of cells up.
func (p *Planner) addCopies(cells launch.Expr) {
	if n := p.grouping.how.tables(); n > 1 {
		p.Launch("compact", expr.Times(cells, launch.Int(n-1)))
	}
}

// states allocates the accumulators of so many cells, with how many bytes more of each.
func (p *Planner) states(cells launch.Expr, more ...int) int {
	widths := append(append([]int(nil), p.grouping.Layout.State...), more...)
	if len(widths) == 0 {
		return launch.None
	}
	b := p.buffer("cells", len(widths))
	sizes := make([]launch.Expr, len(widths))
	for i, width := range widths {
		sizes[i] = expr.Times(launch.Int(width), cells)
		p.Pointer(Arg{Kind: ArgState, Index: i}, launch.InOut, launch.Ref{Buffer: b, Part: i})
	}
	p.add(&launch.Alloc{Buffer: b, Sizes: sizes, Fill: launch.Zeros})
	return b
}

// denseCells lays the cells of a dense aggregation out and returns their number. The last
// key varies fastest.
func (p *Planner) denseCells(s *kernel.Aggregate) launch.Expr {
	cells := launch.Expr(launch.Int(1))
	for i := len(s.Keys) - 1; i >= 0; i-- {
		lo, card := p.keyRange(s.Keys[i])
		p.Number(Arg{Kind: ArgKeyLo, Index: i}, launch.Int(lo))
		p.Number(Arg{Kind: ArgKeyCard, Index: i}, card)
		p.Number(Arg{Kind: ArgKeyStride, Index: i}, cells)
		cells = expr.Times(cells, card)
	}
	tooMany := expr.LessThan(launch.Int(maxGroups), p.copied(cells))
	if known, ok := tooMany.(launch.Int); !ok || known != 0 {
		p.add(&launch.Fail{Kind: launch.Refused, Cond: tooMany, Text: "a dense aggregation has too many cells"})
	}
	if _, known := cells.(launch.Int); known {
		return cells
	}
	return p.Let("number", cells)
}

// keyRange returns the minimum of a key and the number of its values, NULL included.
func (p *Planner) keyRange(id kernel.ValueID) (lo int64, card launch.Expr) {
	v := &p.f.Values[id]
	switch {
	case v.Type == kernel.Code: // a dictionary may have far fewer entries than the range, above all that of a Map
		card = expr.Max(launch.Sym{Kind: launch.Entries, Index: int(v.Dict)}, launch.Int(1))
	case v.Range.Known && v.Range.Lo <= v.Range.Hi && uint64(v.Range.Hi)-uint64(v.Range.Lo) < maxGroups:
		lo, card = v.Range.Lo, launch.Int(v.Range.Hi-v.Range.Lo+1)
	case !v.Range.Known && v.Type == kernel.Bool:
		card = launch.Int(2)
	default:
		p.refuse("key %q of a dense aggregation has no range", v.Name)
		card = launch.Int(1)
	}
	if v.Nullable {
		card = expr.Plus(card, launch.Int(1))
	}
	return lo, card
}

// keyBases sets what is subtracted from the keys of a hashed aggregation.
func (p *Planner) keyBases(s *kernel.Aggregate) {
	for i, id := range s.Keys {
		p.Number(Arg{Kind: ArgKeyLo, Index: i}, launch.Int(keyBase(&p.f.Values[id])))
	}
}

// What is known of the number of slots that a table of groups has: how many times the
// groups that are likely there is room for where they are not sought, as a fraction, and how
// many slots for those that are, so that the table is from a third to two thirds full; how
// many groups there is room for at least, and how many slots, which are read together; and how many times as many after a table was full, since where equal keys lie
// together no part of the rows tells of the others; how many times as many groups as
// the source has rows are likely at first where a join or a repetition makes more rows
// of them, and how many are likely of a source of few rows: how many rows are made is a
// guess, a table that is too small is given up soon, and one that is too large is read
// out to its end.
const (
	headroom      = 6
	headroomOf    = 5
	slotsFor      = 8
	slotsForOf    = 5
	minGroups     = 1 << 9
	minSlots      = 4
	maxFirst      = 1 << 28
	minGrowth     = 4
	multiplied    = 4
	fewMultiplied = 1 << 12
)

// hashedGroups plans the accumulation into a table of groups, and again into a larger
// one where the blocks have given it up, and returns the number of its slots.
func (p *Planner) hashedGroups(s *kernel.Aggregate) launch.Expr {
	g := &p.grouping.Layout
	p.keyBases(s)
	slots := p.Let("slots", p.firstSlots())
	p.Loop(func() {
		p.add(&launch.Fail{
			Kind: launch.OutOfMemory, Cond: expr.LessThan(launch.Int(maxGroups), p.copied(slots)),
			Text: "out of device memory: an aggregation has too many groups",
		})
		fill, access := launch.Ones, launch.InOut
		var held []int
		if g.Apart > 0 {
			held = append(held, p.cellsBeside(p.copied(slots)))
		} else if g.KeyWords == 1 {
			if cells := p.states(p.copied(slots)); cells != launch.None {
				held = append(held, cells)
			}
		} else {
			fill, access = launch.Anything, launch.Out
			cells := p.states(p.copied(slots), 4)
			p.Pointer(Arg{Kind: ArgGroupState}, launch.InOut, launch.Ref{Buffer: cells, Part: len(g.State)})
			held = append(held, cells)
		}
		if g.Apart == 0 {
			keys := p.alloc("keys", expr.Times(launch.Int(8*g.KeyWords), p.copied(slots)), fill)
			p.Pointer(Arg{Kind: ArgGroupKeys}, access, launch.Ref{Buffer: keys})
			held = append(held, keys)
		}
		p.Pointer(Arg{Kind: ArgGroupCount}, launch.InOut, p.statusWord(statusGroups))
		p.lastColumns(slots)
		p.accumulate(slots, expr.Estimate)
		seen := []launch.Into{
			p.word("groups", statusGroups), p.word("full", statusGroups+1), p.word("tiles_seen", statusGroups+2),
			p.word("seen", statusGroups+3), p.word("placed", statusGroups+4),
		}
		if p.last == nil {
			p.readStatus(seen...)
		} else {
			p.readResult(p.out, p.last, append(seen, p.groupsWritten())...)
		}
		p.Until(expr.Equal(p.Value("full"), launch.Int(0)))
		if p.last != nil {
			held = append(held, p.out)
		}
		p.release(held...)
		p.clearStatus()
		p.Set(slots, p.moreSlots(slots))
	})
	return slots
}

// cellsBeside allocates so many slots of a table in which what is accumulated lies beside the keys.
func (p *Planner) cellsBeside(slots launch.Expr) int {
	g := &p.grouping.Layout
	b := p.alloc("cells", expr.Times(launch.Int(8*g.Apart), slots), launch.Zeros)
	p.Pointer(Arg{Kind: ArgGroupKeys}, launch.InOut, launch.Ref{Buffer: b})
	for i := range g.State {
		p.Pointer(Arg{Kind: ArgState, Index: i}, launch.InOut, launch.Ref{Buffer: b, Offset: launch.Int(8 * (i + 1))})
	}
	return b
}

// firstSlots is how many slots the table of groups has at first.
func (p *Planner) firstSlots() launch.Expr {
	groups := expr.Max(expr.Rows, launch.Int(1))
	if p.multiplies() {
		groups = expr.Max(expr.Times(launch.Int(multiplied), groups), launch.Int(fewMultiplied))
	}
	likely := expr.Min(expr.Min(expr.Max(expr.Estimate, launch.Int(minGroups)), groups), launch.Int(maxFirst))
	slots := p.Let("wanted_slots", expr.Max(slotsOf(likely), launch.Int(minSlots)))
	// A streamed source leaves little room, and estimates are high.
	fitting := expr.Max(expr.Min(slots, p.fittingSlots()), expr.Min(slots, launch.Int(minGroups)))
	return expr.Select(expr.Streamed, fitting, slots)
}

// slotsOf is how many slots a table of so many groups has.
func slotsOf(groups launch.Expr) launch.Expr {
	return expr.CeilPow2(expr.Div(expr.Times(groups, launch.Int(slotsFor)), launch.Int(slotsForOf)))
}

// LikelySlots is how many slots the table has at first, as far as groups are estimated.
func (g *Grouping) LikelySlots() float64 {
	return math.Exp2(math.Ceil(math.Log2(max(g.Estimate(), 1) * slotsFor / slotsForOf)))
}

// roomy is a number of groups with room for some more.
func (p *Planner) roomy(groups launch.Expr) launch.Expr {
	return expr.Div(expr.Times(groups, launch.Int(headroom)), launch.Int(headroomOf))
}

// fittingSlots is how many slots half of the memory has room for.
func (p *Planner) fittingSlots() launch.Expr {
	bytes := 8*p.grouping.Layout.KeyWords + 4
	for _, width := range p.grouping.Layout.State {
		bytes += width
	}
	if apart := p.grouping.Layout.Apart; apart > 0 {
		bytes = 8 * apart
	}
	bytes *= p.grouping.how.tables()
	return expr.FloorPow2(expr.Div(expr.Div(expr.Free, launch.Int(2)), launch.Int(bytes)))
}

// moreSlots is how many slots are tried after a table of so many was full: those of the
// groups that the rows until then make likely, as far as there is room.
func (p *Planner) moreSlots(slots launch.Expr) launch.Expr {
	pass := &p.made.Entries[p.entryNumber("aggregate")]
	warps := launch.Int(pass.Threads / Lanes) // one of each block has counted
	likely := expr.Apply(launch.Distinct, p.Value("groups"), expr.Times(p.Value("tiles_seen"), launch.Int(pass.TileRows)),
		expr.Times(p.Value("seen"), warps), expr.Times(p.Value("placed"), warps), expr.Rows)
	ceiling := launch.Expr(launch.Int(maxGroups))
	if !p.multiplies() {
		ceiling = expr.CeilPow2(expr.Times(launch.Int(2), expr.Max(expr.Rows, launch.Int(1))))
	}
	floor := p.Let("floor", expr.Times(slots, launch.Int(minGrowth)))
	ceiling = p.Let("ceiling", ceiling)
	more := p.Let("more", expr.Min(slotsOf(expr.Min(likely, launch.Int(maxGroups/4))), ceiling))
	more = expr.Max(expr.Min(more, p.fittingSlots()), expr.Min(more, floor))
	return expr.Max(expr.Max(more, expr.Min(floor, ceiling)), expr.Times(launch.Int(2), slots))
}

// readStates has launches from here on only read what has been accumulated.
func (p *Planner) readStates() {
	for arg, fill := range p.fills {
		if arg.Kind == ArgState || arg.Kind == ArgGroupKeys || arg.Kind == ArgGroupState {
			fill.Access = launch.In
			p.fills[arg] = fill
		}
	}
}

// groupsWritten is the number of the groups that have been written.
func (p *Planner) groupsWritten() launch.Into { return p.word("count", statusCount) }

// written ends the plan with the columns of the groups, which the last block has written, or an entry
// does.
func (p *Planner) written(write func()) {
	if p.last == nil {
		write()
	} else {
		p.When(expr.Equal(p.last, launch.Int(0)), func() {
			p.release(p.out)
			write()
		}, func() {
			if p.grouping.Layout.Dense { // a table has been read to know whether it was full
				p.readResult(p.out, p.last, p.groupsWritten())
			}
		})
	}
	p.add(&launch.Rows{Buffer: p.out, Rows: launch.VarRef(p.groupsWritten().Var)})
}

// readGroups writes the groups to columns. There is room for so many at first; where
// there are more, they are counted and the entry runs again.
func (p *Planner) readGroups(cells, space launch.Expr) {
	p.readStates()
	out, count := p.out, p.groupsWritten()
	p.Loop(func() {
		p.add(&launch.Columns{Buffer: out, Rows: space})
		p.into(out, space)
		p.Launch(FinalizeEntry, cells)
		p.readStatus(count)
		p.Until(expr.LessOrEqual(launch.VarRef(count.Var), space))
		p.release(out)
		p.add(&launch.Clear{At: p.statusWord(statusCount), Bytes: launch.Int(8)})
		p.Set(space, launch.VarRef(count.Var))
	})
}
