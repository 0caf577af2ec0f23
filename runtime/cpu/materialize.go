package cpu

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync/atomic"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// materialize is the sink that writes rows to a relation.
type materialize struct {
	run     *run
	in      *kernel.Materialize
	end     int64        // rows wanted, those skipped by Offset included
	taken   atomic.Int64 // rows seen so far by all workers
	workers []*materializer
}

// materializer is one worker's part: blocks, and the morsel that the first row
// of each comes from.
type materializer struct {
	sink   *materialize
	w      *worker
	buf    *rowBuffer
	first  int64 // morsel of the first row in buf
	placed []placedBlock
}

// placedBlock is a block of the result with its place in the source's order.
type placedBlock struct {
	morsel int64
	block  runtime.Block
}

// newMaterialize makes the sink. Where the first rows in the source's order are
// wanted, one worker reads them and stops.
func newMaterialize(r *run, in *kernel.Materialize) (*materialize, error) {
	m := &materialize{run: r, in: in, end: math.MaxInt64}
	if in.Limit >= 0 && in.Limit < math.MaxInt64-in.Offset {
		m.end = in.Limit + in.Offset
	}
	if in.Ordered && (in.Limit >= 0 || in.Offset > 0) {
		r.threads = 1
	}
	return m, nil
}

// worker implements sink.
func (m *materialize) worker(w *worker) (sinkWorker, error) {
	mw := &materializer{sink: m, w: w, buf: newRowBuffer(m.run, m.in.Cols)}
	m.workers = append(m.workers, mw)
	return mw, nil
}

// consume implements sinkWorker.
func (mw *materializer) consume(b *Batch) error {
	m := mw.sink
	rows := b.rows()
	if m.end < math.MaxInt64 || m.in.Offset > 0 {
		after := m.taken.Add(int64(len(rows)))
		rows = clip(rows, after-int64(len(rows)), m.in.Offset, m.end)
		if len(rows) == 0 && after >= m.end {
			return errEnough
		}
		if err := mw.add(b, rows); err != nil {
			return err
		}
		if after >= m.end {
			return errEnough
		}
		return nil
	}
	return mw.add(b, rows)
}

// clip keeps those rows whose number, counted from first, is in lo … hi−1.
func clip(rows []int32, first, lo, hi int64) []int32 {
	n := int64(len(rows))
	return rows[min(max(lo-first, 0), n):max(min(hi-first, n), min(max(lo-first, 0), n))]
}

// add appends rows to the buffer, after sealing it where needed.
func (mw *materializer) add(b *Batch, rows []int32) error {
	if len(rows) == 0 {
		return nil
	}
	if mw.buf.full(len(rows)) || mw.sink.in.Ordered && mw.w.morsel != mw.first {
		if err := mw.seal(); err != nil {
			return err
		}
	}
	if mw.buf.rows == 0 {
		mw.first = mw.w.morsel
	}
	return mw.buf.append(b, rows)
}

// seal makes a block of what is in the buffer.
func (mw *materializer) seal() error {
	if mw.buf.rows == 0 {
		return nil
	}
	block, err := mw.buf.seal()
	mw.placed = append(mw.placed, placedBlock{morsel: mw.first, block: block})
	return err
}

// finish implements sink.
func (m *materialize) finish(context.Context) (result, error) {
	err := m.run.each(len(m.workers), func(i int) error { return m.workers[i].seal() })
	if err != nil {
		return result{}, err
	}
	var placed []placedBlock
	for _, mw := range m.workers {
		placed = append(placed, mw.placed...)
	}
	if m.in.Ordered {
		slices.SortStableFunc(placed, func(a, b placedBlock) int { return cmp.Compare(a.morsel, b.morsel) })
	}
	blocks := make([]runtime.Block, len(placed))
	for i := range placed {
		blocks[i] = placed[i].block
	}
	shareDictionaries(blocks)
	return newRelation(m.run, valueTypes(m.run.f, m.in.Cols), blocks), nil
}
