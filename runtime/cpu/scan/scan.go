// Package scan is the source that reads relations, morsel by morsel.
package scan

import (
	"math"
	"sync/atomic"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/join/hash"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
)

// scan is the source that reads a relation. Workers open blocks one after the
// other and take morsels of the blocks that are open, their own first.
type scan struct {
	run      *exec.Run
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

// New binds a scan to its relation.
func New(r *exec.Run, s *kernel.Scan) (*scan, error) {
	rel, ok := r.Inputs[s.Input].(runtime.Relation)
	if !ok {
		return nil, exec.Internalf("kernel %s scans a %T", r.Kernel.Name, r.Inputs[s.Input])
	}
	sc := &scan{run: r, rel: rel, cols: s.Cols, open: make([]atomic.Pointer[openBlock], rel.Blocks())}
	sc.ordinals = r.Kernel.ColumnsRead(s.Input)
	sc.provideDictionaries()
	for _, p := range s.Prune {
		if b, ok := pruneBounds(r.Kernel, p); ok {
			sc.bounds = append(sc.bounds, b)
		}
	}
	sc.bounds = append(sc.bounds, probeBounds(r, s)...)
	if r.Opts.Progress != nil {
		r.RowsExpected = rel.Rows()
		r.Opts.Progress.RowsTotal.Add(r.RowsExpected)
	}
	return sc, nil
}

// provideDictionaries notes in the run where the dictionaries of its columns are:
// every block may have a snapshot, and the longest holds all the others.
func (s *scan) provideDictionaries() {
	for _, col := range s.cols {
		s.run.ProvideDictionary(s.rel, col)
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
				x, fits := exec.ConstantInt64(f.Params[i].Val)
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

// Drive implements exec.Source.
func (s *scan) Drive(w *exec.Worker) error {
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
		if i >= len(s.open) || s.run.Stop.Load() {
			return nil, nil
		}
		if s.skips(i) {
			s.run.Skipped.Add(1)
			continue
		}
		bytes := runtime.LoadBytes(s.rel, i, s.ordinals)
		if err := s.run.Mem.Grow(bytes); err != nil {
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
func (in *scanner) drain(blk *openBlock) error {
	step := int64(exec.Caches().MorselVectors * in.w.Rows)
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
	w.Morsel = int64(blk.index)<<32 | int64(start)
	for at := start; at < end; at += w.Rows {
		if err := w.Poll(); err != nil {
			return err
		}
		in.batch.Rows, in.batch.Sel = min(w.Rows, end-at), nil
		for i, col := range in.scan.cols {
			v := &in.vecs[i]
			v.Raw, v.Start, v.Const, v.Null = blk.block.Cols[col.Ordinal], at, false, nil
			v.Dict = v.Raw.Dict
		}
		if err := w.Body(&in.batch); err != nil {
			return err
		}
	}
	in.countBytes(blk, end-start)
	w.EndMorsel(end - start)
	return nil
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

// probeBounds are the bounds of the columns of a scan by which every row that goes
// on is found in a hash table: the least and the greatest key of that.
func probeBounds(r *exec.Run, s *kernel.Scan) []bounds {
	var list []bounds
	for _, in := range r.Kernel.Body {
		p, ok := in.(*kernel.Probe)
		if !ok || p.Sorted != nil || p.Kind != kernel.ProbeInner && p.Kind != kernel.ProbeSemi {
			continue
		}
		t, ok := r.Inputs[p.Input].(*hash.Table)
		if !ok {
			continue
		}
		for i, k := range p.Keys {
			for _, col := range s.Cols {
				if col.Dst == k.Val && i < len(t.Ranges) && t.Ranges[i].Known {
					list = append(list, bounds{ordinal: col.Ordinal, lo: t.Ranges[i].Lo, hi: t.Ranges[i].Hi})
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
