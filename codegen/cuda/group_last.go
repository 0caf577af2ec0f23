package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// Few groups are written by the launch that accumulates them, by the last of its blocks that ends
// (threadFenceReduction of the CUDA samples). That spares a launch and, of a table of groups, the host's look at
// how many there are before it makes room for them.

// Who writes groups to columns, and what the choice is called.
const (
	ofWriting = "writing groups on the device"
	lastBlock = "last_block"
	ownKernel = "kernel"
)

// chooseWriter chooses who writes the groups, where the kernel does.
func (g *Grouping) chooseWriter(c *chosen) error {
	if g.s.Cells || g.Layout.Runs {
		return nil
	}
	launched := g.Device().Launch
	last := strategy.Offer{Strategy: lastBlock, Refusal: g.notLast(c), Detail: g.lastDetail()}
	if limit := g.Device().Groups.LastCells; last.Refusal == "" {
		last.Cost = launched * g.likelyPlaces() / float64(limit)
	}
	d, err := new(strategy.Preference).Choose(ofWriting, last, strategy.Offer{Strategy: ownKernel, Cost: launched})
	if err != nil {
		return err
	}
	c.last, c.decisions = d.Takes(lastBlock), append(c.decisions, d)
	return nil
}

// notLast says why no block of the launch over the rows is the last one to add to cells, or "".
func (g *Grouping) notLast(c *chosen) string {
	switch {
	case g.Device().Groups.LastCells <= 0:
		return "the device's figures have no cells for it"
	case g.Layout.SecondPass:
		return "rows are gone over once more when all of a group are known"
	case c.copies():
		return "replicas of cells are added up before"
	case c.strategy.Adding(g).Deals:
		return "rows are grouped by several entries, one after the other"
	case g.multiplies():
		return "what goes on with many matches may be another kernel"
	}
	return ""
}

// likelyPlaces is how many cells there are likely to be, with those of no group; 0: it is not known.
func (g *Grouping) likelyPlaces() float64 {
	if !g.Layout.Dense || g.Cells() > 0 {
		return g.places()
	}
	return g.LikelyCells()
}

func (g *Grouping) lastDetail() string {
	if g.alwaysLast() {
		return fmt.Sprintf("%.0f cells", g.Cells())
	}
	return fmt.Sprintf("as long as the launch finds at most %d cells", g.Device().Groups.LastCells)
}

// alwaysLast reports whether it is known that the cells are few, and that nothing is to be written
// where there are no rows.
func (g *Grouping) alwaysLast() bool {
	cells := g.Cells()
	return len(g.s.Keys) > 0 && cells > 0 && cells <= float64(g.Device().Groups.LastCells)
}

// WriteLast has the last block that ends write the groups, where that is chosen and the launch asks for it: of
// a table that was full they would not be all.
func (g *Grouping) WriteLast(e *Entry) {
	if !g.how.last {
		return
	}
	flawed := ""
	if !g.Layout.Dense {
		flawed = ", lost != 0 || was_full"
	}
	e.whereLast("cells whose groups the last block writes", flawed, func(cells string) {
		g.writeGroups(e, cells)
	})
}

// writeGroups writes the groups of so many cells by one block, each thread of which looks at a cell of a tile.
func (g *Grouping) writeGroups(e *Entry, cells string) {
	c := g.cells()
	e.openScratch("u32")
	e.Line("u64 written = 0;")
	e.Begin("for (u64 tile = 0; tile < %s; tile += T)", cells)
	e.Line("const u64 cell = tile + threadIdx.x;")
	e.Line("const u32 active = cell < %s && %s;", cells, c.present(e))
	e.Line("const u64 place = own_places<u32>(scratch, written, active), capacity = %s;", e.capacity())
	e.Line("if (!active || place >= capacity) continue;")
	g.writeGroup(e, c, "place")
	e.End()
	e.Line("if (threadIdx.x == 0) atomicAdd(%s, written);", e.count())
}

// lookBefore reads whether an earlier launch found the table full, where the last block may write the groups: the
// answer is needed only behind the additions of the slots.
func (g *Grouping) lookBefore(e *Entry) {
	if g.how.last && !g.Layout.Dense {
		e.Line("const bool was_full = *(volatile u64*)(%s + 1) != 0;", g.groupCount(e))
	}
}

// whereLast writes what the last block does that ends, where a number that the launch gives is not 0. flawed is
// the further argument of is_last, with a comma, or "".
func (e *Entry) whereLast(comment, flawed string, body func(number string)) {
	e.include("last.cuh")
	number := e.Arg(Arg{Kind: ArgLast}, "u64", comment+"; 0: it does not")
	e.Begin("if (%s > 0 && is_last(%s%s))", number, e.ended(), flawed)
	body(number)
	e.End()
}

// ended is the counter of the blocks that have ended.
func (e *arguments) ended() string {
	return e.Arg(Arg{Kind: ArgEnded}, "u64*", "blocks that have ended")
}

// lastColumns has the last block write the groups of so many cells, where they are few: it makes room for
// them in the columns of a buffer.
func (p *Planner) lastColumns(cells launch.Expr) {
	if !p.grouping.how.last {
		return
	}
	last := cells
	if !p.grouping.alwaysLast() {
		last = expr.Select(expr.LessOrEqual(cells, launch.Int(p.grouping.Device().Groups.LastCells)), cells, launch.Int(0))
		if len(p.f.Sink.(*kernel.Aggregate).Keys) == 0 { // there is a group without rows, and no launch
			last = expr.Select(expr.Rows, last, launch.Int(0))
		}
		last = p.Set(p.Value("last"), last)
	}
	p.add(&launch.Columns{Buffer: p.out, Rows: last})
	p.into(p.out, last)
	p.endLast(last)
}

// endLast gives the last block of the last launch over the rows a number, 0 where it is to do nothing.
func (p *Planner) endLast(last launch.Expr) {
	p.Pointer(Arg{Kind: ArgEnded}, launch.InOut, p.statusWord(statusEnded))
	p.last = last
	p.LastOf(launch.Int(1))
}

// LastOf says that launches over the rows from here on are the last ones only where a condition holds.
func (p *Planner) LastOf(cond launch.Expr) {
	if p.last != nil {
		p.Number(Arg{Kind: ArgLast}, expr.Select(expr.Times(expr.Equal(expr.Left, launch.Int(0)), cond), p.last, launch.Int(0)))
	}
}
