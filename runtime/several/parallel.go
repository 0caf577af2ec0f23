package several

import (
	"context"
	"errors"
	"sync"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/fault"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// local has each device that has a share run a kernel over it, and returns what they made in
// the order of the devices.
func (r *run) local(f *kernel.Func, shares []any, opts *runtime.RunOptions) []runtime.Output {
	return r.localOf(r.inputs, f, shares, opts)
}

// localOf is local with other inputs than those of the kernel at hand.
func (r *run) localOf(all []any, f *kernel.Func, shares []any, opts *runtime.RunOptions) []runtime.Output {
	source := f.Source.(*kernel.Scan).Input
	var at []int
	for i, share := range shares {
		if share != nil {
			at = append(at, i)
		}
	}
	return sqlstate.Must(r.parallel(at, func(i int) job {
		inputs := r.inputsOf(i, all)
		inputs[source] = shares[i]
		return job{f, inputs, opts}
	}))
}

// everywhere has each device run a kernel over the same inputs.
func (r *run) everywhere(f *kernel.Func, inputs []any, opts *runtime.RunOptions) ([]runtime.Output, error) {
	return r.parallel(r.all(), func(i int) job { return job{f, r.inputsOf(i, inputs), opts} })
}

// all are the places of all devices.
func (r *run) all() []int {
	return lists.Upto[int](len(r.backend.members))
}

// alone has one device run a kernel.
func (r *run) alone(at int, f *kernel.Func, inputs []any, opts *runtime.RunOptions) runtime.Output {
	return sqlstate.Must(r.parallel([]int{at}, func(i int) job { return job{f, r.inputsOf(i, inputs), opts} }))[0]
}

// inputsOf are inputs as a device reads them.
func (r *run) inputsOf(at int, inputs []any) []any {
	own := make([]any, len(inputs))
	for i, in := range inputs {
		own[i] = in
		if t, ok := in.(*table); ok {
			own[i] = t.made[at]
		}
	}
	return own
}

// job is what one device runs.
type job struct {
	f      *kernel.Func
	inputs []any
	opts   *runtime.RunOptions
}

// parallel has devices run a job each at the same time.
func (r *run) parallel(at []int, jobOf func(i int) job) ([]runtime.Output, error) {
	made, metrics, errs := make([]runtime.Output, len(at)), make([]runtime.Metrics, len(at)), make([]error, len(at))
	one := func(k int) {
		j := jobOf(at[k])
		defer fault.Guard()(&errs[k])
		made[k], metrics[k], errs[k] = r.backend.members[at[k]].run(r.ctx, j.f, j.inputs, j.opts)
	}
	var group sync.WaitGroup
	for k := 1; k < len(at); k++ {
		group.Go(func() { one(k) })
	}
	one(0)
	group.Wait()
	if err := first(errs); err != nil {
		releaseAll(made)
		return nil, err
	}
	r.measure(at, metrics)
	return made, nil
}

// first is the error of several devices that counts: a device that is lost, which the query
// can go on without, before what may come of that.
func first(errs []error) error {
	for _, err := range errs {
		if errors.Is(err, cuda.ErrLost) {
			return err
		}
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// blamed names the device in an error after which it is out of service.
func (m *member) blamed(err error) error {
	if errors.Is(err, cuda.ErrLost) {
		return &Lost{m.ordinal, err}
	}
	return err
}

// run is Run on the device.
func (m *member) run(ctx context.Context, f *kernel.Func, inputs []any, opts *runtime.RunOptions) (runtime.Output, runtime.Metrics, error) {
	out, metrics, err := m.Member.Run(ctx, f, inputs, opts)
	return out, metrics, m.blamed(err)
}
