package cuda

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

func (p *cubePlanner) plan() {
	p.addSteps(kernel.Refinements(p.c.s.Sets), 0, 0)
	p.least = p.c.s.Fewest()
	for _, b := range p.c.s.Bars {
		if !p.c.s.Accs[b.Acc].CountsRows() {
			p.Number(Arg{Kind: ArgBar, Index: slices.Index(p.c.s.Bars, b)}, launch.Int(b.Limit))
		}
	}
	p.collectCodes()
	each := func(bytes int) launch.Expr { return expr.Times(launch.Int(bytes*(p.depths+3)), p.n) }
	p.rows, p.members = p.alloc("rows_in_order", each(4), launch.Anything), p.alloc("groups_in_order", each(4), launch.Anything)
	p.levels = p.alloc("levels", launch.Int(16*(p.depths+3)), launch.Zeros)
	p.counted = p.alloc("partitions", launch.Int(16*p.depths+8), launch.Zeros)
	p.Number(Arg{Kind: ArgCoarse}, p.n)
	p.fine(launch.Int(0))
	p.Launch("all_rows", p.n)
	p.overSteps(p.cards())
	p.readStatus()
	p.tell()
	p.add(&launch.Relations{Count: len(p.c.s.Sets)})
}

// addSteps adds a step and those after it.
func (p *cubePlanner) addSteps(r *kernel.Refinement, depth int, mask uint64) {
	at := len(p.steps)
	if r.Key >= 0 {
		mask |= 1 << r.Key
	}
	p.steps = append(p.steps, cubeStep{key: r.Key + 1, depth: depth, set: r.Set + 1, mask: mask})
	for _, finer := range r.Finer {
		p.addSteps(finer, depth+1, mask)
	}
	p.steps[at].after = len(p.steps)
	p.depths = max(p.depths, depth+1)
}

// collectCodes plans that the rows and the codes of their keys are written.
func (p *cubePlanner) collectCodes() {
	rows := p.rowBuffers()
	p.codes = p.buffer("codes", 1)
	p.words = map[int]int{}
	keys := len(p.c.keys)
	for i, id := range p.c.s.Keys {
		k := &p.c.keys[i]
		if p.Number(Arg{Kind: ArgKeyLo, Index: i}, launch.Int(p.f.Values[id].Range.Lo)); !k.direct {
			p.words[i] = p.buffer("words", 1)
		}
		if slices.ContainsFunc(k.words, isTextKey) {
			p.Number(Arg{Kind: ArgTextWords}, expr.LongestText)
		}
	}
	p.Number(Arg{Kind: ArgSkip}, launch.Int(0))
	o := &sorter{Planner: p.Planner, keys: p.buffer("no_keys", 1), words: launch.Int(0), before: func() {}} // the words of each key lie apart
	o.collect(func(capacity launch.Expr) []int {
		made := append(rows.make(capacity), p.codes)
		codes := &launch.Alloc{Buffer: p.codes, Sizes: []launch.Expr{expr.Times(launch.Int(max(4*keys, 1)), capacity)}}
		if len(p.words) == keys {
			codes.Fill = launch.Zeros // nobody writes any yet
		}
		p.add(codes)
		p.Pointer(Arg{Kind: ArgCodes, Index: codesOfAll}, launch.Out, launch.Ref{Buffer: p.codes})
		for _, i := range slices.Sorted(maps.Keys(p.words)) {
			p.add(&launch.Alloc{Buffer: p.words[i], Sizes: []launch.Expr{expr.Times(expr.Times(launch.Int(8), p.widthOf(i)), capacity)}})
			p.Pointer(Arg{Kind: ArgSortKeys, Index: 1 + i}, launch.Out, launch.Ref{Buffer: p.words[i]})
			made = append(made, p.words[i])
		}
		return made
	})
	p.n, p.capacity = o.n, o.capacity
	p.add(&launch.Fail{Kind: launch.Refused, Cond: expr.LessThan(launch.Int(math.MaxInt32), p.n), Text: "more than 2^31 rows are to be grouped by refinement"})
	rows.bind(launch.In, launch.In)
}

// cards are how many codes keys have, behind one for no key.
func (p *cubePlanner) cards() []launch.Expr {
	cards := []launch.Expr{launch.Int(1)}
	for i, id := range p.c.s.Keys {
		v := &p.f.Values[id]
		card := launch.Expr(launch.Int(2))
		switch {
		case !p.c.keys[i].direct:
			cards = append(cards, p.numberCodes(i))
			continue
		case v.Type == kernel.Code:
			card = launch.Sym{Kind: launch.Entries, Index: int(v.Dict)}
		case v.Type.IsInteger():
			card = launch.Int(v.Range.Hi - v.Range.Lo + 1)
		}
		if v.Nullable {
			card = expr.Plus(card, launch.Int(1))
		}
		cards = append(cards, card)
	}
	return cards
}

