// Package inorder writes rows in the order in which the source has them.
package inorder

import (
	"cmp"
	"context"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/materialize/anyorder"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// writing is the sink.
type writing struct {
	*anyorder.Writing
	workers []*writer
}

// writer is one worker's part: blocks, none with rows of two morsels.
type writer struct {
	*anyorder.Writer
	w       *exec.Worker
	morsel  int64   // of the rows that are being written
	morsels []int64 // of the blocks before them
}

// New makes the sink. Where only the first rows are wanted, one worker reads them and stops.
func New(r *exec.Run, in *kernel.Materialize) exec.Sink {
	if in.Limit >= 0 || in.Offset > 0 {
		r.Threads = 1
	}
	return &writing{Writing: anyorder.New(r, in)}
}

// Worker implements exec.Sink.
func (o *writing) Worker(w *exec.Worker) exec.SinkWorker {
	ow := &writer{Writer: o.Writer(), w: w}
	o.workers = append(o.workers, ow)
	return ow
}

// Consume implements exec.SinkWorker.
func (ow *writer) Consume(b *vector.Batch) {
	if ow.w.Morsel != ow.morsel {
		ow.Seal()
		ow.noted()
		ow.morsel = ow.w.Morsel
	}
	ow.Writer.Consume(b)
}

// noted notes the morsel of the blocks that have been sealed.
func (ow *writer) noted() {
	for len(ow.morsels) < len(ow.Blocks) {
		ow.morsels = append(ow.morsels, ow.morsel)
	}
}

// Finish implements exec.Sink.
func (o *writing) Finish(ctx context.Context) exec.Result {
	o.SealAll()
	type placed struct {
		morsel int64
		block  runtime.Block
	}
	var all []placed
	for _, ow := range o.workers {
		ow.noted()
		for i, block := range ow.Blocks {
			all = append(all, placed{ow.morsels[i], block})
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.morsel, b.morsel) })
	blocks := make([]runtime.Block, len(all))
	for i := range all {
		blocks[i] = all[i].block
	}
	return o.Relation(blocks)
}
