package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// grouped renders the aggregation into many groups, or into one, which exists even
// without rows. The entries of its strategy go over the rows, find the cell of each and
// accumulate there; a last one goes over the cells and writes the groups.
func (r *renderer) grouped(s *kernel.Aggregate) {
	g := r.layOut(s)
	if r.err != nil {
		return
	}
	if g.how = g.decided(); r.err != nil {
		return
	}
	r.grouping = g
	g.how.strategy.Render(g)
	if g.how.copies() {
		r.entry("compact", "adds the replicas of cells up", threads, g.compact)
	}
	switch {
	case !g.Layout.Runs:
		r.entry("finish", "writes the groups", threads, g.finish)
	case g.unfinished(): // keys have been written
		r.entry("finish", "writes the results of the groups", threads, g.finishRuns)
	}
}

// layOut lays out the cells of an aggregation.
func (r *renderer) layOut(s *kernel.Aggregate) *Grouping {
	g := &Grouping{renderer: r, share: 1, s: s, Layout: CellLayout{Dense: s.Strategy != kernel.Hash && s.Strategy != kernel.Ordered, Runs: s.Strategy == kernel.Ordered}, Rows: DefaultRows}
	if s.Threads > 0 {
		r.threads = s.Threads
	}
	r.include("cells.cuh")
	if g.Layout.Runs && r.multiplies() {
		r.refuse("there is no device code for runs of rows that a join multiplies")
	}
	g.plan()
	return g
}

// Accumulate writes the entry aggregate with a tier, and the second pass where it is
// needed.
func (g *Grouping) Accumulate(t Tier) {
	g.Pass(g.accumulating(t))
	if !g.Layout.SecondPass {
		return
	}
	if t.Second != nil {
		t = *t.Second
	}
	g.Pass(g.secondPass(t))
}

// accumulating is the entry aggregate.
func (g *Grouping) accumulating(t Tier) Pass {
	return Pass{
		Name: "aggregate", Comment: "accumulates the rows in the cells of their groups",
		Warps: true, Children: true,
		Open: func(e *Entry) {
			e.slots, e.full = t.Slots, t.Full
			g.openCopy(e)
			g.openPeers(e)
			t.open(e)
		},
		Rows: func(e *Entry) { g.rowsOf(e, t) },
		Close: func(e *Entry) {
			g.countAdditions(e)
			g.flush(e, t, false)
			if !g.Layout.Dense {
				g.countGroups(e)
			}
		},
		While: g.roomLeft,
	}
}

// plan lays out the cells and the result.
func (g *Grouping) plan() {
	for _, id := range g.s.Keys {
		g.output(id)
	}
	if !g.Layout.Dense && !g.Layout.Runs {
		g.include("hash.cuh")
		g.include("groups.cuh")
		g.packed = g.packKeys()
		g.Layout.KeyWords = g.packed.words
	}
	for i := range g.s.Accs {
		g.accs = append(g.accs, g.planAcc(&g.s.Accs[i]))
		for _, id := range g.s.Accs[i].Dst {
			g.output(id)
		}
	}
	if g.Layout.Dense && len(g.s.Keys) > 0 {
		g.exists = g.presence()
	}
}

// presence chooses the array that shows which cells have rows: that of an
// accumulator which every row changes, or one of its own.
func (g *Grouping) presence() func(e *Entry) string {
	for i := range g.accs {
		if a := &g.accs[i]; g.grows(a) {
			return func(e *Entry) string { return a.Array(e, 0) }
		}
	}
	i := g.seenBy(kernel.NoValue, nil)
	return func(e *Entry) string { return g.seen[i].Array(e) }
}

// grows reports whether an accumulator is not 0 once it has had a row: it counts all
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

// rowsOf finds the cells of the rows and accumulates.
func (g *Grouping) rowsOf(e *Entry, t Tier) {
	if !g.Layout.Dense {
		e.Line("rows_seen += __popc(active);")
	}
	t.Locate(e)
	if !g.Layout.Dense {
		g.tellFull(e)
	}
	g.findPeers(e)
	for i := range g.accs {
		g.accs[i].accumulate(e, false)
	}
	for i := range g.seen {
		g.seen[i].accumulate(e)
	}
}

// DenseCells computes the cells from the keys.
func (g *Grouping) DenseCells(e *Entry) {
	e.Line("u32 cell[R];")
	e.Begin("ROWS")
	e.Line("cell[r] = %s;", e.cellPart("[r]"))
	for i, id := range g.s.Keys {
		if !e.inPart[id] {
			e.Line("cell[r] += %s;", g.cellTerm(e, i))
		}
	}
	e.End()
}

// cellPart is what hoistCell has written of the cells.
func (e *Entry) cellPart(at string) string {
	if e.part == "" {
		return "0"
	}
	return e.part + at
}

// cellTerm is what a key adds to the number of a row's cell.
func (g *Grouping) cellTerm(e *Entry, i int) string {
	id, k := g.s.Keys[i], g.denseKey(e, i)
	part := fmt.Sprintf("(u32)((i64)%s - %s)", e.At(id), k.lo)
	if n := e.nulls(id); n != "" {
		part = fmt.Sprintf("(bit(%s, r) ? (u32)%s - 1 : %s)", n, k.card, part)
	}
	return fmt.Sprintf("%s * (u32)%s", part, k.stride)
}

// denseKeyArgs are the arguments that place a key's values in the cells.
type denseKeyArgs struct{ lo, card, stride string }

func (g *Grouping) denseKey(e *Entry, i int) denseKeyArgs {
	name := g.name(g.s.Keys[i])
	return denseKeyArgs{
		lo:     e.Arg(Arg{Kind: ArgKeyLo, Index: i}, "i64", "minimum of "+name),
		card:   e.Arg(Arg{Kind: ArgKeyCard, Index: i}, "u64", "values of "+name+", NULL included"),
		stride: e.Arg(Arg{Kind: ArgKeyStride, Index: i}, "u64", "cells between two values of "+name),
	}
}

// finish writes the groups. Every thread looks at one cell of a tile.
func (g *Grouping) finish(e *Entry) {
	e.params()
	cells := e.Arg(Arg{Kind: ArgCells}, "u64", "cells")
	e.openRows()
	e.Begin("for (u64 tile = (u64)blockIdx.x * T; tile < %s; tile += (u64)gridDim.x * T)", cells)
	e.Line("const u64 cell = tile + threadIdx.x;")
	e.Line("const u32 active = cell < %s && %s;", cells, g.present(e))
	e.takePlaces()
	e.Line("if (!active || place >= capacity) continue;")
	e.Line("const int r = 0;")
	if g.Layout.Dense {
		g.denseKeys(e)
	} else {
		g.unpackKeys(e)
	}
	for i, id := range g.s.Keys {
		e.store(i, id, "place")
	}
	g.storeResults(e, "place")
	e.End()
}

// present is the condition that a cell has a group.
func (g *Grouping) present(e *Entry) string {
	switch {
	case len(g.s.Keys) == 0:
		return "true"
	case g.Layout.Dense:
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
		g.declareKey(e, id, fmt.Sprintf("(i64)(part%d + (u64)%s)", i, k.lo), fmt.Sprintf("part%d == %s - 1", i, k.card))
	}
}