// widthOf is how many words the values of a key have.
func (p *cubePlanner) widthOf(key int) launch.Expr {
	layout := layoutOf(p.c.keys[key].words)
	return p.wordsOf(&layout)
}

// numberCodes plans the codes of a key that are numbers of its sorted values, and returns how
// many there are.
func (p *cubePlanner) numberCodes(key int) launch.Expr {
	p.coarse(launch.Int(0))
	column := launch.Ref{Buffer: p.codes, Offset: expr.Times(launch.Int(4*key), p.capacity)}
	p.Pointer(Arg{Kind: ArgCodes, Index: codesOfOne}, launch.In, column)
	p.Number(Arg{Kind: ArgCard}, launch.Int(1))
	card := p.Let("codes_of_key", p.sortRuns(p.words[key], p.n, p.capacity, p.widthOf(key)))
	p.release(p.words[key])
	p.coarse(p.ordered())
	p.Pointer(Arg{Kind: ArgCodes, Index: codesOfAll}, launch.InOut, column)
	p.Launch("encode", p.n)
	return card
}

// overSteps plans the loop.
func (p *cubePlanner) overSteps(codes []launch.Expr) {
	step := p.Value("step")
	cards := p.array("cards", codes...)
	key := p.ofStep("step_keys", step, func(s *cubeStep) int64 { return int64(s.key) })
	depth := p.ofStep("step_depths", step, func(s *cubeStep) int64 { return int64(s.depth) })
	set := p.ofStep("step_sets", step, func(s *cubeStep) int64 { return int64(s.set) })
	mask := p.ofStep("step_masks", step, func(s *cubeStep) int64 { return int64(s.mask) })
	after := p.ofStep("step_ends", step, func(s *cubeStep) int64 { return int64(s.after) })
	level := p.array("level", launch.Int(1), p.n)
	p.Set(step, launch.Int(0))
	p.Loop(func() {
		p.Until(expr.LessOrEqual(launch.Int(len(p.steps)), step))
		from := p.Set(p.Value("from"), depth)
		refined := p.Set(p.Value("refined"), p.rowsOf(level, from))
		card := p.Set(p.Value("card"), launch.At{Array: cards, Index: key})
		cells := p.Set(p.Value("cells"), expr.Times(p.groupsOf(level, from), card))
		p.Number(Arg{Kind: ArgCoarse}, refined)
		p.Number(Arg{Kind: ArgCard}, card)
		p.Pointer(Arg{Kind: ArgCodes, Index: codesOfOne}, launch.In, launch.Ref{
			Buffer: p.codes, Offset: expr.Times(expr.Times(launch.Int(4), expr.Minus(key, launch.Int(1))), p.capacity),
		})
		p.coarse(from)
		p.When(expr.LessThan(expr.Max(launch.Int(fewCells), expr.Times(launch.Int(cellsOfRow), refined)), cells), func() {
			words := p.alloc("cells_of_rows", expr.Times(launch.Int(8), refined), launch.Anything)
			p.Pointer(Arg{Kind: ArgRunWords}, launch.Out, launch.Ref{Buffer: words})
			p.Launch("cells", refined)
			runs := p.sortRuns(words, refined, refined, launch.Int(1))
			p.release(words)
			p.Set(from, p.ordered())
			p.Set(card, launch.Int(1))
			p.Set(cells, runs)
		}, func() {})
		p.refineStep(level, depth, set, mask)
		p.Set(step, expr.Select(p.groupsOf(level, expr.Plus(depth, launch.Int(1))), expr.Plus(step, launch.Int(1)), after))
	})
}

// Cells are numbered as runs of sorted rows where they are more than so many, and more than so
// many times the rows.
const (
	fewCells   = 1 << 16
	cellsOfRow = 4
)

