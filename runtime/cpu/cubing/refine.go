package cubing

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/scheduler"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// refiner refines partitions on one goroutine at a time.
type refiner struct {
	*pruning
	slice   *scheduler.TimeSlice
	count   []uint32  // by code: rows of the partition at hand that have it; zero between partitions
	next    []uint32  // by code: where its next row goes
	number  []uint32  // by code: its group, where it has one
	sums    [][]int64 // by bar and code
	codes   []uint32  // that the partition at hand has
	seen    []uint32  // room for codes
	parts   []part    // of the partitions on the path, those of the finest last
	path    []uint32  // by key: the code of the partition at hand
	cuboids []cuboid  // by set
	kept    []int64   // partitions by their number of keys
	pruned  []int64   // likewise
	rows    int       // since others have had their time slice
}

// pruning is all rows with what every group of a result passes.
type pruning struct {
	*input
	largest int // dimension: how many codes it has
	minRows int // of a group
	bars    []bar
}

// part is rows lo … hi−1 of a partition, which have one code.
type part struct {
	lo, hi int
	code   uint32
}

// none is the number of a code whose partition is pruned.
const none = ^uint32(0)

func newRefiner(c *pruning) *refiner {
	r := &refiner{pruning: c, path: make([]uint32, len(c.dims)), kept: make([]int64, len(c.dims)+1), pruned: make([]int64, len(c.dims)+1), cuboids: make([]cuboid, len(c.in.Sets))}
	mem := &c.run.Mem
	for _, s := range []*[]uint32{&r.count, &r.next, &r.number, &r.seen} {
		*s = exec.Grown(mem, *s, c.largest+1)
	}
	for range c.bars {
		sums := exec.Grown[int64](mem, nil, c.largest)
		r.sums = append(r.sums, sums)
	}
	for i, set := range c.in.Sets {
		r.cuboids[i].init(set)
	}
	return r
}

// refine finds the groups within a partition of depth keys that the steps after at lead
// to. It leaves the same rows in rows, in any order, and anything in spare.
func (r *refiner) refine(at *kernel.Refinement, depth int, rows, spare []int32) {
	if len(rows) == 1 && len(r.bars) == 0 {
		r.single(at, depth, rows[0])
		return
	}
	from, to := rows, spare
	for _, step := range at.Finer {
		r.poll(len(rows))
		split := r.step(step, depth+1, from, to)
		if split {
			from, to = to, from
		}
	}
	if len(rows) > 0 && &from[0] != &rows[0] {
		copy(rows, from)
	}
}

// step refines a partition by one key, and what is left of it by those that follow. Where
// split is set the rows are in to afterwards.
func (r *refiner) step(step *kernel.Refinement, depth int, from, to []int32) (split bool) {
	dim := &r.dims[step.Key]
	r.tally(dim, from)
	survivors := r.survivors(step, depth, dim, from)
	if survivors == 0 || len(step.Finer) == 0 {
		if survivors > 0 && step.Set >= 0 {
			r.cuboids[step.Set].addRows(r.input, dim, from, r.number)
		}
		r.forget()
		return false
	}
	first := len(r.parts)
	r.place()
	dim.move(from, to, r.next)
	if step.Set >= 0 {
		r.addParts(step, r.parts[first:], to)
	}
	r.forget()
	last := len(r.parts)
	for i := first; i < last; i++ {
		p := r.parts[i]
		r.path[step.Key] = p.code
		r.refine(step, depth, to[p.lo:p.hi], from[p.lo:p.hi])
	}
	r.parts = r.parts[:first]
	return true
}

// addParts accumulates parts of rows, whose groups were added one after the other.
func (r *refiner) addParts(step *kernel.Refinement, parts []part, rows []int32) {
	if len(r.accs.Specs) == 0 {
		return
	}
	for _, p := range parts {
		r.cuboids[step.Set].addGroup(r.input, rows[p.lo:p.hi], r.number[p.code])
	}
}

// tally counts the rows of each code.
func (r *refiner) tally(dim *dimension, rows []int32) {
	if len(rows) < 4*dim.count {
		r.codes = dim.tally(rows, r.count, r.seen)
		return
	}
	dim.tally(rows, r.count, nil)
	r.codes = r.seen[:0]
	for code, n := range r.count[:dim.count] {
		if n > 0 {
			r.codes = append(r.codes, uint32(code))
		}
	}
}

// survivors numbers the groups of the codes whose partitions are not pruned, and counts
// them.
func (r *refiner) survivors(step *kernel.Refinement, depth int, dim *dimension, rows []int32) (n int) {
	r.sum(dim, rows)
	for _, code := range r.codes {
		if !r.survives(code) {
			r.number[code] = none
			continue
		}
		n++
		r.number[code] = 0
		if step.Set >= 0 {
			r.path[step.Key] = code
			r.number[code] = r.cuboids[step.Set].add(r.input, r.path, int64(r.count[code]))
		}
	}
	r.kept[depth] += int64(n)
	r.pruned[depth] += int64(len(r.codes) - n)
	return n
}

// sum computes what bars ask for, for each code.
func (r *refiner) sum(dim *dimension, rows []int32) {
	for i := range r.bars {
		b, sums := &r.bars[i], r.sums[i]
		for _, code := range r.codes {
			sums[code] = b.start()
		}
		for _, row := range rows {
			code := dim.of(row)
			sums[code] = b.with(sums[code], r.args, row)
		}
	}
}

func (r *refiner) survives(code uint32) bool {
	if int(r.count[code]) < r.minRows {
		return false
	}
	for i := range r.bars {
		if !r.bars[i].passes(r.sums[i][code]) {
			return false
		}
	}
	return true
}

// place finds where the rows of each code go, those of pruned partitions behind all others,
// and adds the others to parts.
func (r *refiner) place() {
	at := uint32(0)
	for _, code := range r.codes {
		if r.number[code] != none {
			r.next[code] = at
			r.parts = append(r.parts, part{int(at), int(at + r.count[code]), code})
			at += r.count[code]
		}
	}
	for _, code := range r.codes {
		if r.number[code] == none {
			r.next[code] = at
			at += r.count[code]
		}
	}
}

// forget empties the counts.
func (r *refiner) forget() {
	for _, code := range r.codes {
		r.count[code] = 0
	}
}

// single is refine for a partition of one row: all finer groups have that row.
func (r *refiner) single(at *kernel.Refinement, depth int, row int32) {
	for _, step := range at.Finer {
		r.kept[depth+1]++
		r.path[step.Key] = r.dims[step.Key].of(row)
		if step.Set >= 0 {
			c := &r.cuboids[step.Set]
			number := c.add(r.input, r.path, 1)
			c.addGroup(r.input, []int32{row}, number)
		}
		r.single(step, depth+1, row)
	}
}

// poll is called for so many rows that are refined: it panics when the run is to
// end, and lets others have their time slice now and then.
func (r *refiner) poll(rows int) {
	const often = 1 << 16
	if r.rows += rows; r.rows < often {
		return
	}
	r.rows = 0
	if r.run.Stop.Load() {
		panic(exec.Canceled(r.run.Ctx))
	}
	sqlstate.Check(r.slice.Share(r.run.Ctx))
}
