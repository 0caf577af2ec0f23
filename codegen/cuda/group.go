package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// groupLayout says what the host prepares for an Aggregate with keys. A group has a
// cell: dense, the place of its keys' values in the product of the keys' ranges,
// or the slot of a table that finds it.
type groupLayout struct {
	Dense    bool
	KeyWords int // 64-bit words of a key in the table; 1: a slot is free where the word is all ones, more: where its state is 0
	// HomeWords are those of a key in its home; 0: homes belong to cells, since a thread
	// would hold too many of them.
	HomeWords int
	State     []int // the arrays of accumulators: bytes of a cell, all zeros at first
	Planes    int   // 32-bit words of a copy of a home in shared memory
	// Again tells that entry again goes over the rows after entry aggregate.
	Again bool
	// Wide says that a block is a large one: see wideHomes.
	Wide bool
	// Ranges tells that both entries may be launched for one range of the cells after
	// the other, each going over all rows.
	Ranges bool
	// OwnBytes is not 0 where entry own does what aggregate does with cells that
	// each thread has of its own: the shared memory of a block for a cell. There is no
	// aggregate where the keys' types tell that all cells fit in mostOwn.
	OwnBytes int
	// OwnTurns is the greatest ArgTurns of entry own.
	OwnTurns int
}

// Grouping renders an Aggregate with keys.
type Grouping struct {
	*renderer
	s      *kernel.Aggregate
	groups groupLayout
	accs   []GroupedAcc
	seen   []SeenField
	packed *packedKeys           // how keys are put together, not dense
	exists func(e *Entry) string // dense: what is not 0 of a cell that has rows
}

// grouped renders the aggregation into many groups, or into one, which exists even
// without rows. One entry goes over the rows,
// finds the cell of each and accumulates there; a last one goes over the cells and
// writes the groups.
func (r *renderer) grouped(s *kernel.Aggregate) {
	g := &Grouping{renderer: r, s: s, groups: groupLayout{Dense: s.Strategy != kernel.Hash}}
	r.include("cells.cuh")
	g.plan()
	if r.err != nil {
		return
	}
	g.groups.Wide, g.groups.Ranges = g.isWide(), g.inRanges()
	if g.groups.Wide {
		r.threads = g.wideThreads()
	}
	own := g.planOwn()
	switch {
	case own != nil && g.isLight():
		r.rows = lightOwnRows
	case own != nil:
		r.rows = ownRowsPerThread
	case g.isLight():
		r.rows = lightRows
	}
	if own == nil || !own.surely() {
		r.pass(pass{
			name: "aggregate", comment: "accumulates the rows in the cells of their groups",
			open: g.open, rows: g.rows, close: g.flush, while: g.roomLeft,
		})
	}
	if own != nil {
		r.pass(own.pass())
		g.groups.OwnBytes, g.groups.OwnTurns = int(own.bytes(1)), ownRows/r.rows
	}
	if g.groups.Again {
		r.pass(g.again())
	}
	r.entry("finish", "writes the groups", threads, g.finish)
	r.groups = &g.groups
}

// plan lays out the cells and the result.
func (g *Grouping) plan() {
	for _, id := range g.s.Keys {
		g.output(id)
	}
	if !g.groups.Dense {
		g.include("hash.cuh")
		g.include("groups.cuh")
		g.packed = g.packKeys()
		g.groups.KeyWords = g.packed.words
		if g.packed.words <= mostHomeWords {
			g.groups.HomeWords = g.packed.words
		}
	}
	for i := range g.s.Accs {
		g.accs = append(g.accs, g.planAcc(&g.s.Accs[i]))
		for _, id := range g.s.Accs[i].Dst {
			g.output(id)
		}
	}
	if g.groups.Dense && len(g.s.Keys) > 0 {
		g.exists = g.presence()
	}
}

// presence chooses the array that tells which cells have rows: that of an
// accumulator which every row changes, or one of its own.
func (g *Grouping) presence() func(e *Entry) string {
	for i := range g.accs {
		if a := &g.accs[i]; g.grows(a) {
			return func(e *Entry) string { return a.array(e, 0) }
		}
	}
	i := g.seenBy(kernel.NoValue, nil)
	return func(e *Entry) string { return g.seen[i].array(e) }
}

