package cuda

import (
	"context"
	"slices"
	"unsafe"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/runtime"
)

// overRows carries out the plan of an entry of the rows' module over so many rows.
func (r *run) overRows(plan *launch.Plan, params []uint64, rows int64) error {
	code, err := r.load(r.backend.modules.rows)
	if err != nil {
		return err
	}
	x := &run{
		backend: r.backend, ctx: r.ctx, f: r.f, opts: r.opts, queue: r.queue, observed: r.observed,
		module: &cudagen.Module{Plan: plan}, code: code, words: params,
	}
	x.setRows(rows)
	_, _, err = x.interpret(0)
	r.observed = x.observed
	return err
}

// setRows has the run go over so many rows, of no relation.
func (r *run) setRows(rows int64) {
	r.metrics.RowsIn, r.ranges = rows, []rowRange{{0, rows}}
}

// copyTexts is memory.copyTexts.
func (b *Backend) copyTexts(q *queue, p cudagen.CopyTextsParams) error {
	code, err := b.loadModule(context.Background(), b.modules.rows)
	if err != nil {
		return err
	}
	x := &run{
		backend: b, ctx: context.Background(), f: &kernel.Func{Name: "copy_texts"}, opts: &runtime.RunOptions{}, queue: q,
		module: &cudagen.Module{Plan: cudagen.CopyTextsPlan()}, code: code, words: block(&p),
	}
	x.setRows(int64(p.Rows))
	_, _, err = x.interpret(0)
	return err
}

// block is a parameter of one of the entries as words.
func block[P cudagen.AppendParams | cudagen.CopyTextsParams](p *P) []uint64 {
	return slices.Clone(unsafe.Slice((*uint64)(unsafe.Pointer(p)), unsafe.Sizeof(*p)/8))
}
