package cpu

import (
	"math"
	"sync/atomic"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// morselVectors is how many vectors of a block a worker takes at a time.
const morselVectors = 16

// scan is the source that reads a relation. Workers open blocks one after the
// other and take morsels of the blocks that are open, their own first.
type scan struct {
	run      *run
	rel      runtime.Relation
	cols     []kernel.SourceCol
	ordinals []int
	bounds   []bounds
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

// newScan binds a scan to its relation.
func newScan(r *run, s *kernel.Scan) (*scan, error) {
	rel, ok := r.inputs[s.Input].(runtime.Relation)
	if !ok {
		return nil, internalf("kernel %s scans a %T", r.f.Name, r.inputs[s.Input])
	}
	sc := &scan{run: r, rel: rel, cols: s.Cols, open: make([]atomic.Pointer[openBlock], rel.Blocks())}
	sc.ordinals = r.f.ColumnsRead(s.Input)
	sc.provideDictionaries()
	for _, p := range s.Prune {
		if b, ok := pruneBounds(r.f, p); ok {
			sc.bounds = append(sc.bounds, b)
		}
	}
	sc.bounds = append(sc.bounds, probeBounds(r, s)...)
	if r.opts.Progress != nil {
		r.rowsExpected = rel.Rows()
		r.opts.Progress.RowsTotal.Add(r.rowsExpected)
	}
	return sc, nil
}

// provideDictionaries notes in the run where the dictionaries of its columns are:
// every block may have a snapshot, and the longest holds all the others.
func (s *scan) provideDictionaries() {
	for _, col := range s.cols {
		s.run.provideDictionary(s.rel, col)
	}
}

// pruneBounds returns the constants of a Prune; ok is false where one is NULL or
// too wide, and no block is to be skipped.
func pruneBounds(f *kernel.Func, p kernel.Prune) (b bounds, ok bool) {
	b = bounds{ordinal: p.Ordinal, lo: math.MinInt64, hi: math.MaxInt64}
	set := func(dst *int64, id kernel.ValueID) bool {
		if id == kernel.NoValue {
			return true
		}
		for i := range f.Params {
			if f.Params[i].Dst == id && f.Params[i].Val.Kind != value.Null {
				x, fits := constantInt64(f.Params[i].Val)
				*dst = x
				return fits
			}
		}
		return false
	}
	return b, set(&b.lo, p.Lo) && set(&b.hi, p.Hi)
}

// skips reports whether the statistics of block i show that no row of it passes.
func (s *scan) skips(i int) bool {
	for _, b := range s.bounds {
		lo, hi, _, ok := s.rel.Range(i, b.ordinal)
		if ok && (hi < b.lo || lo > b.hi) {
			return true
		}
	}
	return false
}

// drive implements source.
func (s *scan) drive(w *worker) error {
	in := newScanner(s, w)
	for {
		blk, err := s.openNext()
		if err != nil {
			return err
		}
		if blk == nil {
			break
		}
		if err := in.drain(blk); err != nil {
			return err
		}
	}
	for i := range s.open {
		if blk := s.open[i].Load(); blk != nil {
			if err := in.drain(blk); err != nil {
				return err
			}
		}
	}
	return nil
}

// openNext opens the next block that is not skipped, or returns nil.
func (s *scan) openNext() (*openBlock, error) {
	for {
		i := int(s.next.Add(1)) - 1
		if i >= len(s.open) || s.run.stop.Load() {
			return nil, nil
		}
		if s.skips(i) {
			s.run.skipped.Add(1)
			continue
		}
		bytes := runtime.LoadBytes(s.rel, i, s.ordinals)
		if err := s.run.mem.grow(bytes); err != nil {
			return nil, err
		}
		block, err := s.rel.Load(i, s.ordinals)
		if err != nil {
			return nil, err
		}
		blk := &openBlock{index: i, block: block, charged: bytes}
		s.open[i].Store(blk)
		return blk, nil
	}
}

// close forgets a block all of whose rows have been taken.
func (s *scan) close(blk *openBlock) {
	if !blk.drained.Swap(true) {
		s.open[blk.index].Store(nil)
		s.run.mem.shrink(blk.charged)
	}
}

// scanner is one worker's part of a scan.
type scanner struct {
	scan  *scan
	w     *worker
	batch Batch
	vecs  []Vector // by column of the scan
	seen  []bool
}

func newScanner(s *scan, w *worker) *scanner {
	in := &scanner{scan: s, w: w, vecs: make([]Vector, len(s.cols)), seen: make([]bool, len(s.cols))}
	in.batch.Vals = append([]*Vector(nil), w.vals...)
	for i, col := range s.cols {
		in.vecs[i].Type = s.run.f.Values[col.Dst].Type
		in.vecs[i].seen = &in.seen[i]
		in.batch.Vals[col.Dst] = &in.vecs[i]
	}
	return in
}

// drain feeds morsels of a block until none is left.
func (in *scanner) drain(blk *openBlock) error {
	step := int64(morselVectors * in.w.rows)
	for {
		end := blk.taken.Add(step)
		start := int(end - step)
		if start >= blk.block.Rows {
			in.scan.close(blk)
			return nil
		}
		if err := in.morsel(blk, start, min(int(end), blk.block.Rows)); err != nil {
			return err
		}
	}
}

// morsel feeds rows start … end−1 of a block.
func (in *scanner) morsel(blk *openBlock, start, end int) error {
	w := in.w
	w.morsel = int64(blk.index)<<32 | int64(start)
	for at := start; at < end; at += w.rows {
		if err := w.poll(); err != nil {
			return err
		}
		in.batch.Rows, in.batch.Sel = min(w.rows, end-at), nil
		for i, col := range in.scan.cols {
			v := &in.vecs[i]
			v.Raw, v.Start, v.Const, v.Null = blk.block.Cols[col.Ordinal], at, false, nil
			v.Dict = v.Raw.Dict
		}
		if err := w.body(&in.batch); err != nil {
			return err
		}
	}
	in.countBytes(blk, end-start)
	w.endMorsel(end - start)
	return nil
}

// countBytes adds the columns of a morsel that were looked at to the metrics.
func (in *scanner) countBytes(blk *openBlock, rows int) {
	var bytes int64
	for i, col := range in.scan.cols {
		if in.seen[i] {
			bytes += storedBytes(blk.block.Cols[col.Ordinal], rows)
			in.seen[i] = false
		}
	}
	in.scan.run.bytesRead.Add(bytes)
}

// probeBounds are the bounds of the columns of a scan by which every row that goes
// on is found in a hash table: the least and the greatest key of that.
func probeBounds(r *run, s *kernel.Scan) []bounds {
	var list []bounds
	for _, in := range r.f.Body {
		p, ok := in.(*kernel.Probe)
		if !ok || p.Sorted != nil || p.Kind != kernel.ProbeInner && p.Kind != kernel.ProbeSemi {
			continue
		}
		t, ok := r.inputs[p.Input].(*hashTable)
		if !ok {
			continue
		}
		for i, k := range p.Keys {
			for _, col := range s.Cols {
				if col.Dst == k.Val && i < len(t.ranges) && t.ranges[i].known {
					list = append(list, bounds{ordinal: col.Ordinal, lo: t.ranges[i].lo, hi: t.ranges[i].hi})
				}
			}
		}
	}
	return list
}

// bounds is a Prune with its constants, or the keys that a Probe finds.
type bounds struct {
	ordinal int
	lo, hi  int64
}
