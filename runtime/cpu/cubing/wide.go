package cubing

import (
	"math/bits"
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
func refineAll(c *pruning) ([]*refiner, error) {
	mem := &c.run.Mem
	for i := range c.dims {
		c.largest = max(c.largest, c.dims[i].count)
	}
	rows, err := exec.Grown[int32](mem, nil, c.rows)
	if err != nil {
		return nil, err
	}
	spare, err := exec.Grown[int32](mem, nil, c.rows)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		rows[i] = int32(i)
	}
	share := shareVectors * c.run.Rows
	refiners := make([]*refiner, max(1, min(c.run.Threads, c.rows/share)))
	for i := range refiners {
		if refiners[i], err = newRefiner(c); err != nil {
			return nil, err
		}
	}
	w := &wide{pruning: c, refiners: refiners, limit: c.rows + 1}
	if len(refiners) > 1 {
		w.limit = max(c.rows/(4*len(refiners)), share)
	}
	root := kernel.Refinements(c.in.Sets)
	err = w.partitions(root, 0, make([]uint32, len(c.dims)), []task{{rows: rows, spare: spare}})
	drop(mem, &rows)
	drop(mem, &spare)
	return refiners, err
}

// wide refines large partitions by all workers together, until what is left are small ones,
// of which each worker takes the next.
type wide struct {
	*pruning
	refiners []*refiner
	limit    int // rows that a small partition has at most
}

// task is a partition: its rows, room for as many, and the code of the last of its keys.
type task struct {
	rows, spare []int32
	code        uint32
}

// largestFirst puts partitions in order of how many bits the number of their rows has.
func largestFirst(tasks []task) []task {
	var next [bits.UintSize + 1]int // by the bits of the number of rows
	for i := range tasks {
		next[bits.Len(uint(len(tasks[i].rows)))]++
	}
	at := 0
	for size := bits.UintSize; size >= 0; size-- {
		at, next[size] = at+next[size], at
	}
	out := make([]task, len(tasks))
	for _, t := range tasks {
		size := bits.Len(uint(len(t.rows)))
		out[next[size]] = t
		next[size]++
	}
	return out
}

// partitions prunes partitions that a step has led to, adds the groups that are left to
// the step's set, and refines them. They have the codes of path but for that of the step's key.
func (w *wide) partitions(step *kernel.Refinement, depth int, path []uint32, tasks []task) error {
	tasks = largestFirst(tasks)
	passed := make([]bool, len(tasks))
	var next atomic.Int64
	err := w.run.EachSlice(len(w.refiners), func(i int, t *scheduler.TimeSlice) error {
		r := w.refiners[i]
		r.slice = t
		for k := int(next.Add(1)) - 1; k < len(tasks); k = int(next.Add(1)) - 1 {
			copy(r.path, path)
			if depth > 0 {
				r.path[step.Key] = tasks[k].code
			}
			passes, err := r.whole(step, depth, &tasks[k])
			if err == nil && passes && len(tasks[k].rows) < w.limit {
				err = r.refine(step, depth, tasks[k].rows, tasks[k].spare)
			}
			if err != nil {
				return err
			}
			passed[k] = passes
		}
		return nil
	})
	for k := 0; err == nil && k < len(tasks); k++ {
		if !passed[k] || len(tasks[k].rows) < w.limit {
			continue
		}
		own := slices.Clone(path)
		if depth > 0 {
			own[step.Key] = tasks[k].code
		}
		err = w.refine(step, depth, own, &tasks[k])
	}
	return err
}

// whole prunes a partition, whose codes are those of the path, or adds its group.
func (r *refiner) whole(step *kernel.Refinement, depth int, t *task) (passes bool, err error) {
	if err := r.poll(len(t.rows)); err != nil {
		return false, err
	}
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
		return false, nil
	}
	r.kept[depth]++
	if step.Set < 0 {
		return true, nil
	}
	c := &r.cuboids[step.Set]
	number, err := c.add(r.input, r.path, int64(len(t.rows)))
	if err == nil {
		err = c.addGroup(r.input, t.rows, number)
	}
	return true, err
}

// refine is the refiners' refine for a large partition.
func (w *wide) refine(at *kernel.Refinement, depth int, path []uint32, t *task) error {
	from, to := t.rows, t.spare
	for _, step := range at.Finer {
		ends, err := w.split(step.Key, from, to)
		if err != nil {
			return err
		}
		from, to = to, from
		var tasks []task
		lo := 0
		for code, hi := range ends {
			if hi == lo {
				continue
			}
			tasks = append(tasks, task{from[lo:hi], to[lo:hi], uint32(code)})
			lo = hi
		}
		if err := w.partitions(step, depth+1, path, tasks); err != nil {
			return err
		}
	}
	if &from[0] != &t.rows[0] {
		long.Copy(t.rows, from)
	}
	return nil
}

// split orders rows by the codes of a key, and returns the end of each code's rows: each
// worker counts the codes of a share of the rows, and moves it to its places.
func (w *wide) split(key int, from, to []int32) (ends []int, err error) {
	dim, n := &w.dims[key], len(w.refiners)
	share := func(i int) []int32 { return from[len(from)*i/n : len(from)*(i+1)/n] }
	err = w.run.Each(n, func(i int) error {
		dim.tally(share(i), w.refiners[i].count, nil)
		return nil
	})
	if err != nil {
		return nil, err
	}
	ends = make([]int, dim.count)
	at := uint32(0)
	for code := range dim.count {
		for _, r := range w.refiners {
			r.next[code] = at
			at += r.count[code]
			r.count[code] = 0
		}
		ends[code] = int(at)
	}
	return ends, w.run.Each(n, func(i int) error {
		dim.move(share(i), to, w.refiners[i].next)
		return nil
	})
}
