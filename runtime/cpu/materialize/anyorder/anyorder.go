// Package anyorder writes rows as the workers come to them.
package anyorder

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// Writing is the sink that writes rows to a relation.
type Writing struct {
	run     *exec.Run
	in      *kernel.Materialize
	end     int64        // rows wanted, those skipped by Offset included
	taken   atomic.Int64 // rows seen so far by all workers
	workers []*Writer
}

// Writer is one worker's part.
type Writer struct {
	sink   *Writing
	buf    *exec.BlockBuilder
	Blocks []runtime.Block
}

// New makes the sink.
func New(r *exec.Run, in *kernel.Materialize) *Writing {
	m := &Writing{run: r, in: in, end: math.MaxInt64}
	if in.Limit >= 0 && in.Limit < math.MaxInt64-in.Offset {
		m.end = in.Limit + in.Offset
	}
	return m
}

// Worker implements exec.Sink.
func (m *Writing) Worker(*exec.Worker) exec.SinkWorker { return m.Writer() }

// Writer makes a worker's part.
func (m *Writing) Writer() *Writer {
	mw := &Writer{sink: m, buf: exec.NewBlockBuilder(m.run, m.in.Cols)}
	m.workers = append(m.workers, mw)
	return mw
}

// Consume implements exec.SinkWorker.
func (mw *Writer) Consume(b *vector.Batch) {
	m := mw.sink
	rows := b.ActiveRows()
	if m.end < math.MaxInt64 || m.in.Offset > 0 {
		after := m.taken.Add(int64(len(rows)))
		rows = clip(rows, after-int64(len(rows)), m.in.Offset, m.end)
		if mw.add(b, rows); after >= m.end {
			panic(exec.ErrEnough)
		}
		return
	}
	mw.add(b, rows)
}

// clip keeps those rows whose number, counted from first, is in lo … hi−1.
func clip(rows []int32, first, lo, hi int64) []int32 {
	n := int64(len(rows))
	return rows[min(max(lo-first, 0), n):max(min(hi-first, n), min(max(lo-first, 0), n))]
}

// add appends rows to the buffer, after sealing it where needed.
func (mw *Writer) add(b *vector.Batch, rows []int32) {
	if len(rows) == 0 {
		return
	}
	if mw.buf.Full(len(rows)) {
		mw.Seal()
	}
	mw.buf.Append(b, rows)
}

// Seal makes a block of what is in the buffer.
func (mw *Writer) Seal() {
	if mw.buf.Rows == 0 {
		return
	}
	mw.Blocks = append(mw.Blocks, mw.buf.Seal())
}

// SealAll has each worker seal its rest.
func (m *Writing) SealAll() { m.run.Each(len(m.workers), func(i int) { m.workers[i].Seal() }) }

// Finish implements exec.Sink.
func (m *Writing) Finish(context.Context) exec.Result {
	m.SealAll()
	blocks := []runtime.Block{}
	for _, mw := range m.workers {
		blocks = append(blocks, mw.Blocks...)
	}
	return m.Relation(blocks)
}

// Relation makes the result.
func (m *Writing) Relation(blocks []runtime.Block) exec.Result {
	exec.ShareDictionaries(blocks)
	return exec.NewRelation(m.run, exec.ValueTypes(m.run.Kernel, m.in.Cols), blocks)
}
