package several

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/fault"
)

// execute has the kernel done by the devices that have rows of its source.
func (r *run) execute() (runtime.Output, error) {
	started := time.Now()
	defer func() {
		r.metrics.Time = time.Since(started)
		r.metrics.Sharing = &r.sharing
	}()
	defer func() { releaseAll(r.sent) }()
	shares, err := r.shares()
	if err != nil {
		return nil, err
	}
	how, at, reason := r.choose(shares)
	if how != nil && !how.InOrder {
		if shares, err = r.exchange(shares); err != nil {
			return nil, err
		}
		if r.sent != nil {
			how, _ = codegen.ShareOut(r.f)
		}
	}
	if err := r.complete(); err != nil {
		return nil, err
	}
	_, builds := r.f.Sink.(*kernel.Build)
	switch {
	case how == nil && builds:
		r.say("every device makes the table of all rows: " + reason)
		return tableOf(r.everywhere(r.f, r.inputs))
	case how == nil:
		r.say(reason)
		return r.alone(at, r.f, r.inputs)
	}
	made, err := r.local(how.Local, shares)
	if err != nil {
		return nil, err
	}
	r.derived = true
	switch {
	case how.Merge == nil:
		r.say(reason)
		return together(made), nil
	case builds:
		return r.build(how.Merge, made)
	}
	r.say(reason)
	defer releaseAll(made)
	return r.alone(0, how.Merge, []any{together(made)})
}

// say adds how rows have come together.
func (r *run) say(exchange string) {
	if r.sharing.Exchange != "" {
		exchange = r.sharing.Exchange + "; " + exchange
	}
	r.sharing.Exchange = exchange
}

// shares cuts the source, where it is a relation.
func (r *run) shares() ([]runtime.Relation, error) {
	scan, ok := r.f.Source.(*kernel.Scan)
	if !ok {
		return nil, nil
	}
	rel, ok := r.inputs[scan.Input].(runtime.Relation)
	if !ok {
		return nil, nil
	}
	return r.backend.cut(rel)
}

// choose decides how the kernel is shared; nil for not at all, and then which device does it
// and why.
func (r *run) choose(shares []runtime.Relation) (how *codegen.Shares, at int, reason string) {
	if input := r.f.GroupsSource(); input >= 0 {
		return nil, r.backend.holder(r.inputs[input]), "the groups that it reads lie there"
	}
	n := 0
	for i, share := range shares {
		if share != nil {
			n, at = n+1, i
		}
	}
	switch {
	case n == 0:
		return nil, 0, "its source has few rows"
	case n == 1:
		return nil, at, "its source lies there"
	}
	how, reason = codegen.ShareOut(r.f)
	if how == nil {
		return nil, 0, reason
	}
	if how.InOrder && !inOrder(r.inputs[r.f.Source.(*kernel.Scan).Input]) {
		return nil, 0, "its rows are to stay in the order of several relations"
	}
	return how, 0, how.Exchange
}

// inOrder reports whether the shares of a relation are consecutive rows of it.
func inOrder(rel any) bool {
	if _, ok := rel.(*relation); ok {
		return true
	}
	composed, ok := rel.(runtime.Composed)
	return !ok || len(composed.Parts()) == 1 && inOrder(composed.Parts()[0].Rel)
}

// local has each device that has a share run a kernel over it, and returns what they made in
// the order of the devices.
func (r *run) local(f *kernel.Func, shares []runtime.Relation) ([]runtime.Output, error) {
	return r.localOf(r.inputs, f, shares)
}

// localOf is local with other inputs than those of the kernel at hand.
func (r *run) localOf(all []any, f *kernel.Func, shares []runtime.Relation) ([]runtime.Output, error) {
	source := f.Source.(*kernel.Scan).Input
	var at []int
	for i, share := range shares {
		if share != nil {
			at = append(at, i)
		}
	}
	return r.parallel(at, f, func(i int) []any {
		inputs := r.inputsOf(i, all)
		inputs[source] = shares[i]
		return inputs
	})
}

// everywhere has each device run a kernel over the same inputs.
func (r *run) everywhere(f *kernel.Func, inputs []any) ([]runtime.Output, error) {
	return r.parallel(r.all(), f, func(i int) []any { return r.inputsOf(i, inputs) })
}

// all are the places of all devices.
func (r *run) all() []int {
	at := make([]int, len(r.backend.members))
	for i := range at {
		at[i] = i
	}
	return at
}

// alone has one device run a kernel.
func (r *run) alone(at int, f *kernel.Func, inputs []any) (runtime.Output, error) {
	made, err := r.parallel([]int{at}, f, func(i int) []any { return r.inputsOf(i, inputs) })
	if err != nil {
		return nil, err
	}
	return made[0], nil
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

// parallel has devices run a kernel at the same time, each over inputs of its own.
func (r *run) parallel(at []int, f *kernel.Func, inputs func(i int) []any) ([]runtime.Output, error) {
	made, metrics, errs := make([]runtime.Output, len(at)), make([]runtime.Metrics, len(at)), make([]error, len(at))
	one := func(k int) {
		m := r.backend.members[at[k]]
		defer fault.Guard()(&errs[k])
		made[k], metrics[k], errs[k] = m.run(r.ctx, f, inputs(at[k]), r.opts)
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
