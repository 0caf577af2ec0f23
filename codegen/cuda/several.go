package cuda

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

// several renders a Several: one pass over the rows, which filters those of a tile for each branch, takes
// places in all results at once, and then computes and writes what each branch gives.
func (r *renderer) several(s *kernel.Several) {
	b := &branches{s: s, readers: make(map[kernel.ValueID]int)}
	for i := range s.Branches {
		m, ok := s.Branches[i].Sink.(*kernel.Materialize)
		if !ok {
			r.refuse("there is no device code for a sink of type %T beside others", s.Branches[i].Sink)
			return
		}
		b.first = append(b.first, len(r.outputs))
		for _, id := range m.Cols {
			r.output(id)
		}
		for id := range valuesOf(s.Branches[i].Body, m.Cols...) {
			b.readers[id]++
		}
	}
	r.include("branches.cuh")
	r.Pass(Pass{
		Name: "materialize", Comment: "writes the rows that remain in each branch", Reads: []kernel.ValueID{},
		Open: b.open, Rows: b.write,
	})
}

// branches are those of a Several while they are written.
type branches struct {
	s       *kernel.Several
	first   []int                  // by branch: of its outputs
	readers map[kernel.ValueID]int // how many branches read a value
}

// cols are what a branch writes.
func (b *branches) cols(i int) []kernel.ValueID {
	return b.s.Branches[i].Sink.(*kernel.Materialize).Cols
}

// filters are the instructions of a branch up to its last filter, and rest those behind it.
func (b *branches) filters(i int) (filters, rest kernel.Block) {
	body := b.s.Branches[i].Body
	end := len(body)
	for end > 0 && !isFilter(body[end-1]) {
		end--
	}
	return body[:end], body[end:]
}

func isFilter(in kernel.Instr) bool {
	_, ok := in.(*kernel.Filter)
	return ok
}

// valuesOf are the values that instructions read or give, and some others.
func valuesOf(block kernel.Block, others ...kernel.ValueID) map[kernel.ValueID]bool {
	values := make(map[kernel.ValueID]bool)
	kernel.VisitBlock(block, func(id *kernel.ValueID) { values[*id] = true })
	for _, id := range others {
		values[id] = true
	}
	return values
}

// open declares the shared memory in which places are taken.
func (b *branches) open(e *Entry) {
	e.Line("__shared__ u32 scratch[%d][WARPS];", len(b.s.Branches))
	e.Line("__shared__ u64 block_places[%d];", len(b.s.Branches))
}

// write writes what the branches do with the rows of a tile.
func (b *branches) write(e *Entry) {
	b.filter(e)
	e.whereActive(func() {
		b.fetch(e)
		for i := range b.s.Branches {
			e.Line("count_branch(scratch[%d], rows%d);", i, i)
		}
		e.Line("__syncthreads();")
		for i := range b.s.Branches {
			e.sink = i
			e.Line("take_branch(%d, scratch[%d], block_places[%d], %s);", i*Lanes, i, i, e.count())
		}
		for i := range b.s.Branches {
			b.writeBranch(e, i)
		}
	})
}

// filter writes the filters of all branches. The columns of their first ones are fetched together, and
// those that several branches read are loaded for all rows.
func (b *branches) filter(e *Entry) {
	var common, first []kernel.ValueID
	for i := range b.s.Branches {
		filters, _ := b.filters(i)
		for id := range valuesOf(filters) {
			if b.readers[id] > 1 {
				common = append(common, id)
			}
		}
		for id := range valuesOf(filters[:slices.IndexFunc(filters, isFilter)+1]) {
			first = append(first, id)
		}
	}
	slices.Sort(common)
	slices.Sort(first)
	e.fetchAll(slices.Concat(common, first))
	e.use(common...)
	e.Line("const u32 all = active;")
	e.reads = nil
	var rows []string
	for i := range b.s.Branches {
		filters, _ := b.filters(i)
		e.Line("active = all;")
		e.block(filters, func() { e.Line("u32 rows%d = active;", i) })
		rows = append(rows, fmt.Sprintf("rows%d", i))
	}
	e.Line("active = %s;", strings.Join(rows, " | "))
}

// fetch fetches what the branches read behind their filters: what several of them read for the rows of
// all, and the rest for those of its branch.
func (b *branches) fetch(e *Entry) {
	var common []kernel.ValueID
	own := make([][]kernel.ValueID, len(b.s.Branches))
	for i := range b.s.Branches {
		_, rest := b.filters(i)
		for _, id := range slices.Sorted(maps.Keys(valuesOf(rest, b.cols(i)...))) {
			if b.readers[id] > 1 {
				common = append(common, id)
			} else {
				own[i] = append(own[i], id)
			}
		}
	}
	slices.Sort(common)
	e.fetchAll(common)
	for i, ids := range own {
		if slices.ContainsFunc(ids, func(id kernel.ValueID) bool { _, ok := e.fetchable(id); return ok && !e.fetched[id] }) {
			e.Line("active = rows%d;", i)
			e.fetchAll(ids)
		}
	}
}

// writeBranch writes what a branch gives of its rows.
func (b *branches) writeBranch(e *Entry, i int) {
	_, rest := b.filters(i)
	e.scoped(func() {
		e.Begin("")
		e.reads, e.sink, e.firstOutput = b.cols(i), i, b.first[i]
		e.Line("u64 place = place_branch(scratch[%d], block_places[%d], rows%d, %s);", i, i, i, e.capacity())
		e.Line("u32 active = rows%d;", i)
		e.block(rest, func() { e.WriteAbreast(func() { e.storeAll(b.cols(i)) }) })
		e.End()
	})
}

// severalPlanner plans a Several. Of each branch there are its columns and for how many rows
// they have room.
type severalPlanner struct {
	*Planner
	out   []int
	space []launch.Expr
	count []launch.Into
}

// planSeveral plans a Several: where a branch gives more rows than there is room for, all of
// them run again.
func (p *Planner) planSeveral(s *kernel.Several) {
	b := &severalPlanner{Planner: p}
	next := 0
	for i := range s.Branches {
		cols := len(s.Branches[i].Sink.(*kernel.Materialize).Cols)
		b.out = append(b.out, p.columnsOf("out", next, cols))
		next += cols
		b.space = append(b.space, p.Let("space", p.firstRoom(0)))
		b.count = append(b.count, p.word(fmt.Sprintf("count%d", i), countWord(i)))
		p.Pointer(Arg{Kind: ArgCount, Index: i}, launch.InOut, p.statusWord(countWord(i)))
	}
	p.Loop(b.run)
	for i, out := range b.out {
		p.add(&launch.Keep{Buffer: out, Rows: launch.VarRef(b.count[i].Var), Number: launch.Int(i)})
	}
	p.add(&launch.Relations{Count: len(b.out)})
}

// run plans that the branches run, and what is done before they run again.
func (b *severalPlanner) run() {
	for i, out := range b.out {
		b.add(&launch.Columns{Buffer: out, Rows: b.space[i]})
		b.intoResult(out, i, b.space[i])
	}
	b.overRows("materialize")
	b.readStatus(b.count...)
	fits := launch.Expr(launch.Int(1))
	for i := range b.out {
		fits = expr.Times(fits, expr.LessOrEqual(launch.VarRef(b.count[i].Var), b.space[i]))
	}
	b.Until(fits)
	b.release(b.out...)
	b.clearStatus()
	for i := range b.out {
		b.Set(b.space[i], launch.VarRef(b.count[i].Var))
	}
}