// grows tells whether an accumulator is not 0 once it has had a row: it counts all
// rows, or adds up numbers of one sign.
func (g *Grouping) grows(a *GroupedAcc) bool {
	if a.kind != keptSum || a.acc.Filter != kernel.NoValue {
		return false
	}
	for _, id := range a.acc.Args {
		v := &g.f.Values[id]
		if v.Nullable || a.acc.Op != kernel.AccCount && (!v.Range.Known || v.Range.Lo <= 0) {
			return false
		}
	}
	return true
}

// mostHomeWords is the greatest number of words of keys that have homes.
const mostHomeWords = 2

// open declares the homes of the block and empties them.
func (g *Grouping) open(e *Entry) {
	homes := e.Arg(Arg{Kind: ArgHomes}, "u64", "homes in shared memory")
	copies := e.Arg(Arg{Kind: ArgCopies}, "u64", "copies of each home")
	e.Line("extern __shared__ u32 shared_words[];")
	e.Line("const u32 span = (u32)(%s * %s);", homes, copies)
	e.Line("u32* const tags = shared_words + %d * span;", g.groups.Planes)
	if g.groups.Dense {
		tagged := e.Arg(Arg{Kind: ArgTagged}, "u64", "1 where cells share homes")
		e.Line("const Homes homes = {shared_words, tags, %s != 0, span, (u32)%s, (u32)%s, %s};", tagged, homes, copies, g.firstCell(e))
		e.Line("clear(homes, %d * span + (u32)(%s * %s));", g.groups.Planes, tagged, homes)
		return
	}
	words := g.groups.HomeWords
	e.Line("u64* const home_keys = (u64*)(tags + %s);", homes)
	e.Line("const Homes homes = {shared_words, tags, true, span, (u32)%s, (u32)%s, 0, home_keys};", homes, copies)
	e.Line("clear(homes, %d * span + %d * (u32)%s);", g.groups.Planes, 1+2*words, homes)
	g.openTable(e)
}

// firstCell is the first cell whose rows count.
func (g *Grouping) firstCell(e *Entry) string {
	if !g.groups.Ranges {
		return "0"
	}
	return "(u32)" + e.Arg(Arg{Kind: ArgFirstCell}, "u64", "first cell whose rows count")
}

// rows finds the cells of the rows and accumulates.
func (g *Grouping) rows(e *Entry) {
	if !g.groups.Dense {
		e.Line("came += __popc(active);")
	}
	g.locate(e)
	if !g.groups.Dense {
		g.tellFull(e)
	}
	for i := range g.accs {
		g.accs[i].accumulate(g, e)
	}
	for i := range g.seen {
		g.seen[i].accumulate(e)
	}
}

// locate finds the cells of the rows and where they go.
func (g *Grouping) locate(e *Entry) {
	if !g.groups.Dense {
		g.slots(e)
		return
	}
	g.denseCells(e)
	if g.groups.Ranges {
		g.keepRange(e)
	}
	e.Line("u32 at[R], local = 0;  // where in the homes, or the cell")
	e.Begin("if (homes.tagged)")
	e.Line("ROWS if (bit(active, r)) set(local, r, locate(homes, cell[r], at[r]));")
	e.depth--
	e.Begin("} else")
	e.Line("ROWS at[r] = copy_of(homes, cell[r] - homes.first);")
	e.Line("local = active;")
	e.End()
}

// keepRange leaves rows out whose cells are not in the range.
func (g *Grouping) keepRange(e *Entry) {
	size := e.Arg(Arg{Kind: ArgRangeCells}, "u64", "cells whose rows count")
	e.Begin("if (%s != %s)", size, e.Arg(Arg{Kind: ArgCells}, "u64", "cells"))
	e.Line("u32 inside = 0;")
	e.Line("ROWS set(inside, r, cell[r] - homes.first < (u32)%s);", size)
	e.Line("active &= inside;")
	e.End()
}

// denseCells computes the cells from the keys.
func (g *Grouping) denseCells(e *Entry) {
	e.Line("u32 cell[R];")
	e.Begin("ROWS")
	e.Line("cell[r] = 0;")
	for i, id := range g.s.Keys {
		k := g.denseKey(e, i)
		part := fmt.Sprintf("(u32)((i64)%s - %s)", e.At(id), k.lo)
		if n := e.nulls(id); n != "" {
			part = fmt.Sprintf("(bit(%s, r) ? (u32)%s - 1 : %s)", n, k.card, part)
		}
		e.Line("cell[r] += %s * (u32)%s;%s", part, k.stride, e.about(id, ""))
	}
	e.End()
}

