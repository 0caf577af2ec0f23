package cubing

import (
	"cmp"
	"math"
	"slices"
	"sync/atomic"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/scheduler"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// shareVectors is how many vectors of rows a worker has at least.
const shareVectors = 4

// refineAll finds all groups.
func refineAll(c *pruning) []*refiner {
	mem := &c.run.Mem
	for i := range c.dims {
		c.largest = max(c.largest, c.dims[i].count)
	}
	rows := exec.Grown[int32](mem, nil, c.rows)
	spare := exec.Grown[int32](mem, nil, c.rows)
	defer drop(mem, &rows)
	defer drop(mem, &spare)
	least := shareVectors * c.run.Rows
	n := max(1, min(c.run.Threads, c.rows/least))
	refiners := make([]*refiner, n)
	c.run.Each(n, func(i int) {
		for row := c.rows * i / n; row < c.rows*(i+1)/n; row++ {
			rows[row] = int32(row)
		}
		refiners[i] = newRefiner(c)
	})
	root := kernel.Refinements(c.in.Sets)
	w := &wide{pruning: c, refiners: refiners, least: least, work: c.rows * below(root) / (4 * n)}
	if n == 1 {
		w.least = c.rows + 1
	}
	w.partitions(root, 0, make([]uint32, len(c.dims)), &partitions{rows, spare, []uint32{uint32(c.rows)}})
	return refiners
}

// wide refines large partitions by all workers together, until what is left are small ones,
// of which each worker takes the next ones.
type wide struct {
	*pruning
	refiners []*refiner
	// A partition is large where it has least rows, and that number times those of the steps below it is work.
	least, work int
}

// limit is from how many rows on a partition that a step has led to is large.
func (w *wide) limit(step *kernel.Refinement) int {
	steps := below(step)
	if steps == 0 {
		return math.MaxInt
	}
	return max(w.work/steps, w.least)
}

// below is how many steps a step leads to.
func below(step *kernel.Refinement) (steps int) {
	for _, finer := range step.Finer {
		steps += 1 + below(finer)
	}
	return steps
}

// partitions are rows in the order of a key's codes, and room for as many.
type partitions struct {
	rows, spare []int32
	ends        []uint32 // by code: where its rows end
}

// start is where the rows of a code begin.
func (p *partitions) start(code int) uint32 {
	if code == 0 {
		return 0
	}
	return p.ends[code-1]
}

// share is the partitions of the codes first … last−1, which one worker takes at a time. They lie
// side by side, so that no two workers write to the same line of memory often.
type share struct {
	first, last int
	rows        uint32
}

// shares cuts partitions into shares of so many rows at least, those of most rows first.
func (p *partitions) shares(least int) (all []share) {
	first, lo := 0, uint32(0)
	for code, end := range p.ends {
		if n := end - lo; int(n) >= least || n > 0 && code == len(p.ends)-1 {
			all = append(all, share{first, code + 1, n})
			first, lo = code+1, end
		}
	}
	slices.SortStableFunc(all, func(a, b share) int { return cmp.Compare(b.rows, a.rows) })
	return all
}

// task is a large partition: its rows, room for as many, and the code of the last of its keys.
type task struct {
	rows, spare []int32
	code        uint32
}

// sharesEach is how many shares a worker takes of partitions at most, were all of the same size. A share
// has a vector of rows at least.
const sharesEach = 16

// partitions prunes partitions that a step has led to, adds the groups that are left to
// the step's set, and refines them. They have the codes of path but for that of the step's key.
func (w *wide) partitions(step *kernel.Refinement, depth int, path []uint32, p *partitions) {
	n := len(w.refiners)
	shares := p.shares(max(len(p.rows)/(sharesEach*n), w.run.Rows))
	limit, large := w.limit(step), make([][]task, n) // large: by worker
	var next atomic.Int64
	w.run.EachSlice(n, func(i int, t *scheduler.TimeSlice) {
		r := w.refiners[i]
		r.slice = t
		copy(r.path, path)
		for k := int(next.Add(1)) - 1; k < len(shares); k = int(next.Add(1)) - 1 {
			large[i] = r.share(step, depth, p, &shares[k], limit, large[i])
		}
	})
	for _, t := range slices.Concat(large...) {
		own := slices.Clone(path)
		if depth > 0 {
			own[step.Key] = t.code
		}
		w.refine(step, depth, own, &t)
	}
}

// share is partitions for some of them. It adds those to large that have limit rows and are not
// pruned, and leaves them as they are.
func (r *refiner) share(step *kernel.Refinement, depth int, p *partitions, s *share, limit int, large []task) []task {
	lo := p.start(s.first)
	for code := s.first; code < s.last; code++ {
		hi := p.ends[code]
		if lo == hi {
			continue
		}
		t := task{p.rows[lo:hi], p.spare[lo:hi], uint32(code)}
		lo = hi
		if depth > 0 {
			r.path[step.Key] = t.code
		}
		passes := r.whole(step, depth, &t)
		switch {
		case passes && len(t.rows) >= limit:
			large = append(large, t)
		case passes:
			r.refine(step, depth, t.rows, t.spare)
		}
	}
	return large
}

// whole prunes a partition, whose codes are those of the path, or adds its group.
func (r *refiner) whole(step *kernel.Refinement, depth int, t *task) (passes bool) {
	r.poll(len(t.rows))
	if passes = len(t.rows) >= r.minRows; passes {
		for i := range r.bars {
			b := &r.bars[i]
			sum := b.start()
			for _, row := range t.rows {
				sum = b.with(sum, r.args, row)
			}
			passes = passes && b.passes(sum)
		}
	}
	if !passes {
		r.pruned[depth]++
		return false
	}
	r.kept[depth]++
	if step.Set < 0 {
		return true
	}
	c := &r.cuboids[step.Set]
	number := c.add(r.input, r.path, int64(len(t.rows)))
	c.addGroup(r.input, t.rows, number)
	return true
}

// refine is the refiners' refine for a large partition.
func (w *wide) refine(at *kernel.Refinement, depth int, path []uint32, t *task) {
	from, to := t.rows, t.spare
	for _, step := range at.Finer {
		ends := w.split(step.Key, from, to)
		from, to = to, from
		w.partitions(step, depth+1, path, &partitions{from, to, ends})
	}
	if depth > 0 && &from[0] != &t.rows[0] { // nobody reads all rows any more
		long.Copy(t.rows, from)
	}
}

// split orders rows by the codes of a key, and returns the end of each code's rows: each
// worker counts the codes of a share of the rows, and moves it to its places.
func (w *wide) split(key int, from, to []int32) (ends []uint32) {
	dim, n := &w.dims[key], len(w.refiners)
	share := func(i int) []int32 { return from[len(from)*i/n : len(from)*(i+1)/n] }
	w.run.Each(n, func(i int) { dim.tally(share(i), w.refiners[i].count, nil) })
	ends = make([]uint32, dim.count)
	for _, r := range w.refiners {
		for code, n := range r.count[:dim.count] {
			ends[code] += n
		}
	}
	at := uint32(0)
	for code, n := range ends {
		ends[code] = at
		at += n
	}
	for _, r := range w.refiners { // the starts become the ends
		next, count := r.next[:dim.count], r.count[:dim.count]
		for code, n := range count {
			next[code] = ends[code]
			ends[code] += n
		}
		clear(count)
	}
	w.run.Each(n, func(i int) { dim.move(share(i), to, w.refiners[i].next) })
	return ends
}