// refineStep plans what a step does when its cells are known.
func (p *cubePlanner) refineStep(level int, depth, set, mask launch.Expr) {
	cells, from := p.Value("cells"), p.Value("from")
	p.coarse(from)
	counts := p.alloc("cell_counts", expr.Times(launch.Int(4), cells), launch.Zeros)
	p.Pointer(Arg{Kind: ArgCellCounts}, launch.InOut, launch.Ref{Buffer: counts})
	p.Launch("tally", p.Value("refined"))
	to := expr.Plus(depth, launch.Int(1))
	unread := launch.Ref{Buffer: p.counted, Offset: launch.Int(16 * p.depths)}
	seen := launch.Ref{Buffer: p.counted, Offset: expr.Times(launch.Int(16), depth)}
	kept := launch.Ref{Buffer: p.counted, Offset: expr.Plus(expr.Times(launch.Int(16), depth), launch.Int(8))}
	one := launch.Expr(launch.Int(0))
	if slices.Contains(p.c.s.Sets, 0) && len(p.c.s.Bars) == 0 {
		one = expr.Equal(expr.Plus(p.n, p.Value("step")), launch.Int(0))
	}
	p.Number(Arg{Kind: ArgOne}, one)
	if len(p.c.bars) == 0 {
		p.survivors("", cells, launch.Int(p.least), to, level, seen, kept, func() {
			p.When(expr.NotEqual(set, launch.Int(0)), func() {
				p.states()
				p.write(level, to, to, set, mask)
				p.releaseStates()
			}, func() {})
		})
	} else {
		p.survivors("", cells, launch.Int(p.least), p.judged(), level, seen, unread, func() { p.judge(level, to, unread, kept, set, mask) })
	}
	p.release(counts)
}

// survivors plans that the groups of cells are found whose rows are at least so many, moves
// their rows to a slot, and goes on with then where there are any.
func (p *cubePlanner) survivors(name string, cells, least, to launch.Expr, level int, seen, kept launch.Ref, then func()) {
	tiles := expr.CeilDiv(cells, launch.Int(refinedTile))
	sums := p.alloc(name+"cell_sums", expr.Times(launch.Int(8), expr.Plus(tiles, launch.Int(1))), launch.Zeros)
	p.Number(Arg{Kind: ArgCells}, cells)
	p.Number(Arg{Kind: ArgFewest}, least)
	p.Number(Arg{Kind: ArgTiles}, tiles)
	p.Pointer(Arg{Kind: ArgCellSums}, launch.InOut, launch.Ref{Buffer: sums})
	p.Pointer(Arg{Kind: ArgSeen}, launch.InOut, seen)
	p.Pointer(Arg{Kind: ArgKept}, launch.InOut, kept)
	p.Pointer(Arg{Kind: ArgLevel}, launch.InOut, launch.Ref{Buffer: p.levels, Offset: expr.Times(launch.Int(16), to)})
	p.Launch("survive", cells)
	p.Launch("begin", launch.Int(1))
	p.add(&launch.Read{From: launch.Ref{Buffer: p.levels}, Words: launch.Int(2 * (p.depths + 3)), Raise: launch.None, Array: level})
	p.When(p.groupsOf(level, to), func() {
		numbers := p.alloc(name+"cell_numbers", expr.Times(launch.Int(4), cells), launch.Anything)
		starts := p.alloc(name+"group_starts", expr.Times(launch.Int(4), expr.Plus(p.groupsOf(level, to), launch.Int(1))), launch.Anything)
		marks := p.alloc(name+"marks", p.rowsOf(level, to), launch.Zeros)
		at := func(kind ArgKind, access launch.Access, buffer int) {
			p.Pointer(Arg{Kind: kind}, access, launch.Ref{Buffer: buffer})
		}
		at(ArgCellNumbers, launch.Out, numbers)
		at(ArgPartStarts, launch.Out, starts)
		at(ArgMarks, launch.InOut, marks)
		p.Launch("place", cells)
		at(ArgCellNumbers, launch.In, numbers)
		at(ArgPartStarts, launch.In, starts)
		at(ArgMarks, launch.In, marks)
		p.fine(to)
		p.Launch("move", p.Value("refined"))
		p.Pointer(Arg{Kind: ArgOrder}, launch.In, p.slot(p.rows, to))
		p.Number(Arg{Kind: ArgOrdered}, p.rowsOf(level, to))
		p.Number(Arg{Kind: ArgTiles}, expr.CeilDiv(p.rowsOf(level, to), launch.Int(orderedTile)))
		then()
		p.release(numbers, starts, marks)
	}, func() {})
	p.release(sums)
}

// states plans the states of the groups' accumulators.
func (p *cubePlanner) states() {
	n := p.fills[Arg{Kind: ArgOrdered}].X
	p.runStates(n, expr.CeilDiv(n, launch.Int(orderedTile)), n)
}

func (p *cubePlanner) releaseStates() {
	for _, a := range p.w.accs {
		p.release(p.fills[Arg{Kind: ArgRunning, Index: a.call}].Ref.Buffer)
	}
}

