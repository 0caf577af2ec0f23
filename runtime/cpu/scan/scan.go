// Package scan is the source that reads relations, morsel by morsel.
package scan

import (
	"slices"
	"sync/atomic"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/join/hash"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// scan is the source that reads a relation. Workers open blocks one after the
// other and take morsels of the blocks that are open, their own first. In turn, each
// has blocks of its own, behind those of the workers before it.
type scan struct {
	inTurn   bool
	run      *exec.Run
	rel      runtime.Relation
	cols     []kernel.SourceCol
	ordinals []int
	bounds   []runtime.Bounds
	next     atomic.Int64 // block to open
	open     []atomic.Pointer[openBlock]
}

// openBlock is a block that morsels are taken from.
type openBlock struct {
	index   int
	block   runtime.Block
	taken   atomic.Int64 // rows
	charged int64        // for a block that was made when it was loaded
	drained atomic.Bool
}

// New binds a scan to its relation.
func New(r *exec.Run, s *kernel.Scan) *scan {
	rel, ok := r.Inputs[s.Input].(runtime.Relation)
	if !ok {
		panic(exec.Internalf("kernel %s scans a %T", r.Kernel.Name, r.Inputs[s.Input]))
	}
	sc := &scan{run: r, rel: rel, cols: s.Cols, open: make([]atomic.Pointer[openBlock], rel.Blocks())}
	sc.inTurn = keepsOrder(r.Kernel.Sink)
	sc.ordinals = r.Kernel.ColumnsRead(s.Input)
	sc.provideDictionaries()
	sc.bounds = runtime.ScanBounds(r.Kernel, s, func(input, key int) (lo, hi int64, ok bool) {
		if t, is := r.Inputs[input].(*hash.Table); is && key < len(t.Ranges) {
			return t.Ranges[key].Lo, t.Ranges[key].Hi, t.Ranges[key].Known
		}
		return 0, 0, false
	})
	if r.Opts.Progress != nil {
		r.RowsExpected = rel.Rows()
		r.Opts.Progress.RowsTotal.Add(r.RowsExpected)
	}
	return sc
}

// keepsOrder reports whether a sink puts texts together in the order of their rows, those of one worker behind those of
// another.
func keepsOrder(s kernel.Sink) bool {
	a, ok := s.(*kernel.Aggregate)
	return ok && slices.ContainsFunc(a.Accs, func(a kernel.Acc) bool { return a.Op == kernel.AccConcatenate })
}

// provideDictionaries notes in the run where the dictionaries of its columns are:
// every block may have a snapshot, and the longest holds all the others.
func (s *scan) provideDictionaries() {
	for _, col := range s.cols {
		s.run.ProvideDictionary(s.rel, col)
	}
}

// skips reports whether the statistics of block i show that no row of it passes, or is wanted.
func (s *scan) skips(i int) bool {
	return s.isOutOfReach(i) || slices.ContainsFunc(s.bounds, func(b runtime.Bounds) bool {
		lo, hi, _, ok := s.rel.Range(i, b.Ordinal)
		return ok && b.Skip(lo, hi)
	})
}

// isOutOfReach reports whether the statistics of block i show that the sink wants no row of it any more.
func (s *scan) isOutOfReach(i int) bool {
	reach := s.run.Reach
	if reach == nil {
		return false
	}
	first, last, narrowed := reach.Interval()
	if !narrowed {
		return false
	}
	lo, hi, all, ok := s.rel.Range(i, reach.Ordinal)
	return ok && (all || !reach.Nulls) && (hi < first || lo > last)
}

// Drive implements exec.Source.
func (s *scan) Drive(w *exec.Worker) {
	in := newScanner(s, w)
	if s.inTurn {
		n := len(s.open)
		for i := n * w.Number / s.run.Threads; i < n*(w.Number+1)/s.run.Threads && !s.run.Stop.Load(); i++ {
			if blk := s.openAt(i); blk != nil {
				in.drain(blk)
			}
		}
		return
	}
	for {
		blk := s.openNext()
		if blk == nil {
			break
		}
		in.drain(blk)
	}
	for i := range s.open {
		if blk := s.open[i].Load(); blk != nil {
			in.drain(blk)
		}
	}
}

// openNext opens the next block that is not skipped, or returns nil.
func (s *scan) openNext() *openBlock {
	for {
		i := int(s.next.Add(1)) - 1
		if i >= len(s.open) || s.run.Stop.Load() {
			return nil
		}
		if blk := s.openAt(i); blk != nil {
			return blk
		}
	}
}

// openAt opens block i, or returns nil where it is skipped.
func (s *scan) openAt(i int) *openBlock {
	if s.skips(i) {
		s.run.Skipped.Add(1)
		return nil
	}
	bytes := runtime.LoadBytes(s.rel, i, s.ordinals)
	sqlstate.Check(s.run.Mem.Grow(bytes))
	blk := &openBlock{index: i, block: sqlstate.Must(s.rel.Load(i, s.ordinals)), charged: bytes}
	s.open[i].Store(blk)
	return blk
}

// close forgets a block all of whose rows have been taken.
func (s *scan) close(blk *openBlock) {
	if !blk.drained.Swap(true) {
		s.open[blk.index].Store(nil)
		s.run.Mem.Shrink(blk.charged)
	}
}

// scanner is one worker's part of a scan.
type scanner struct {
	scan  *scan
	w     *exec.Worker
	batch vector.Batch
	vecs  []vector.Vector // by column of the scan
	seen  []bool
}

func newScanner(s *scan, w *exec.Worker) *scanner {
	in := &scanner{scan: s, w: w, vecs: make([]vector.Vector, len(s.cols)), seen: make([]bool, len(s.cols))}
	in.batch.Vals = append([]*vector.Vector(nil), w.Vals...)
	for i, col := range s.cols {
		in.vecs[i].Type = s.run.Kernel.Values[col.Dst].Type
		in.vecs[i].Seen = &in.seen[i]
		in.batch.Vals[col.Dst] = &in.vecs[i]
	}
	return in
}

// drain feeds morsels of a block until none is left.
func (in *scanner) drain(blk *openBlock) {
	step := int64(exec.Caches().MorselVectors * in.w.Rows)
	for {
		end := blk.taken.Add(step)
		start := int(end - step)
		if start >= blk.block.Rows {
			in.scan.close(blk)
			return
		}
		in.morsel(blk, start, min(int(end), blk.block.Rows))
	}
}

// morsel feeds rows start … end−1 of a block.
func (in *scanner) morsel(blk *openBlock, start, end int) {
	w := in.w
	w.Morsel = int64(blk.index)<<32 | int64(start)
	for at := start; at < end; at += w.Rows {
		w.Poll()
		in.batch.Rows, in.batch.Sel = min(w.Rows, end-at), nil
		for i, col := range in.scan.cols {
			v := &in.vecs[i]
			v.Raw, v.Start, v.Const, v.Null = blk.block.Cols[col.Ordinal], at, false, nil
			v.Dict = v.Raw.Dict
		}
		w.Body(&in.batch)
	}
	in.countBytes(blk, end-start)
	w.EndMorsel(end - start)
}

// countBytes adds the columns of a morsel that were looked at to the metrics.
func (in *scanner) countBytes(blk *openBlock, rows int) {
	var bytes int64
	for i, col := range in.scan.cols {
		if in.seen[i] {
			bytes += vector.StoredBytes(blk.block.Cols[col.Ordinal], rows)
			in.seen[i] = false
		}
	}
	in.scan.run.BytesRead.Add(bytes)
}
