// Package materialize is the sink that writes rows as they come.
package materialize

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync/atomic"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// materialize is the sink that writes rows to a relation.
type materialize struct {
	run     *exec.Run
	in      *kernel.Materialize
	end     int64        // rows wanted, those skipped by Offset included
	taken   atomic.Int64 // rows seen so far by all workers
	workers []*materializer
}

// materializer is one worker's part: blocks, and the morsel that the first row
// of each comes from.
type materializer struct {
	sink   *materialize
	w      *exec.Worker
	buf    *exec.BlockBuilder
	first  int64 // morsel of the first row in buf
	placed []placedBlock
}

// placedBlock is a block of the result with its place in the source's order.
type placedBlock struct {
	morsel int64
	block  runtime.Block
}

// New makes the sink. Where the first rows in the source's order are
// wanted, one worker reads them and stops.
func New(r *exec.Run, in *kernel.Materialize) exec.Sink {
	m := &materialize{run: r, in: in, end: math.MaxInt64}
	if in.Limit >= 0 && in.Limit < math.MaxInt64-in.Offset {
		m.end = in.Limit + in.Offset
	}
	if in.Ordered && (in.Limit >= 0 || in.Offset > 0) {
		r.Threads = 1
	}
	return m
}

// Worker implements exec.Sink.
func (m *materialize) Worker(w *exec.Worker) (exec.SinkWorker, error) {
	mw := &materializer{sink: m, w: w, buf: exec.NewBlockBuilder(m.run, m.in.Cols)}
	m.workers = append(m.workers, mw)
	return mw, nil
}

// Consume implements exec.SinkWorker.
func (mw *materializer) Consume(b *vector.Batch) error {
	m := mw.sink
	rows := b.ActiveRows()
	if m.end < math.MaxInt64 || m.in.Offset > 0 {
		after := m.taken.Add(int64(len(rows)))
		rows = clip(rows, after-int64(len(rows)), m.in.Offset, m.end)
		if len(rows) == 0 && after >= m.end {
			return exec.ErrEnough
		}
		if err := mw.add(b, rows); err != nil {
			return err
		}
		if after >= m.end {
			return exec.ErrEnough
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
func (mw *materializer) add(b *vector.Batch, rows []int32) error {
	if len(rows) == 0 {
		return nil
	}
	if mw.buf.Full(len(rows)) || mw.sink.in.Ordered && mw.w.Morsel != mw.first {
		if err := mw.seal(); err != nil {
			return err
		}
	}
	if mw.buf.Rows == 0 {
		mw.first = mw.w.Morsel
	}
	return mw.buf.Append(b, rows)
}

// seal makes a block of what is in the buffer.
func (mw *materializer) seal() error {
	if mw.buf.Rows == 0 {
		return nil
	}
	block, err := mw.buf.Seal()
	mw.placed = append(mw.placed, placedBlock{morsel: mw.first, block: block})
	return err
}

// Finish implements exec.Sink.
func (m *materialize) Finish(context.Context) (exec.Result, error) {
	err := m.run.Each(len(m.workers), func(i int) error { return m.workers[i].seal() })
	if err != nil {
		return exec.Result{}, err
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
	exec.ShareDictionaries(blocks)
	return exec.NewRelation(m.run, exec.ValueTypes(m.run.Kernel, m.in.Cols), blocks), nil
}
