package cpu

import (
	"context"
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// ranking is what the workers of a window share that keep only the first rows of each
// partition while they read.
type ranking struct {
	*windowing
	layout *keyLayout // of the partition's keys; nil: there are none
	ids    []kernel.ValueID
	order  *sortKeys // of the order within a partition
	strict bool      // rows that are equal in the prefix of the order are peers, of which any may be left out
	most   int
	all    []*ranker
}

// newRanking makes the sink of a window of which the first rows are wanted.
func newRanking(s *windowing) *ranking {
	r := &ranking{windowing: s, order: newSortKeys(s.run, s.win.Order), most: int(s.win.First)}
	values := make([]kernel.Value, len(s.win.Partition))
	nullSafe := make([]bool, len(values))
	for i, k := range s.win.Partition {
		r.ids = append(r.ids, k.Val)
		values[i], nullSafe[i] = s.run.f.Values[k.Val], true
	}
	if len(values) > 0 {
		r.layout = newKeyLayout(values, nullSafe)
	}
	r.strict = len(r.order.rest) == 0 && !s.win.Ties
	return r
}

// worker implements sink.
func (r *ranking) worker(w *worker) (sinkWorker, error) {
	sw, err := r.windowing.worker(w)
	if err != nil {
		return nil, err
	}
	rw := &ranker{
		sorter: sw.(*sorter), ranking: r, mem: &r.run.mem, next: fewestRanked,
		numbers: make([]uint32, w.rows), ranks: make([]uint64, w.rows), kept: make([]int32, w.rows),
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
	counts    []uint32 // by partition
	heaps     []uint64 // by partition, most each
	numbers   []uint32
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
	rw.seen += n
	parts := 1
	if rw.table == nil {
		clear(rw.numbers[:n])
	} else {
		for i, o := range rw.operands {
			rw.views[i] = o.read(b)
		}
		if err := rw.ranking.layout.encode(&rw.batch, n, rw.partition, false); err != nil {
			return err
		}
		if err := rw.table.assign(&rw.batch, rw.numbers); err != nil {
			return err
		}
		parts = rw.table.len()
	}
	var err error
	if rw.counts, err = grown(rw.mem, rw.counts, parts); err != nil {
		return err
	}
	rw.heaps, err = grown(rw.mem, rw.heaps, parts*rw.ranking.most)
	return err
}

// early keeps the rows that may be among the first of their partitions, and notes them.
func (rw *ranker) early(rows []int32) []int32 {
	kept := rw.kept[:0]
	for i, r := range rows {
		p, rank := rw.numbers[i], rw.ranks[i]
		if !rw.enter(p, rank) {
			continue
		}
		kept = append(kept, r)
		rw.parts, rw.best = append(rw.parts, p), append(rw.best, rank)
	}
	return kept
}

// enter reports whether a row of partition p may be among the first, and counts it.
func (rw *ranker) enter(p uint32, rank uint64) bool {
	heap := rw.heaps[int(p)*rw.ranking.most:][:rw.ranking.most]
	n := int(rw.counts[p])
	if n < rw.ranking.most {
		rw.counts[p]++
		for n > 0 && heap[(n-1)/2] < rank {
			heap[n] = heap[(n-1)/2]
			n = (n - 1) / 2
		}
		heap[n] = rank
		return true
	}
	if rank >= heap[0] {
		return rank == heap[0] && !rw.ranking.strict
	}
	at := 0
	for child := 1; child < len(heap); child = 2*at + 1 {
		if child+1 < len(heap) && heap[child+1] > heap[child] {
			child++
		}
		if heap[child] <= rank {
			break
		}
		heap[at] = heap[child]
		at = child
	}
	heap[at] = rank
	return true
}

// drop drops the rows that came too late after all, or gives up where that is hardly one:
// most partitions have few rows.
func (rw *ranker) drop() error {
	n := 0
	for i, e := range rw.entries {
		p := rw.parts[i]
		if int(rw.counts[p]) < rw.ranking.most || rw.best[i] <= rw.heaps[int(p)*rw.ranking.most] {
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
	rw.mem.shrink(rankedBytes*int64(len(rw.parts)) + int64(4*cap(rw.counts)+8*cap(rw.heaps)))
	rw.table, rw.counts, rw.heaps, rw.parts, rw.best = nil, nil, nil, nil, nil
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
