package window

import (
	"context"
	"math"

	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/sort/order"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// ranking is what the workers of a window share that keep only the first rows of each
// partition while they read.
type ranking struct {
	*windowing
	partitioning
	order  *order.Keys // of the order within a partition
	strict bool        // rows that are equal in the prefix of the order are peers, of which any may be left out
	few    bool        // firsts hold the rows: they are strict, and few of a partition
	most   int
	all    []*ranker
}

// NewFirst makes the sink of a window of which the first rows are wanted.
func NewFirst(s *windowing) exec.Sink {
	r := &ranking{windowing: s, order: order.NewKeys(s.Run, s.win.Order), most: int(s.win.First)}
	r.strict = len(r.order.Rest) == 0 && !s.win.Ties
	r.few = r.strict && r.most <= fewFirsts
	r.partitioning = newPartitioning(s.Run, s.win.Partition, fewRanked/r.most)
	if r.few && r.layout == nil {
		return &placing{windowing: s, partitioning: r.partitioning, order: r.order, most: r.most}
	}
	return r
}

// Worker implements exec.Sink.
func (r *ranking) Worker(w *exec.Worker) exec.SinkWorker {
	rw := &ranker{
		Sorter: r.Sorter(w), ranking: r, partitioner: r.partitioner(r.Run), mem: &r.Run.Mem, orders: r.order.Prefixer(w.Rows), next: fewestRanked,
		ranks: make([]uint64, w.Rows), kept: make([]int32, w.Rows), firsts: firsts{most: r.most},
	}
	r.all = append(r.all, rw)
	return rw
}

// ranker is one worker's part. Where few rows of a partition are wanted, it keeps these and no
// others. Elsewhere it knows of each partition the least prefixes of the
// order that have come, as a heap with the greatest of them on top: rows above that
// come too late.
type ranker struct {
	*order.Sorter
	*partitioner
	ranking *ranking
	mem     *exec.Memory
	orders  *order.Prefixer
	firsts  firsts   // where ranking.few
	heaps   []uint64 // by partition, most each
	ranks   []uint64
	kept    []int32
	parts   []uint32 // by entry
	best    []uint64 // by entry: its prefix of the order
	next    int      // entries at which those that came too late after all are dropped
	seen    int
	gaveUp  bool // keeping few of the rows does not pay
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

// Consume implements exec.SinkWorker.
func (rw *ranker) Consume(b *vector.Batch) {
	rows := b.ActiveRows()
	if !rw.gaveUp {
		rw.number(b, len(rows))
		rw.orders.Prefixes(b, rows, rw.ranks)
		if rw.ranking.few {
			rw.keepFirsts(b, rows)
			return
		}
		rows = rw.early(rows)
		sqlstate.Check(rw.mem.Grow(rankedBytes * int64(len(rows))))
	}
	rw.Prefixes(b, rows, rw.Prefix)
	if rw.Add(b, rows); !rw.gaveUp && len(rw.Entries) >= rw.next {
		rw.drop()
	}
}

// number finds the partitions of n rows, and makes room for what is kept of them.
func (rw *ranker) number(b *vector.Batch, n int) {
	rw.seen += n
	rw.partitioner.number(b, n)
	most := rw.ranking.most
	if rw.ranking.few {
		rw.firsts.grow(rw.mem, rw.partitions())
		return
	}
	had := len(rw.heaps)
	if rw.partitions()*most <= had {
		return
	}
	rw.heaps = exec.Grown(rw.mem, rw.heaps, rw.partitions()*most)
	vector.Fill(rw.heaps[had:], math.MaxUint64)
}

// keepFirsts keeps the rows that are among the first of their partitions so far, in the
// places of those that no longer are.
func (rw *ranker) keepFirsts(b *vector.Batch, rows []int32) {
	f := &rw.firsts
	f.take(rows, rw.numbers, rw.ranks, uint32(len(rw.Entries)))
	rw.put(b, f.added, func() { rw.Add(b, f.added) })
	rw.put(b, f.replacing, func() { rw.Replace(b, f.replacing, f.replaced) })
	rw.gaveUp = rw.seen >= manyRanked && 4*len(rw.Entries) > 3*rw.seen
	if rw.gaveUp {
		rw.end()
	}
}

// put finds the prefixes of rows, if there are any, and calls f.
func (rw *ranker) put(b *vector.Batch, rows []int32, f func()) {
	if len(rows) == 0 {
		return
	}
	rw.Prefixes(b, rows, rw.Prefix)
	f()
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
func (rw *ranker) drop() {
	n := 0
	for i, e := range rw.Entries {
		p := rw.parts[i]
		if rw.best[i] <= rw.heaps[int(p)*rw.ranking.most] {
			rw.Entries[n], rw.parts[n], rw.best[n] = e, p, rw.best[i]
			n++
		}
	}
	rw.mem.Shrink(rankedBytes * int64(len(rw.Entries)-n))
	rw.parts, rw.best = rw.parts[:n], rw.best[:n]
	if n < len(rw.Entries) {
		rw.Retain(n)
	}
	rw.next = max(2*n, fewestRanked)
	if rw.seen >= manyRanked && 4*n > 3*rw.seen {
		rw.gaveUp = true
		rw.end()
	}
}

// end gives back what finds the first rows.
func (rw *ranker) end() {
	if rw.table != nil {
		rw.mem.Shrink(rw.table.Bytes())
	}
	rw.mem.Shrink(rankedBytes*int64(len(rw.parts)) + 8*int64(cap(rw.heaps)) + rw.firsts.bytes())
	rw.table, rw.heaps, rw.parts, rw.best, rw.firsts = nil, nil, nil, nil, firsts{}
}

// Finish implements exec.Sink.
func (r *ranking) Finish(ctx context.Context) exec.Result {
	r.Run.Each(len(r.all), func(i int) {
		rw := r.all[i]
		if rw.gaveUp {
			return
		}
		if !r.few {
			rw.drop()
		}
		rw.end()
	})
	kept := 0
	for _, rw := range r.all {
		kept += len(rw.Entries)
	}
	res := r.windowing.Finish(ctx)
	if r.Run.Opts.Explain {
		res.Taken = keptTaken(kept, r.most)
	}
	return res
}
