package cuda

import (
	"context"
	"iter"
	"slices"
	"time"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/fault"
)

// Run implements runtime.Backend. Relations may come from anywhere, hash tables
// from this backend. The error is a *cudagen.Refusal for a kernel that has no
// device code, and ErrOutOfMemory where the device has no room for it.
func (b *Backend) Run(ctx context.Context, f *kernel.Func, inputs []any, opts *runtime.RunOptions) (runtime.Output, runtime.Metrics, error) {
	inputs, err := awaitInputs(ctx, inputs)
	if err != nil {
		return nil, runtime.Metrics{}, err
	}
	q := &request{backend: b, ctx: ctx, f: f, opts: opts, started: time.Now()}
	if q.loaded, err = b.load(ctx, f, inputs); err != nil {
		return nil, runtime.Metrics{}, err
	}
	if q.goesAhead() {
		return q.runAhead()
	}
	return q.run()
}

// goesAhead reports whether the query of a request may be ahead of its run: what is made is opaque
// to all others.
func (q *request) goesAhead() bool {
	_, builds := q.f.Sink.(*kernel.Build)
	return builds && q.opts.Ahead && !q.opts.Explain && q.opts.Account != nil
}

// runAhead begins a run, which may stand still when it returns.
func (q *request) runAhead() (runtime.Output, runtime.Metrics, error) {
	a := &ahead{backend: q.backend, query: q.opts.Account}
	a.next, a.stop = iter.Pull(func(yield func([]Copy) bool) {
		defer fault.Guard()(&a.err)
		q.standStill = yield
		a.out, a.metrics, a.err = q.run()
	})
	a.goOn()
	if a.over {
		return a.out, a.metrics, a.err
	}
	b := q.backend
	b.aheadLock.Lock()
	defer b.aheadLock.Unlock()
	b.ahead[a.query] = append(b.ahead[a.query], a)
	return a, runtime.Metrics{}, nil
}

// goOn has the run go on with what it has waited for.
func (a *ahead) goOn() {
	var more bool
	if a.copies, more = a.next(); !more {
		a.over = true
		a.forget()
	}
}

// forget notes that the run does not stand still any more.
func (a *ahead) forget() {
	b := a.backend
	b.aheadLock.Lock()
	defer b.aheadLock.Unlock()
	left := slices.DeleteFunc(b.ahead[a.query], func(other *ahead) bool { return other == a })
	if b.ahead[a.query] = left; len(left) == 0 {
		delete(b.ahead, a.query)
	}
}

// end has the run go on until it is over, and those of the query that stand still beside it go on
// as far. It returns the error of the run, or of waiting.
func (a *ahead) end(ctx context.Context) error {
	for !a.over {
		all, err := a.await(ctx)
		if err != nil {
			return err
		}
		for _, other := range all {
			other.goOn()
		}
	}
	return a.err
}

// await waits for what the runs of the query that stand still wait for, and returns them.
func (a *ahead) await(ctx context.Context) ([]*ahead, error) {
	started := time.Now()
	on, err := a.backend.mem.hold(ctx, a.query)
	if err != nil {
		return nil, err
	}
	defer on.leave()
	all := a.backend.allAhead(a.query)
	var copies []Copy
	for _, other := range all {
		copies = append(copies, other.copies...)
	}
	err = on.download(ctx, copies...)
	a.waited += time.Since(started)
	return all, err
}

// allAhead are the runs of a query that stand still.
func (b *Backend) allAhead(query *runtime.Account) []*ahead {
	b.aheadLock.Lock()
	defer b.aheadLock.Unlock()
	return slices.Clone(b.ahead[query])
}

// Ran implements runtime.Late.
func (a *ahead) Ran() runtime.Metrics {
	m := a.metrics
	m.Host.Wait += a.waited
	return m
}

// Release implements runtime.Output. A run that stands still is given up.
func (a *ahead) Release() {
	if !a.over {
		a.stop()
		a.over, a.err = true, errStopped
		a.forget()
	}
	if a.out != nil {
		a.out.Release()
	}
}

// awaitInputs returns inputs whose runs are over.
func awaitInputs(ctx context.Context, inputs []any) ([]any, error) {
	inputs = slices.Clone(inputs)
	for i, in := range inputs {
		if a, ok := in.(*ahead); ok {
			if err := a.end(ctx); err != nil {
				return nil, err
			}
			inputs[i] = a.out
		}
	}
	return inputs, nil
}
