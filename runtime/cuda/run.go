package cuda

import (
	"errors"
	"time"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/runtime"
)

// close frees what the run alone has used, when nothing on the device uses it any more.
func (r *run) close() {
	if r.linked {
		_, _ = r.linkBusy() // after an error nothing travels any more
	}
	_ = r.settle() // likewise nothing runs
	for i := range r.inputs {
		r.inputs[i].release(r.queue)
	}
	r.temp.release(r.queue)
	for _, held := range r.borrowed {
		held.release(r.queue)
	}
	if r.source != nil {
		r.source.close()
	}
	if r.linked {
		r.backend.link.done()
	}
}

// settle waits for what the run has started since it last went on; until then it has waited for it.
func (r *run) settle() error {
	if r.queue.started == r.from {
		return nil
	}
	return r.queue.settle()
}

// finish waits until what the run has started has ended: with what the host reads of the output next,
// where there is something to wait for and one copy brings all of it. What is more is copied beside other
// runs.
func (r *run) finish(out runtime.Output) (err error) {
	started := time.Now()
	if rel, ok := out.(*relation); ok && r.opts.Fetches && r.queue.busy() && rel.few() {
		err = rel.bring(r.queue)
	}
	if err == nil {
		err = r.settle()
	}
	r.lap(&r.metrics.Host.Wait, started)
	return err
}

// execute binds the inputs, renders and loads the kernel and carries its launch plan
// out, or that of another rendering where it says so.
func (r *run) execute(loaded []loadedInput) (runtime.Output, error) {
	started := time.Now()
	if err := r.bind(loaded); err != nil {
		return nil, err
	}
	r.lap(&r.metrics.Host.Bind, started)
	if r.source == nil {
		r.skip()
		r.cutLaunches()
	}
	r.metrics.RowsIn = rowsOf(r.ranges)
	r.startProgress()
	r.fitFilters()
	if err := r.chooseForms(); err != nil {
		return nil, err
	}
	r.observePhases()
	learns := r.recall()
	out, room, err := r.inForms()
	if err == nil && out == nil {
		learns.repeats.Store(true)
		out, _, err = r.attempt(renderChain, room)
	}
	if errors.Is(err, errNotFinite) {
		out, err = r.inOrder()
	}
	if err != nil {
		return nil, err
	}
	learns.learn(out)
	r.endProgress()
	return out, r.tell()
}

// inOrder carries the kernel out again, an aggregation with sums that are not finite, over the rows of
// each group in order.
func (r *run) inOrder() (runtime.Output, error) {
	f := cudagen.InOrder(r.f)
	if f == nil {
		return nil, errNotFinite
	}
	r.f = f
	r.metrics.Taken = "sums are not finite: the rows are sorted by their groups, which shows what has overflowed"
	out, _, err := r.attempt(renderPlain, 0)
	return out, err
}

func (r *run) startProgress() {
	if p := r.opts.Progress; p != nil {
		p.RowsTotal.Add(r.metrics.RowsIn)
	}
}

func (r *run) endProgress() {
	if p := r.opts.Progress; p != nil {
		p.RowsDone.Add(r.metrics.RowsIn)
	}
}
