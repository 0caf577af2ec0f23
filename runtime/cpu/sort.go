package cpu

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// sorting is the sink that orders rows.
type sorting struct {
	run     *run
	in      *kernel.Sort
	ids     []kernel.ValueID // collected: the columns of the result, then other keys
	keys    *sortKeys
	end     int64 // rows wanted, those skipped by Offset included
	workers []*sorter
}

// newSort makes the sink.
func newSort(r *run, in *kernel.Sort) (*sorting, error) {
	s := &sorting{run: r, in: in, ids: slices.Clone(in.Cols), keys: newSortKeys(r, in.Keys), end: math.MaxInt64}
	for _, k := range in.Keys {
		if !slices.Contains(s.ids, k.Val) {
			s.ids = append(s.ids, k.Val)
		}
	}
	if in.Limit >= 0 && in.Limit < math.MaxInt64-in.Offset {
		s.end = in.Limit + in.Offset
	}
	return s, nil
}

// worker implements sink.
func (s *sorting) worker(w *worker) (sinkWorker, error) {
	sw := &sorter{sink: s, bufs: []*rowBuffer{newRowBuffer(s.run, s.ids)}, prefix: make([]uint64, w.rows), keep: make([]int32, w.rows)}
	s.workers = append(s.workers, sw)
	return sw, nil
}

// sorter is one worker's part: its rows and an entry for each.
type sorter struct {
	sink    *sorting
	bufs    []*rowBuffer
	entries []entry
	prefix  []uint64
	keep    []int32
	bounded bool
	bound   uint64 // where bounded: rows whose prefix is above come too late
}

// consume implements sinkWorker.
func (sw *sorter) consume(b *Batch) error {
	if sw.sink.end == 0 {
		return errEnough
	}
	rows := b.rows()
	if err := sw.sink.keys.prefixes(b, rows, sw.prefix); err != nil {
		return err
	}
	if sw.bounded {
		rows = sw.early(rows)
	}
	if err := sw.add(b, rows); err != nil {
		return err
	}
	if end := sw.sink.end; sw.sink.in.Top && int64(len(sw.entries))/2 >= max(end, DefaultVectorRows) {
		return sw.cut(int(end))
	}
	return nil
}

// add collects rows, of which sw.prefix has the prefixes.
func (sw *sorter) add(b *Batch, rows []int32) error {
	if err := sw.sink.run.mem.grow(int64(len(rows)) * entryBytes); err != nil {
		return err
	}
	buf := sw.bufs[len(sw.bufs)-1]
	if buf.full(len(rows)) {
		buf = newRowBuffer(sw.sink.run, sw.sink.ids)
		sw.bufs = append(sw.bufs, buf)
	}
	sw.entries = long.Grow(sw.entries, len(rows))
	at := entry{buf: uint32(len(sw.bufs) - 1), row: uint32(buf.rows)}
	for i := range rows {
		at.prefix = sw.prefix[i]
		sw.entries = append(sw.entries, at)
		at.row++
	}
	return buf.append(b, rows)
}

// early keeps the rows that may be among the first, and their prefixes.
func (sw *sorter) early(rows []int32) []int32 {
	n := 0
	for i, r := range rows {
		p := sw.prefix[i]
		sw.keep[n], sw.prefix[n] = r, p
		n += int(b2u(p <= sw.bound))
	}
	return sw.keep[:n]
}

// cut keeps the first n rows.
func (sw *sorter) cut(n int) error {
	scratch := make([]entry, len(sw.entries))
	sortEntries(sw.entries, scratch, sw.sink.keys.comparator(sw.bufs))
	sw.bounded, sw.bound = true, sw.entries[n-1].prefix
	return sw.retain(n)
}

// retain drops the rows behind the first n entries.
func (sw *sorter) retain(n int) error {
	var bufs []*rowBuffer
	for at := 0; at < n; at += gatherRows {
		taken := sw.entries[at:min(at+gatherRows, n)]
		if len(bufs) == 0 || bufs[len(bufs)-1].full(len(taken)) {
			bufs = append(bufs, newRowBuffer(sw.sink.run, sw.sink.ids))
		}
		buf := bufs[len(bufs)-1]
		first := buf.rows
		if err := buf.take(sw.bufs, taken); err != nil {
			return err
		}
		for i := range taken {
			taken[i].buf, taken[i].row = uint32(len(bufs)-1), uint32(first+i)
		}
	}
	if n == 0 {
		bufs = append(bufs, newRowBuffer(sw.sink.run, sw.sink.ids))
	}
	for _, buf := range sw.bufs {
		buf.release()
	}
	sw.sink.run.mem.shrink(int64(len(sw.entries)-n) * entryBytes)
	sw.bufs, sw.entries = bufs, sw.entries[:n]
	return nil
}

