package cuda

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// several renders a Several: one pass over the rows, which filters those of a tile for each branch, takes
// places in all results at once, and then computes and writes what each branch gives.
func (r *renderer) several(s *kernel.Several) {
	b := &branches{readers: make(map[kernel.ValueID]int)}
	for i := range s.Branches {
		m, ok := s.Branches[i].Sink.(*kernel.Materialize)
		if !ok {
			r.refuse("there is no device code for a sink of type %T beside others", s.Branches[i].Sink)
			return
		}
		b.add(r, s.Branches[i].Body, m.Cols)
	}
	r.include("branches.cuh")
	r.Pass(Pass{
		Name: "materialize", Comment: "writes the rows that remain in each branch", Reads: []kernel.ValueID{},
		Open: b.open, Rows: b.write,
	})
}

// branches are those of a Several while they are written.
type branches struct {
	of      []branch
	packed  int                    // how many pack their rows
	readers map[kernel.ValueID]int // how many branches read a value of the rows where they are
}

// branch is one of them: the instructions up to its last filter, those behind it, and what it writes.
type branch struct {
	filters, rest kernel.Block
	cols          []kernel.ValueID
	first         int // of its outputs
	list          int // in which its rows are packed, below 0 where they stay
}

// add adds a branch.
func (b *branches) add(r *renderer, body kernel.Block, cols []kernel.ValueID) {
	filters, rest := parted(body)
	of := branch{filters: filters, rest: rest, cols: cols, first: len(r.outputs), list: -1}
	for _, id := range cols {
		r.output(id)
	}
	read := valuesOf(body, cols...)
	if slices.ContainsFunc(filters, packs) {
		of.list = b.packed
		b.packed++
		of.rest = again(filters, rest, cols)
		read = valuesOf(filters)
	}
	for id := range read {
		b.readers[id]++
	}
	b.of = append(b.of, of)
}

// parted are the instructions of a branch up to its last filter, and those behind it.
func parted(body kernel.Block) (filters, rest kernel.Block) {
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

// again is what follows the filters of a branch whose rows are packed: what was computed for filters and is read behind
// them is computed again.
func again(filters, rest kernel.Block, cols []kernel.ValueID) kernel.Block {
	read := valuesOf(rest, cols...)
	var before kernel.Block
	for _, in := range slices.Backward(filters) {
		if !isFilter(in) && read[kernel.Result(in)] {
			before = append(before, in)
			maps.Copy(read, valuesOf(kernel.Block{in}))
		}
	}
	slices.Reverse(before)
	return append(before, rest...)
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

// open declares the shared memory in which places are taken and rows are listed.
func (b *branches) open(e *Entry) {
	e.Line("__shared__ u32 scratch[%d][WARPS];", len(b.of))
	e.Line("__shared__ u64 block_places[%d];", len(b.of))
	if b.packed > 0 {
		e.Line("__shared__ u16 listed[%d][TILE];", b.packed)
	}
}

// write writes what the branches do with the rows of a tile.
func (b *branches) write(e *Entry) {
	b.filter(e)
	e.whereActive(func() {
		b.fetch(e)
		for i := range b.of {
			if list := b.of[i].list; list >= 0 {
				e.Line("list_branch(scratch[%d], list_of_warp(listed[%d]), (u32)(first - tile), rows%d);", i, list, i)
			} else {
				e.Line("count_branch(scratch[%d], rows%d);", i, i)
			}
		}
		e.Line("__syncthreads();")
		for i := range b.of {
			e.sink = i
			e.Line("take_branch(%d, scratch[%d], block_places[%d], %s);", i*Lanes, i, i, e.count())
		}
		for i := range b.of {
			b.writeBranch(e, i)
		}
	})
}

// filter writes the filters of all branches. The columns of their first ones are fetched together, and
// those that several branches read are loaded for all rows.
func (b *branches) filter(e *Entry) {
	var common, first []kernel.ValueID
	for i := range b.of {
		filters := b.of[i].filters
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
	for i := range b.of {
		e.Line("active = all;")
		e.block(b.of[i].filters, func() { e.Line("u32 rows%d = active;", i) })
		rows = append(rows, fmt.Sprintf("rows%d", i))
	}
	e.Line("active = %s;", strings.Join(rows, " | "))
}

// fetch fetches what the branches whose rows stay read behind their filters: what several of them read for the
// rows of all, and the rest for those of its branch.
func (b *branches) fetch(e *Entry) {
	var common []kernel.ValueID
	own := make([][]kernel.ValueID, len(b.of))
	for i := range b.of {
		if b.of[i].list >= 0 {
			continue
		}
		for _, id := range slices.Sorted(maps.Keys(valuesOf(b.of[i].rest, b.of[i].cols...))) {
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
	of := &b.of[i]
	e.scoped(func() {
		e.Begin("")
		e.reads, e.sink, e.firstOutput = of.cols, i, of.first
		place := func(how, rows string) {
			e.Line("u64 place = %s(scratch[%d], block_places[%d], %s, %s);", how, i, i, rows, e.capacity())
		}
		write := func() {
			e.block(of.rest, func() { e.WriteAbreast(func() { e.storeAll(of.cols) }) })
		}
		if of.list >= 0 {
			e.Line("u32 rows;")
			place("place_listed", "rows")
			e.overListed(fmt.Sprintf("list_of_warp(listed[%d])", of.list), write)
		} else {
			e.Line("u32 active = rows%d;", i)
			place("place_branch", "active")
			write()
		}
		e.End()
	})
}

// listedRows is how many listed rows a thread holds.
const listedRows = 2

// overListed writes the loop over so many rows of a list of the warp's, side by side in its lanes.
func (e *Entry) overListed(list string, body func()) {
	e.Line("constexpr int R = %d;  // of the rows that are listed", listedRows)
	e.Begin("for (u32 from = 0; from < rows; from += 32 * R)")
	e.Line("u32 active = 0;")
	e.Line("i64 row[R];")
	e.Begin("ROWS")
	e.Line("const u32 at = from + 32 * r + (threadIdx.x & 31);")
	e.Line("set(active, r, at < rows);")
	e.Line("row[r] = tile + (at < rows ? %s[at] : 0);", list)
	e.End()
	clear(e.loaded)
	clear(e.fetched)
	clear(e.pending)
	e.rowsAt = "row"
	body()
	e.rowsAt = ""
	e.End()
}
