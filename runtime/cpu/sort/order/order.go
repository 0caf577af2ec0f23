// Package order collects rows, puts them in order and writes them: what the strategies of
// sorts, and windows, have in common.
package order

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// Sorting is the sink that orders all rows.
type Sorting struct {
	Run     *exec.Run
	in      *kernel.Sort
	ids     []kernel.ValueID // collected: the columns of the result, then other keys
	Keys    *Keys
	End     int64 // rows wanted, those skipped by the offset included
	workers []*Sorter
}

// New makes the sink.
func New(r *exec.Run, in *kernel.Sort) *Sorting {
	s := &Sorting{Run: r, in: in, ids: slices.Clone(in.Cols), Keys: NewKeys(r, in.Keys), End: math.MaxInt64}
	for _, k := range in.Keys {
		if !slices.Contains(s.ids, k.Val) {
			s.ids = append(s.ids, k.Val)
		}
	}
	if in.Limit >= 0 && in.Limit < math.MaxInt64-in.Offset {
		s.End = in.Limit + in.Offset
	}
	return s
}

// Worker implements exec.Sink.
func (s *Sorting) Worker(w *exec.Worker) exec.SinkWorker { return s.Sorter(w) }

// Sorter makes a worker's part.
func (s *Sorting) Sorter(w *exec.Worker) *Sorter {
	sw := &Sorter{Sink: s, bufs: []*exec.RowBuffer{exec.NewRowBuffer(s.Run, s.ids)}, Prefix: make([]uint64, w.Rows), Prefixer: s.Keys.Prefixer(w.Rows)}
	s.workers = append(s.workers, sw)
	return sw
}

// Sorter is one worker's part: its rows and an entry for each.
type Sorter struct {
	Sink    *Sorting
	bufs    []*exec.RowBuffer
	Entries []vector.Entry
	Prefix  []uint64
	*Prefixer
	places []uint32 // memory of Replace
}

// Consume implements exec.SinkWorker.
func (sw *Sorter) Consume(b *vector.Batch) {
	rows := sw.Rows(b)
	sw.Add(b, rows)
}

// Rows returns the rows of a batch, and leaves their prefixes in sw.Prefix;
// exec.ErrEnough where no row is wanted.
func (sw *Sorter) Rows(b *vector.Batch) []int32 {
	if sw.Sink.End == 0 {
		sqlstate.Check(exec.ErrEnough)
		return nil
	}
	rows := b.ActiveRows()
	sw.Prefixes(b, rows, sw.Prefix)
	return rows
}

// Add collects rows, of which sw.Prefix has the prefixes.
func (sw *Sorter) Add(b *vector.Batch, rows []int32) {
	sqlstate.Check(sw.Sink.Run.Mem.Grow(int64(len(rows)) * EntryBytes))
	buf := sw.bufs[len(sw.bufs)-1]
	if buf.Full(len(rows)) {
		buf = exec.NewRowBuffer(sw.Sink.Run, sw.Sink.ids)
		sw.bufs = append(sw.bufs, buf)
	}
	if need := len(sw.Entries) + len(rows); need > cap(sw.Entries) {
		sw.Entries = spare.Grow(sw.Sink.Run.Mem.Arrays, sw.Entries, max(need, 2*cap(sw.Entries)))
	}
	at := vector.Entry{Buf: uint32(len(sw.bufs) - 1), Row: uint32(buf.Rows)}
	for i := range rows {
		at.Prefix = sw.Prefix[i]
		sw.Entries = append(sw.Entries, at)
		at.Row++
	}
	buf.Append(b, rows)
}

