package window

import (
	"cmp"
	"context"
	"slices"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/sort/order"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// placing is the sink of a window of which few first rows are wanted, where all workers
// number partitions alike. What they keep of a partition is put together there, and nothing
// is sorted besides.
type placing struct {
	*windowing
	partitioning
	order *order.Keys // of the order within a partition, which their prefixes decide
	most  int
	all   []*placer
}

// placer is one worker's part: the first rows of each partition among its own.
type placer struct {
	*partitioner
	placing *placing
	orders  *order.Prefixer
	firsts  firsts
	bufs    []*exec.RowBuffer // row i of buffer b has the number b·BlockRows + i
	ranks   []uint64
	rows    []int32  // of a batch
	at      []uint32 // the rows of a buffer that they replace
}

// Worker implements exec.Sink.
func (s *placing) Worker(w *exec.Worker) exec.SinkWorker {
	p := &placer{partitioner: s.partitioner(s.Run), placing: s, orders: s.order.Prefixer(w.Rows), firsts: firsts{most: s.most}, ranks: make([]uint64, w.Rows)}
	s.all = append(s.all, p)
	p.firsts.grow(&s.Run.Mem, p.alike())
	return p
}

// Consume implements exec.SinkWorker.
func (p *placer) Consume(b *vector.Batch) {
	rows := b.ActiveRows()
	p.number(b, len(rows))
	p.orders.Prefixes(b, rows, p.ranks)
	buf := p.room(len(rows))
	f := &p.firsts
	f.take(rows, p.numbers, p.ranks, uint32((len(p.bufs)-1)*runtime.BlockRows+buf.Rows))
	if len(f.added) > 0 {
		buf.Append(b, f.added)
	}
	p.replace(b)
}

// room is the buffer that n more rows go to.
func (p *placer) room(n int) *exec.RowBuffer {
	if last := len(p.bufs) - 1; last >= 0 && !p.bufs[last].Full(n) {
		return p.bufs[last]
	}
	kept := 0
	for _, buf := range p.bufs {
		kept += buf.Rows
	}
	buf := exec.NewRowBuffer(p.placing.Run, p.placing.operands)
	buf.AtMost(p.alike()*p.placing.most - kept)
	p.bufs = append(p.bufs, buf)
	return buf
}

// replace puts rows in the places of those that no longer are among the first, buffer by buffer.
func (p *placer) replace(b *vector.Batch) {
	for i, buf := range p.bufs {
		p.rows, p.at = p.rows[:0], p.at[:0]
		for k, n := range p.firsts.replaced {
			if n/runtime.BlockRows == uint32(i) {
				p.rows, p.at = append(p.rows, p.firsts.replacing[k]), append(p.at, n%runtime.BlockRows)
			}
		}
		buf.Put(b, p.rows, p.at)
	}
}

// placedPartitions is how many partitions are put together at a time.
const placedPartitions = 1 << 13

// Finish implements exec.Sink.
func (s *placing) Finish(context.Context) exec.Result {
	starts, total := s.starts()
	sqlstate.Check(s.Run.Mem.Grow((order.EntryBytes + 1) * int64(total)))
	s.entries, s.marks = spare.New[vector.Entry](s.Run.Mem.Arrays, total), spare.Zeros[uint8](s.Run.Mem.Arrays, total)
	first := make([]uint32, len(s.all)) // by worker: its first buffer
	for i, p := range s.all {
		first[i] = uint32(len(s.bufs))
		s.bufs = append(s.bufs, p.bufs...)
	}
	s.Run.Each(len(starts), func(task int) { s.place(task*placedPartitions, starts[task], first) })
	for _, p := range s.all {
		s.Run.Mem.Shrink(p.firsts.bytes())
		p.firsts = firsts{}
	}
	res := s.write()
	if s.Run.Opts.Explain {
		res.Taken = keptTaken(total, s.most)
	}
	return res
}

// starts returns where the rows of the partitions begin that are put together at a time, and
// the number of all.
func (s *placing) starts() (starts []int, total int) {
	for p := range s.alike() {
		if p%placedPartitions == 0 {
			starts = append(starts, total)
		}
		total += s.rows(p)
	}
	return starts, total
}

// rows is how many rows of a partition are wanted and there.
func (s *placing) rows(partition int) (n int) {
	for _, p := range s.all {
		n += int(p.firsts.counts[partition])
	}
	return min(n, s.most)
}

// place puts the rows of partitions, from the first one on, in order from row at on.
func (s *placing) place(partition, at int, first []uint32) {
	entries := make([]vector.Entry, 0, len(s.all)*s.most)
	for end := min(partition+placedPartitions, s.alike()); partition < end; partition++ {
		entries = entries[:0]
		for i, p := range s.all {
			kept, ranks := p.firsts.of(partition)
			for k, n := range kept {
				entries = append(entries, vector.Entry{Prefix: ranks[k], Buf: first[i] + n/runtime.BlockRows, Row: n % runtime.BlockRows})
			}
		}
		slices.SortFunc(entries, func(a, b vector.Entry) int { return cmp.Compare(a.Prefix, b.Prefix) })
		for i, e := range entries[:min(len(entries), s.most)] {
			s.entries[at] = e
			switch {
			case i == 0:
				s.marks[at] = newPartition
			case e.Prefix != entries[i-1].Prefix:
				s.marks[at] = newPeers
			}
			at++
		}
	}
}
