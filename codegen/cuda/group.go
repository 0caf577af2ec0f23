package cuda

import (
	"fmt"
	"math/bits"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// FinalizeEntry is the name of the entry that makes results of the cells of groups.
const FinalizeEntry = "finish"

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
	case s.Cells, g.how.last && g.alwaysLast():
	case !g.Layout.Runs:
		r.entry(FinalizeEntry, "writes the groups", r.rows*r.threads, g.finish)
	case g.unfinished(): // keys have been written
		r.entry(FinalizeEntry, "writes the results of the groups", threads, g.finishRuns)
	}
}

// layOut lays out the cells of an aggregation.
func (r *renderer) layOut(s *kernel.Aggregate) *Grouping {
	g := &Grouping{renderer: r, share: 1, s: s, Layout: CellLayout{Dense: isDense(s), Runs: s.Strategy == kernel.Ordered}, Rows: DefaultRows}
	if s.Threads > 0 {
		r.threads = s.Threads
	}
	if s.ThreadRows > 0 && !g.Layout.Runs {
		g.SetRows(s.ThreadRows)
	}
	r.include("cells.cuh")
	r.planMarks(s)
	if g.Layout.Runs && r.multiplies() {
		r.refuse("there is no device code for runs of rows that a join multiplies")
	}
	g.plan()
	if len(g.markings) > 0 && g.Layout.SecondPass {
		r.refuse("rows are gone over once more when all of a group are known, and values are marked once")
	}
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
		Warps: true, Children: true, Marks: true,
		Open: func(e *Entry) { g.OpenTier(e, t) },
		Rows: func(e *Entry) {
			g.countSeen(e)
			g.AddRows(e, t)
			if !g.Layout.Dense && g.multiplies() {
				g.tellFull(e)
			}
		},
		Close: func(e *Entry) {
			g.countAdditions(e)
			g.lookBefore(e)
			g.flush(e, t, false)
			g.countTiles(e)
		},
		Last:  g.WriteLast,
		While: g.roomLeft,
	}
}

// OpenTier begins a block that adds rows by way of a tier.
func (g *Grouping) OpenTier(e *Entry, t Tier) {
	e.slots, e.full = t.Slots, t.Full
	g.openCopy(e)
	g.openPeers(e)
	t.open(e)
}

// plan lays out the cells and the result.
func (g *Grouping) plan() {
	for _, id := range g.s.Keys {
		if !g.s.Cells || g.Layout.Runs {
			g.output(id)
		}
	}
	if !g.Layout.Dense && !g.Layout.Runs {
		g.include("hash.cuh")
		g.include("groups.cuh")
		g.packed = g.packKeys(g.s.Keys)
		g.Layout.KeyWords = g.packed.words
	}
	for i := range g.s.Accs {
		g.accs = append(g.accs, g.planAcc(&g.s.Accs[i]))
		for _, id := range g.s.Accs[i].Dst {
			if !g.s.Cells {
				g.output(id)
			}
		}
	}
	if g.Layout.Dense && len(g.s.Keys) > 0 {
		g.exists = g.presence()
	}
	g.putBeside()
	g.placePlanes()
}

// putBeside has what is accumulated of a group lie behind its key, where the cache is not likely to
// hold the table and both fit a sector of the memory: a row then reaches one of them and not two.
func (g *Grouping) putBeside() {
	const word = 8
	words := 1 + len(g.Layout.State)
	if g.Layout.KeyWords != 1 || words == 1 || g.HasTextKey() {
		return
	}
	for _, width := range g.Layout.State {
		if width != word {
			return
		}
	}
	apart := 1 << bits.Len(uint(words-1))
	if apart*word <= sector && slotsPerGroup*g.groups()*float64(words*word) > float64(g.Device().Groups.CacheBytes) {
		g.Layout.Apart = apart
	}
}

// presence chooses the term that shows which cells have rows: that of an
// accumulator which every row changes, or one of its own.
func (g *Grouping) presence() term {
	for i := range g.accs {
		if a := &g.accs[i]; g.grows(a) {
			return a.terms[0]
		}
	}
	return g.seen[g.seenBy(kernel.NoValue, nil)].term
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

// AddRows finds the cells of the active rows and accumulates.
func (g *Grouping) AddRows(e *Entry, t Tier) {
	t.Locate(e)
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
	id := g.s.Keys[i]
	k := e.denseKeyArgs(i, g.name(id))
	part := fmt.Sprintf("(u32)((i64)%s - %s)", e.At(id), k.lo)
	if n := e.nulls(id); n != "" {
		part = fmt.Sprintf("(bit(%s, r) ? (u32)%s - 1 : %s)", n, k.card, part)
	}
	return fmt.Sprintf("%s * (u32)%s", part, k.stride)
}