// Replace puts rows, of which sw.Prefix has the prefixes, in the place of those of the
// entries at, one after the other.
func (sw *Sorter) Replace(b *vector.Batch, rows []int32, at []uint32) {
	places := sw.places[:0]
	for i, entry := range at {
		sw.Entries[entry].Prefix = sw.Prefix[i]
	}
	for i := 0; i < len(rows); i += len(places) {
		// Rows that go to the same buffer, as all do where there is one.
		buf := sw.Entries[at[i]].Buf
		places = places[:0]
		for _, entry := range at[i:] {
			if sw.Entries[entry].Buf != buf {
				break
			}
			places = append(places, sw.Entries[entry].Row)
		}
		sw.bufs[buf].Put(b, rows[i:i+len(places)], places)
	}
	sw.places = places
}

// Sort puts the entries that have been collected in order.
func (sw *Sorter) Sort() {
	arrays := sw.Sink.Run.Mem.Arrays
	scratch := spare.New[vector.Entry](arrays, len(sw.Entries))
	defer spare.Release(arrays, scratch)
	Entries(sw.Entries, scratch, sw.Sink.Keys.Comparator(sw.bufs))
}

// Retain drops the rows behind the first n entries.
func (sw *Sorter) Retain(n int) {
	var bufs []*exec.RowBuffer
	for at := 0; at < n; at += GatherRows {
		taken := sw.Entries[at:min(at+GatherRows, n)]
		if len(bufs) == 0 || bufs[len(bufs)-1].Full(len(taken)) {
			bufs = append(bufs, exec.NewRowBuffer(sw.Sink.Run, sw.Sink.ids))
		}
		buf := bufs[len(bufs)-1]
		first := buf.Rows
		buf.Take(sw.bufs, taken)
		for i := range taken {
			taken[i].Buf, taken[i].Row = uint32(len(bufs)-1), uint32(first+i)
		}
	}
	if n == 0 {
		bufs = append(bufs, exec.NewRowBuffer(sw.Sink.Run, sw.Sink.ids))
	}
	for _, buf := range sw.bufs {
		buf.Release()
	}
	sw.Sink.Run.Mem.Shrink(int64(len(sw.Entries)-n) * EntryBytes)
	sw.bufs, sw.Entries = bufs, sw.Entries[:n]
}

// Finish implements exec.Sink: the rows of all workers are divided into ranges of
// the order, which are sorted and written independently.
func (s *Sorting) Finish(context.Context) exec.Result {
	bufs, total := s.Collected()
	sqlstate.Check(s.Run.Mem.Grow(OrderBytes * int64(total)))
	ranges, _ := s.Ranges(total)
	scratch := spare.New[vector.Entry](s.Run.Mem.Arrays, total)
	blocks := make([][]runtime.Block, len(ranges))
	s.Run.Each(len(ranges), func(i int) {
		r := &ranges[i]
		if int64(r.Start) >= s.End || int64(r.Start+len(r.Entries)) <= s.in.Offset {
			return
		}
		Entries(r.Entries, scratch[r.Start:], s.Keys.Comparator(bufs))
		blocks[i] = s.write(bufs, r.wanted(s.in.Offset, s.End))
	})
	all := slices.Concat(blocks...)
	exec.ShareDictionaries(all)
	res := exec.NewRelation(s.Run, exec.ValueTypes(s.Run.Kernel, s.in.Cols), all)
	if s.Run.Opts.Explain {
		res.Taken = sortTaken(total, len(ranges))
	}
	return res
}

// sortTaken says how rows were sorted.
func sortTaken(rows, ranges int) string {
	if ranges == 1 {
		return fmt.Sprintf("%d rows sorted", rows)
	}
	return fmt.Sprintf("%d rows sorted in %d ranges of their order", rows, ranges)
}

// Collected are the buffers of all workers, into which the entries now point,
// and the number of these.
func (s *Sorting) Collected() (bufs []*exec.RowBuffer, total int) {
	for _, sw := range s.workers {
		for i := range sw.Entries {
			sw.Entries[i].Buf += uint32(len(bufs))
		}
		bufs = append(bufs, sw.bufs...)
		total += len(sw.Entries)
	}
	return bufs, total
}

