package cuda

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
)

// mostGroups is how many cells an aggregation may have: a cell's number has 32 bits, and
// some are taken.
const mostGroups = 1 << 31

// firstGroups is for how many groups of a dense aggregation there is room at first.
const firstGroups = 1 << 20

// planGroups plans an Aggregate with keys: the cells are allocated, the rows accumulated in
// them, and what they hold is written to columns.
func (p *planner) planGroups(s *kernel.Aggregate) {
	p.number(Arg{Kind: ArgSkip}, launch.Int(0))
	var cells, room launch.Expr
	if p.groups.Dense {
		cells = p.denseCells(s)
		p.states(cells)
		p.accumulate(cells, cells)
		room = least(cells, launch.Int(firstGroups))
	} else {
		cells, room = p.hashedGroups(s), launch.VarRef(p.variable("groups", launch.Natural))
	}
	if p.groups.Again {
		p.overRanges("again", cells)
	}
	p.readGroups(cells, p.let("space", room))
}

// states allocates the accumulators of so many cells, with how many bytes more of each.
func (p *planner) states(cells launch.Expr, more ...int) int {
	widths := append(append([]int(nil), p.groups.State...), more...)
	if len(widths) == 0 {
		return launch.None
	}
	b := p.buffer("cells", len(widths))
	sizes := make([]launch.Expr, len(widths))
	for i, width := range widths {
		sizes[i] = times(launch.Int(width), cells)
		p.pointer(Arg{Kind: ArgState, Index: i}, launch.InOut, launch.Ref{Buffer: b, Part: i})
	}
	p.add(&launch.Alloc{Buffer: b, Sizes: sizes, Fill: launch.Zeros})
	return b
}

// denseCells lays the cells of a dense aggregation out and returns their number. The last
// key varies fastest.
func (p *planner) denseCells(s *kernel.Aggregate) launch.Expr {
	cells := launch.Expr(launch.Int(1))
	for i := len(s.Keys) - 1; i >= 0; i-- {
		lo, card := p.keyRange(s.Keys[i])
		p.number(Arg{Kind: ArgKeyLo, Index: i}, launch.Int(lo))
		p.number(Arg{Kind: ArgKeyCard, Index: i}, card)
		p.number(Arg{Kind: ArgKeyStride, Index: i}, cells)
		cells = times(cells, card)
	}
	tooMany := below(launch.Int(mostGroups), cells)
	if known, ok := tooMany.(launch.Int); !ok || known != 0 {
		p.add(&launch.Fail{Kind: launch.Refused, Cond: tooMany, Text: "a dense aggregation has too many cells"})
	}
	if _, known := cells.(launch.Int); known {
		return cells
	}
	return p.let("number", cells)
}

// keyRange returns the least value of a key and the number of its values, NULL included.
func (p *planner) keyRange(id kernel.ValueID) (lo int64, card launch.Expr) {
	v := &p.f.Values[id]
	switch {
	case v.Range.Known && v.Range.Lo <= v.Range.Hi && uint64(v.Range.Hi)-uint64(v.Range.Lo) < mostGroups:
		lo, card = v.Range.Lo, launch.Int(v.Range.Hi-v.Range.Lo+1)
	case !v.Range.Known && v.Type == kernel.Bool:
		card = launch.Int(2)
	case !v.Range.Known && v.Type == kernel.Code:
		card = most(launch.Sym{Kind: launch.Entries, Index: int(v.Dict)}, launch.Int(1))
	default:
		p.refuse("key %q of a dense aggregation has no range", v.Name)
		card = launch.Int(1)
	}
	if v.Nullable {
		card = plus(card, launch.Int(1))
	}
	return lo, card
}

// keyBases sets what is subtracted from the keys of a hashed aggregation: the least
// value of their range or of their type.
func (p *planner) keyBases(s *kernel.Aggregate) {
	for i, id := range s.Keys {
		v, lo := &p.f.Values[id], int64(0)
		switch {
		case knownRange(v):
			lo = v.Range.Lo
		case v.Type == kernel.I32:
			lo = math.MinInt32
		}
		p.number(Arg{Kind: ArgKeyLo, Index: i}, launch.Int(lo))
	}
}

// What is known of the number of slots that a table of groups has: how many times the
// groups that are likely there is room for, as a fraction; how many are tried at least,
// and how many times as many after a table was full, since where equal keys lie
// together no part of the rows tells of the others; how many times as many groups as
// the source has rows are likely at first where a join or a repetition makes more rows
// of them, and how many are likely of a source of few rows: how many rows are made is a
// guess, a table that is too small is given up soon, and one that is too large is read
// out to its end.
const (
	moreLikely    = 6
	moreLikelyOf  = 5
	leastSlots    = 1 << 9
	mostFirst     = 1 << 28
	leastGrowth   = 4
	multiplied    = 4
	fewMultiplied = 1 << 12
)