// judge plans that groups are pruned by their accumulators, and the rest of the step.
func (p *cubePlanner) judge(level int, to launch.Expr, unread, kept launch.Ref, set, mask launch.Expr) {
	p.states()
	groups := p.Set(p.Value("judged_groups"), p.groupsOf(level, p.judged()))
	starts := p.fills[Arg{Kind: ArgPartStarts}]
	order, ordered := p.fills[Arg{Kind: ArgOrder}], p.fills[Arg{Kind: ArgOrdered}]
	counts := p.alloc("judged_counts", expr.Times(launch.Int(4), groups), launch.Anything)
	p.Pointer(Arg{Kind: ArgCellCounts}, launch.Out, launch.Ref{Buffer: counts})
	p.Number(Arg{Kind: ArgGroups}, groups)
	p.Launch("judge", groups)
	p.Pointer(Arg{Kind: ArgCellCounts}, launch.InOut, launch.Ref{Buffer: counts})
	p.Number(Arg{Kind: ArgCoarse}, ordered.X)
	p.Number(Arg{Kind: ArgCard}, launch.Int(1))
	p.coarse(p.judged())
	p.Set(p.Value("refined"), ordered.X)
	p.survivors("judged_", groups, launch.Int(1), to, level, unread, kept, func() {
		p.fills[Arg{Kind: ArgPartStarts}], p.fills[Arg{Kind: ArgOrder}], p.fills[Arg{Kind: ArgOrdered}] = starts, order, ordered
		p.When(expr.NotEqual(set, launch.Int(0)), func() { p.write(level, p.judged(), to, set, mask) }, func() {})
	})
	p.release(counts)
	p.releaseStates()
}

// write plans that the groups of a slot are written that are left in another one.
func (p *cubePlanner) write(level int, groups, left, set, mask launch.Expr) {
	rows := p.groupsOf(level, left)
	out := p.columns("out")
	p.add(&launch.Columns{Buffer: out, Rows: rows})
	p.into(out, rows)
	p.Number(Arg{Kind: ArgGroups}, p.groupsOf(level, groups))
	p.Number(Arg{Kind: ArgMask}, mask)
	p.Launch("write", p.groupsOf(level, groups))
	p.add(&launch.Keep{Buffer: out, Rows: rows, Number: expr.Minus(set, launch.Int(1))})
}

// sortRuns plans that the rows that are refined are sorted by words, and that runs of equal
// ones are numbered, in the slot of cells in order. It returns how many there are.
func (p *cubePlanner) sortRuns(words int, n, capacity, width launch.Expr) launch.Expr {
	o := &sorter{Planner: p.Planner, keys: words, n: n, words: width, capacity: capacity, order: p.buffer("order", 1)}
	if !p.sorts {
		o.declare(false, "rank_rows")
	}
	p.sorts = true
	o.radix()
	tiles := expr.CeilDiv(n, launch.Int(refinedTile))
	sums := p.alloc("run_sums", expr.Times(launch.Int(8), expr.Plus(tiles, launch.Int(1))), launch.Zeros)
	p.Number(Arg{Kind: ArgTiles}, tiles)
	p.Number(Arg{Kind: ArgRunCapacity}, capacity)
	p.Number(Arg{Kind: ArgRunWidth}, width)
	p.Pointer(Arg{Kind: ArgCellSums}, launch.InOut, launch.Ref{Buffer: sums})
	p.Pointer(Arg{Kind: ArgRunWords}, launch.In, launch.Ref{Buffer: words})
	p.Pointer(Arg{Kind: ArgRunOrder}, launch.In, launch.Ref{Buffer: o.order})
	p.Launch("runs", n)
	p.Launch("start_runs", launch.Int(1))
	p.add(&launch.Read{
		From: launch.Ref{Buffer: sums, Offset: expr.Times(launch.Int(8), tiles)}, Words: launch.Int(1), Raise: launch.None,
		Into: []launch.Into{p.word("runs", 0)}, Array: launch.None,
	})
	p.fine(p.ordered())
	p.Launch("number", n)
	p.release(sums, o.order)
	return p.Value("runs")
}

// tell has EXPLAIN ANALYZE say how many partitions there were.
func (p *cubePlanner) tell() {
	all := p.Variable("counted_partitions", launch.Array)
	p.add(&launch.Read{From: launch.Ref{Buffer: p.counted}, Words: launch.Int(2 * p.depths), Raise: launch.None, Array: all})
	var kept, pruned []launch.Expr
	for d := range p.depths {
		left := launch.At{Array: all, Index: launch.Int(2*d + 1)}
		kept, pruned = append(kept, left), append(pruned, expr.Minus(launch.At{Array: all, Index: launch.Int(2 * d)}, left))
	}
	p.Note(fmt.Sprintf("%d cuboids; partitions of 0, 1, … keys", len(p.c.s.Sets)), kept...)
	if len(p.c.s.Bars) > 0 {
		p.Note("pruned", pruned...)
	}
}