// denseKeyArgs are the arguments that place a key's values in the cells.
type denseKeyArgs struct{ lo, card, stride string }

func (g *Grouping) denseKey(e *Entry, i int) denseKeyArgs {
	name := g.f.Values[g.s.Keys[i]].Name
	return denseKeyArgs{
		lo:     e.Arg(Arg{Kind: ArgKeyLo, Index: i}, "i64", "least "+name),
		card:   e.Arg(Arg{Kind: ArgKeyCard, Index: i}, "u64", "values of "+name+", NULL included"),
		stride: e.Arg(Arg{Kind: ArgKeyStride, Index: i}, "u64", "cells between two values of "+name),
	}
}

// flush adds what the block has in its homes to the cells.
func (g *Grouping) flush(e *Entry) {
	if !g.groups.Dense {
		g.countGroups(e)
	}
	g.flushHomes(e, func() {
		for i := range g.accs {
			g.accs[i].flush(g, e)
		}
		for i := range g.seen {
			g.seen[i].flush(e)
		}
	})
}

// flushHomes goes over the homes that have an owner.
func (g *Grouping) flushHomes(e *Entry, each func()) {
	e.Line("__syncthreads();")
	e.Begin("for (u32 home = threadIdx.x; home < homes.count; home += T)")
	e.Line("const u32 owner = homes.tagged ? homes.tags[home] : homes.first + home + 1;")
	e.Line("if (owner == 0) continue;")
	e.Line("const u32 cell = owner - 1;")
	e.Line("const u32* const words = homes.words + home * homes.copies;")
	each()
	e.End()
}

// finish writes the groups. Every thread looks at one cell of a tile.
func (g *Grouping) finish(e *Entry) {
	e.params()
	cells := e.Arg(Arg{Kind: ArgCells}, "u64", "cells")
	e.openPlaces()
	e.Begin("for (u64 tile = (u64)blockIdx.x * T; tile < %s; tile += (u64)gridDim.x * T)", cells)
	e.Line("const u64 cell = tile + threadIdx.x;")
	e.Line("const u32 active = cell < %s && %s;", cells, g.present(e))
	e.takePlaces()
	e.Line("if (!active || place >= capacity) continue;")
	e.Line("const int r = 0;")
	if g.groups.Dense {
		g.denseKeys(e)
	} else {
		g.unpackKeys(e)
	}
	for i, id := range g.s.Keys {
		e.store(i, id, "place")
	}
	out := len(g.s.Keys)
	for i := range g.accs {
		g.accs[i].result(g, e)
		for _, id := range g.accs[i].acc.Dst {
			e.store(out, id, "place")
			out++
		}
	}
	e.End()
}

// present is the condition that a cell has a group.
func (g *Grouping) present(e *Entry) string {
	switch {
	case len(g.s.Keys) == 0:
		return "true"
	case g.groups.Dense:
		return g.exists(e) + "[cell] != 0"
	case g.packed.words == 1:
		return g.table(e) + "[cell] != FREE"
	}
	return g.slotState(e) + "[cell] != 0"
}

// denseKeys declares the keys of a cell.
func (g *Grouping) denseKeys(e *Entry) {
	for i, id := range g.s.Keys {
		if g.declared(i) {
			continue
		}
		k := g.denseKey(e, i)
		e.Line("const u64 part%d = cell / %s %% %s;", i, k.stride, k.card)
		g.declareKey(e, id, fmt.Sprintf("(i64)part%d + %s", i, k.lo), fmt.Sprintf("part%d == %s - 1", i, k.card))
	}
}

// declared tells whether key i needs no declaration: it is a constant of the
// launch, or an earlier key too.
func (g *Grouping) declared(i int) bool {
	for _, before := range g.s.Keys[:i] {
		if before == g.s.Keys[i] {
			return true
		}
	}
	return g.isParam(g.s.Keys[i])
}

// declareKey declares a key as a value of one row.
func (g *Grouping) declareKey(e *Entry, id kernel.ValueID, v, null string) {
	t := e.f.Values[id].Type
	if t == kernel.Bool {
		e.Line("const u32 %s = (u32)(%s) & 1;%s", e.name(id), v, e.about(id, ""))
	} else {
		e.Line("const %s %s[1] = {(%s)(%s)};%s", e.ctype(t), e.name(id), e.ctype(t), v, e.about(id, ""))
	}
	if n := e.nulls(id); n != "" {
		e.Line("const u32 %s = %s;", n, null)
	}
}