// hashedGroups plans the accumulation into a table of groups, and again into a larger
// one where the blocks have given it up, and returns the number of its slots.
func (p *planner) hashedGroups(s *kernel.Aggregate) launch.Expr {
	g := p.groups
	p.keyBases(s)
	slots := p.let("slots", p.firstSlots())
	p.loop(func() {
		p.add(&launch.Fail{
			Kind: launch.OutOfMemory, Cond: below(launch.Int(mostGroups), slots),
			Text: "out of device memory: an aggregation has too many groups",
		})
		fill, access := launch.Ones, launch.InOut
		var held []int
		if g.KeyWords == 1 {
			if cells := p.states(slots); cells != launch.None {
				held = append(held, cells)
			}
		} else {
			fill, access = launch.Anything, launch.Out
			cells := p.states(slots, 4)
			p.pointer(Arg{Kind: ArgGroupState}, launch.InOut, launch.Ref{Buffer: cells, Part: len(g.State)})
			held = append(held, cells)
		}
		keys := p.alloc("keys", times(launch.Int(8*g.KeyWords), slots), fill)
		p.pointer(Arg{Kind: ArgGroupKeys}, access, launch.Ref{Buffer: keys})
		p.pointer(Arg{Kind: ArgGroupCount}, launch.InOut, p.statusWord(statusGroups))
		p.accumulate(slots, estimate)
		p.readStatus(p.word("groups", statusGroups), p.word("full", statusGroups+1), p.word("tiles_seen", statusGroups+2),
			p.word("seen", statusGroups+3), p.word("placed", statusGroups+4))
		p.until(equal(launch.VarRef(p.variable("full", launch.Natural)), launch.Int(0)))
		p.release(append(held, keys)...)
		p.clearStatus()
		p.let("slots", p.moreSlots(slots))
	})
	return slots
}

// firstSlots is how many slots the table of groups has at first: twice as many as there
// are likely to be groups.
func (p *planner) firstSlots() launch.Expr {
	groups := most(rows, launch.Int(1))
	if p.multiplies() {
		groups = most(times(launch.Int(multiplied), groups), launch.Int(fewMultiplied))
	}
	likely := least(least(most(p.roomy(estimate), launch.Int(leastSlots)), groups), launch.Int(mostFirst))
	slots := p.let("slots", up(times(launch.Int(2), likely)))
	// A streamed source leaves little room, and estimates are high.
	fitting := most(least(slots, p.fittingSlots()), least(slots, launch.Int(leastSlots)))
	return choose(streamed, fitting, slots)
}

// roomy is a number of groups with room for some more.
func (p *planner) roomy(groups launch.Expr) launch.Expr {
	return over(times(groups, launch.Int(moreLikely)), launch.Int(moreLikelyOf))
}

// fittingSlots is how many slots half of the memory has room for.
func (p *planner) fittingSlots() launch.Expr {
	bytes := 8*p.groups.KeyWords + 4
	for _, width := range p.groups.State {
		bytes += width
	}
	return down(over(over(free, launch.Int(2)), launch.Int(bytes)))
}

// moreSlots is how many slots are tried after a table of so many was full: twice as many
// as the groups that the rows until then make likely, as far as there is room.
func (p *planner) moreSlots(slots launch.Expr) launch.Expr {
	value := func(name string) launch.Expr { return launch.VarRef(p.variable(name, launch.Natural)) }
	pass := &p.made.Entries[p.entryNumber("aggregate")]
	warps := launch.Int(pass.Threads / warpThreads) // one of each block has counted
	likely := apply(launch.Distinct, value("groups"), times(value("tiles_seen"), launch.Int(pass.TileRows)),
		times(value("seen"), warps), times(value("placed"), warps), rows)
	ceiling := launch.Expr(launch.Int(mostGroups))
	if !p.multiplies() {
		ceiling = up(times(launch.Int(2), most(rows, launch.Int(1))))
	}
	floor := p.let("floor", times(slots, launch.Int(leastGrowth)))
	ceiling = p.let("ceiling", ceiling)
	more := p.let("more", least(up(times(launch.Int(2), p.roomy(least(likely, launch.Int(mostGroups/4))))), ceiling))
	more = most(least(more, p.fittingSlots()), least(more, floor))
	return most(most(more, least(floor, ceiling)), times(launch.Int(2), slots))
}

// warpThreads is the number of threads of a warp.
const warpThreads = 32

// readGroups writes the groups to columns. There is room for so many at first; where
// there are more, they are counted and the entry runs again.
func (p *planner) readGroups(cells, space launch.Expr) {
	for arg, fill := range p.fills {
		if arg.Kind == ArgState || arg.Kind == ArgGroupKeys || arg.Kind == ArgGroupState {
			fill.Access = launch.In
			p.fills[arg] = fill
		}
	}
	out := p.columns("out")
	count := p.word("count", statusCount)
	p.loop(func() {
		p.add(&launch.Columns{Buffer: out, Rows: space})
		p.into(out, space)
		p.launch("finish", cells)
		p.readStatus(count)
		p.until(atMost(launch.VarRef(count.Var), space))
		p.release(out)
		p.add(&launch.Clear{At: p.statusWord(statusCount), Bytes: launch.Int(8)})
		p.let("space", launch.VarRef(count.Var))
	})
	p.add(&launch.Rows{Buffer: out, Rows: launch.VarRef(count.Var)})
}
