package cpu

import (
	"context"
	"fmt"
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// ranking is what the workers of a window share that keep only the first rows of each
// partition while they read.
type ranking struct {
	*windowing
	ids    []kernel.ValueID // the partition's keys
	dense  *denseKeys       // where they have few combinations
	layout *keyLayout       // else
	order  *sortKeys        // of the order within a partition
	strict bool             // rows that are equal in the prefix of the order are peers, of which any may be left out
	most   int
	all    []*ranker
}

// newRanking makes the sink of a window of which the first rows are wanted.
func newRanking(s *windowing) (*ranking, error) {
	r := &ranking{windowing: s, order: newSortKeys(s.run, s.win.Order), most: int(s.win.First)}
	values := make([]kernel.Value, len(s.win.Partition))
	nullSafe := make([]bool, len(values))
	for i, k := range s.win.Partition {
		r.ids = append(r.ids, k.Val)
		values[i], nullSafe[i] = s.run.f.Values[k.Val], true
	}
	r.strict = len(r.order.rest) == 0 && !s.win.Ties
	if len(values) == 0 {
		return r, nil
	}
	dense, err := newDenseKeys(s.run, r.ids)
	if dense != nil && dense.cells*r.most <= fewRanked {
		r.dense = dense
	} else {
		r.layout = newKeyLayout(values, nullSafe)
	}
	return r, err
}

// worker implements sink.
func (r *ranking) worker(w *worker) (sinkWorker, error) {
	sw, err := r.windowing.worker(w)
	if err != nil {
		return nil, err
	}
	rw := &ranker{
		sorter: sw.(*sorter), ranking: r, mem: &r.run.mem, next: fewestRanked,
		ranks: make([]uint64, w.rows), kept: make([]int32, w.rows),
	}
	rw.batch.mem = rw.mem
	rw.views = make([]view, len(r.ids))
	for i, id := range r.ids {
		rw.operands = append(rw.operands, newOperand(r.run.f, id))
		rw.partition = append(rw.partition, &rw.views[i])
	}
	if r.layout != nil {
		rw.table = newKeyTable(r.layout.kind, &r.run.mem)
	}
	r.all = append(r.all, rw)
	return rw, nil
}

// ranker is one worker's part. Of each partition it knows the least prefixes of the
// order that have come, as a heap with the greatest of them on top: rows above that
// come too late.
type ranker struct {
	*sorter
	ranking   *ranking
	mem       *memory
	operands  []*operand
	views     []view
	partition []*view
	batch     keyBatch
	table     keyTable // nil: there is one partition
	cells     cells
	heaps     []uint64 // by partition, most each
	numbers   []uint32 // by row: its partition
	numbered  []uint32
	ranks     []uint64
	kept      []int32
	parts     []uint32 // by entry
	best      []uint64 // by entry: its prefix of the order
	next      int      // entries at which those that came too late after all are dropped
	seen      int
	gaveUp    bool // keeping few of the rows does not pay
}

const (
	// fewestRanked is how many rows are collected at the least before some are dropped.
	fewestRanked = 1 << 16
	// manyRanked is how many rows tell whether many are dropped.
	manyRanked = 1 << 20
	// fewRanked is how many rows are the first at the most where partitions are numbered
	// by their keys' values.
	fewRanked = 1 << 19
	// rankedBytes is what an entry takes besides.
	rankedBytes = 12
)

// consume implements sinkWorker.
func (rw *ranker) consume(b *Batch) error {
	rows := b.rows()
	if !rw.gaveUp {
		if err := rw.number(b, len(rows)); err != nil {
			return err
		}
		if err := rw.ranking.order.prefixes(b, rows, rw.ranks); err != nil {
			return err
		}
		rows = rw.early(rows)
		if err := rw.mem.grow(rankedBytes * int64(len(rows))); err != nil {
			return err
		}
	}
	if err := rw.sink.keys.prefixes(b, rows, rw.prefix); err != nil {
		return err
	}
	if err := rw.add(b, rows); err != nil || rw.gaveUp || len(rw.entries) < rw.next {
		return err
	}
	return rw.drop()
}

// number finds the partitions of n rows.
func (rw *ranker) number(b *Batch, n int) error {
	r := rw.ranking
	rw.seen += n
	for i, o := range rw.operands {
		rw.views[i] = o.read(b)
	}
	parts := 1
	switch {
	case len(r.ids) == 0:
		rw.numbers = room(&rw.numbered, n)
		clear(rw.numbers)
	case r.dense != nil:
		r.dense.number(&rw.cells, n, rw.partition, &rw.numbered)
		rw.numbers, parts = rw.cells.list(), r.dense.cells
	default:
		if err := r.layout.encode(&rw.batch, n, rw.partition, false); err != nil {
			return err
		}
		rw.numbers = room(&rw.numbered, n)
		if err := rw.table.assign(&rw.batch, rw.numbers); err != nil {
			return err
		}
		parts = rw.table.len()
	}
	had := len(rw.heaps)
	if parts*r.most <= had {
		return nil
	}
	var err error
	if rw.heaps, err = grown(rw.mem, rw.heaps, parts*r.most); err == nil {
		fill(rw.heaps[had:], math.MaxUint64)
	}
	return err
}

// early keeps the rows that may be among the first of their partitions, and notes them.
// The last prefix of all, which stands in the heaps for rows that have not come, is not
// told from those.
func (rw *ranker) early(rows []int32) []int32 {
	kept, most, strict := rw.kept[:0], rw.ranking.most, rw.ranking.strict
	ranks := rw.ranks[:len(rows)]
	for i, p := range rw.numbers[:len(rows)] {
		rank, heap := ranks[i], rw.heaps[int(p)*most:]
		if bound := heap[0]; rank > bound || rank == bound && strict && rank != math.MaxUint64 {
			continue
		} else if rank < bound {
			replaceFirst(heap[:most], rank)
		}
		kept = append(kept, rows[i])
		rw.parts, rw.best = append(rw.parts, p), append(rw.best, rank)
	}
	return kept
}

// replaceFirst puts a number in the place of the greatest of a heap.
func replaceFirst(heap []uint64, x uint64) {
	at := 0
	for child := 1; child < len(heap); child = 2*at + 1 {
		if child+1 < len(heap) && heap[child+1] > heap[child] {
			child++
		}
		if heap[child] <= x {
			break
		}
		heap[at] = heap[child]
		at = child
	}
	heap[at] = x
}

// drop drops the rows that came too late after all, or gives up where that is hardly one:
// most partitions have few rows.
func (rw *ranker) drop() error {
	n := 0
	for i, e := range rw.entries {
		p := rw.parts[i]
		if rw.best[i] <= rw.heaps[int(p)*rw.ranking.most] {
			rw.entries[n], rw.parts[n], rw.best[n] = e, p, rw.best[i]
			n++
		}
	}
	rw.mem.shrink(rankedBytes * int64(len(rw.entries)-n))
	rw.parts, rw.best = rw.parts[:n], rw.best[:n]
	if n < len(rw.entries) {
		if err := rw.retain(n); err != nil {
			return err
		}
	}
	rw.next = max(2*n, fewestRanked)
	if rw.seen >= manyRanked && 4*n > 3*rw.seen {
		rw.gaveUp = true
		rw.end()
	}
	return nil
}

// end gives back what finds the first rows.
func (rw *ranker) end() {
	if rw.table != nil {
		rw.mem.shrink(rw.table.bytes())
	}
	rw.mem.shrink(rankedBytes*int64(len(rw.parts)) + 8*int64(cap(rw.heaps)))
	rw.table, rw.heaps, rw.parts, rw.best = nil, nil, nil, nil
}

// finish implements sink.
func (r *ranking) finish(ctx context.Context) (result, error) {
	err := r.run.each(len(r.all), func(i int) error {
		rw := r.all[i]
		if rw.gaveUp {
			return nil
		}
		err := rw.drop()
		rw.end()
		return err
	})
	if err != nil {
		return result{}, err
	}
	kept := 0
	for _, rw := range r.all {
		kept += len(rw.entries)
	}
	res, err := r.windowing.finish(ctx)
	if r.run.opts.Explain {
		res.taken = fmt.Sprintf("%d rows kept that may be among the first %d of their partitions", kept, r.most)
	}
	return res, err
}