// sortRange is a part of the result's order: entries that all come before those
// of the next range.
type sortRange struct {
	Start   int // place of the first row in the whole order
	Entries []vector.Entry
}

// wanted are the entries whose places are in lo … hi−1.
func (r *sortRange) wanted(lo, hi int64) []vector.Entry {
	n, first := int64(len(r.Entries)), int64(r.Start)
	return r.Entries[min(max(lo-first, 0), n):min(max(hi-first, 0), n)]
}

// Ranges distributes the entries of all workers, so many, which then lie in one list range by range.
func (s *Sorting) Ranges(total int) (ranges []sortRange, all []vector.Entry) {
	n := min(4*s.Run.Threads, total/exec.Caches().SortedRows, math.MaxUint16)
	if s.Run.Threads == 1 {
		n = 1
	}
	splitters := s.splitters(total, max(n, 1))
	ranges = make([]sortRange, len(splitters)+1)
	if len(ranges) == 1 && len(s.workers) == 1 {
		all = s.workers[0].Entries
		ranges[0].Entries = all
		return ranges, all
	}
	rangeOf, counts := spare.New[uint16](s.Run.Mem.Arrays, total)[:0], make([]int, len(ranges))
	for _, sw := range s.workers {
		for _, e := range sw.Entries {
			i := rangeAt(splitters, e.Prefix)
			rangeOf = append(rangeOf, uint16(i))
			counts[i]++
		}
	}
	start := 0
	all = spare.New[vector.Entry](s.Run.Mem.Arrays, total)
	for i, n := range counts {
		ranges[i] = sortRange{Start: start, Entries: all[start : start : start+n]}
		start += n
	}
	for _, sw := range s.workers {
		for k, e := range sw.Entries {
			r := &ranges[rangeOf[k]]
			r.Entries = append(r.Entries, e)
		}
		rangeOf = rangeOf[len(sw.Entries):]
		spare.Release(s.Run.Mem.Arrays, sw.Entries)
		sw.Entries = nil
	}
	return ranges, all
}

// rangeAt returns how many splitters, in ascending order, are below a prefix. No branch depends on
// the prefix, since half of the guesses about it would be wrong.
func rangeAt(splitters []uint64, prefix uint64) int {
	at := 0
	for n := len(splitters); n > 0; {
		half := (n + 1) / 2
		at += half & -int(vector.B2u(splitters[at+half-1] < prefix))
		n -= half
	}
	return at
}

// splitters picks up to n−1 prefixes that divide a sample into equal parts, in
// increasing order. Rows up to and including a splitter come before it.
func (s *Sorting) splitters(total, n int) []uint64 {
	if n <= 1 {
		return nil
	}
	const perRange = 64
	step := max(total/(n*perRange), 1)
	var sample []uint64
	for _, sw := range s.workers {
		for i := 0; i < len(sw.Entries); i += step {
			sample = append(sample, sw.Entries[i].Prefix)
		}
	}
	slices.SortFunc(sample, cmp.Compare[uint64])
	var out []uint64
	for i := 1; i < n; i++ {
		out = append(out, sample[i*len(sample)/n])
	}
	return slices.Compact(out)
}

// GatherRows is how many rows are gathered between looks at the context.
const GatherRows = 1 << 14

// write makes blocks of the entries' rows.
func (s *Sorting) write(bufs []*exec.RowBuffer, entries []vector.Entry) (_ []runtime.Block) {
	var blocks []runtime.Block
	out := exec.NewBlockBuilder(s.Run, s.in.Cols)
	out.AtMost(len(entries))
	for len(entries) > 0 {
		if s.Run.Ctx.Err() != nil {
			panic(exec.Canceled(s.Run.Ctx))
		}
		n := min(len(entries), GatherRows)
		out.Take(bufs, entries[:n])
		entries = entries[n:]
		if out.Full(GatherRows) || len(entries) == 0 {
			block := out.Seal()
			blocks = append(blocks, block)
		}
	}
	return blocks
}