// finish implements sink: the rows of all workers are divided into ranges of
// the order, which are sorted and written independently.
func (s *sorting) finish(context.Context) (result, error) {
	bufs, total := s.collected()
	if err := s.run.mem.grow(2 * entryBytes * int64(total)); err != nil {
		return result{}, err
	}
	ranges := s.ranges(total)
	scratch := make([]entry, total)
	blocks := make([][]runtime.Block, len(ranges))
	err := s.run.each(len(ranges), func(i int) error {
		r := &ranges[i]
		if int64(r.start) >= s.end || int64(r.start+len(r.entries)) <= s.in.Offset {
			return nil
		}
		sortEntries(r.entries, scratch[r.start:], s.keys.comparator(bufs))
		var err error
		blocks[i], err = s.write(bufs, r.wanted(s.in.Offset, s.end))
		return err
	})
	if err != nil {
		return result{}, err
	}
	all := slices.Concat(blocks...)
	shareDictionaries(all)
	res := newRelation(s.run, valueTypes(s.run.f, s.in.Cols), all)
	if s.run.opts.Explain {
		res.taken = sortTaken(total, len(ranges))
	}
	return res, nil
}

// sortTaken says how rows were sorted.
func sortTaken(rows, ranges int) string {
	if ranges == 1 {
		return fmt.Sprintf("%d rows sorted", rows)
	}
	return fmt.Sprintf("%d rows sorted in %d ranges of their order", rows, ranges)
}

// collected are the buffers of all workers, into which the entries now point,
// and the number of these.
func (s *sorting) collected() (bufs []*rowBuffer, total int) {
	for _, sw := range s.workers {
		for i := range sw.entries {
			sw.entries[i].buf += uint32(len(bufs))
		}
		bufs = append(bufs, sw.bufs...)
		total += len(sw.entries)
	}
	return bufs, total
}

// sortRange is a part of the result's order: entries that all come before those
// of the next range.
type sortRange struct {
	start   int // place of the first row in the whole order
	entries []entry
}

// wanted are the entries whose places are in lo … hi−1.
func (r *sortRange) wanted(lo, hi int64) []entry {
	n, first := int64(len(r.entries)), int64(r.start)
	return r.entries[min(max(lo-first, 0), n):min(max(hi-first, 0), n)]
}

// ranges distributes the entries of all workers.
func (s *sorting) ranges(total int) []sortRange {
	n := min(4*s.run.threads, total/caches().SortedRows)
	if s.run.threads == 1 {
		n = 1
	}
	splitters := s.splitters(total, max(n, 1))
	ranges := make([]sortRange, len(splitters)+1)
	if len(ranges) == 1 && len(s.workers) == 1 {
		ranges[0].entries = s.workers[0].entries
		return ranges
	}
	for _, sw := range s.workers {
		for _, e := range sw.entries {
			i, _ := slices.BinarySearch(splitters, e.prefix)
			ranges[i].entries = append(ranges[i].entries, e)
		}
		sw.entries = nil
	}
	start := 0
	for i := range ranges {
		ranges[i].start = start
		start += len(ranges[i].entries)
	}
	return ranges
}

// splitters picks up to n−1 prefixes that divide a sample into equal parts, in
// increasing order. Rows up to and including a splitter come before it.
func (s *sorting) splitters(total, n int) []uint64 {
	if n <= 1 {
		return nil
	}
	const perRange = 64
	step := max(total/(n*perRange), 1)
	var sample []uint64
	for _, sw := range s.workers {
		for i := 0; i < len(sw.entries); i += step {
			sample = append(sample, sw.entries[i].prefix)
		}
	}
	slices.SortFunc(sample, cmp.Compare[uint64])
	var out []uint64
	for i := 1; i < n; i++ {
		out = append(out, sample[i*len(sample)/n])
	}
	return slices.Compact(out)
}

// gatherRows is how many rows are gathered between looks at the context.
const gatherRows = 1 << 14

// write makes blocks of the entries' rows.
func (s *sorting) write(bufs []*rowBuffer, entries []entry) ([]runtime.Block, error) {
	var blocks []runtime.Block
	out := newRowBuffer(s.run, s.in.Cols)
	for len(entries) > 0 {
		if s.run.ctx.Err() != nil {
			return nil, canceled(s.run.ctx)
		}
		n := min(len(entries), gatherRows)
		if err := out.take(bufs, entries[:n]); err != nil {
			return nil, err
		}
		entries = entries[n:]
		if out.full(gatherRows) || len(entries) == 0 {
			block, err := out.seal()
			if err != nil {
				return nil, err
			}
			blocks = append(blocks, block)
		}
	}
	return blocks, nil
}
