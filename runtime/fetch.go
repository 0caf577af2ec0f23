package runtime

import (
	"context"
	"errors"
	goruntime "runtime"
	"sync"

	"github.com/cubeloom/cubeloom/runtime/fault"
)

// Fetch copies all rows of rel, the result of a query, to the host, where some are on a
// device, and frees what they take there. It ends with the cause of the context when that ends.
func Fetch(ctx context.Context, rel Relation) error {
	f := newFetches(ctx)
	defer f.giveUp()
	return f.finish(rel)
}

// fetches copies rows of a query's result to the host. Parts of it are fetched at the same time:
// memory is taken for one, and another decoded, while a third leaves the device. It is used by one
// goroutine.
type fetches struct {
	ctx    context.Context
	stop   context.CancelCauseFunc
	places chan struct{}
	group  sync.WaitGroup
}

// fetchedAtOnce is how many parts of a result are fetched at the same time. To ask for the number of cores
// takes a lock that all threads share.
var fetchedAtOnce = sync.OnceValue(func() int { return goruntime.GOMAXPROCS(0) })

// newFetches begins nothing yet. What it begins ends when the context does.
func newFetches(ctx context.Context) *fetches {
	ctx, stop := context.WithCancelCause(ctx)
	return &fetches{ctx: ctx, stop: stop, places: make(chan struct{}, fetchedAtOnce())}
}

// begin begins to copy columns of rel, whose rows are complete, as far as they are on a device.
func (f *fetches) begin(rel Relation, ordinals []int) {
	switch rel := rel.(type) {
	case Composed:
		for _, part := range rel.Parts() {
			f.begin(part.Rel, part.sources(ordinals))
		}
	case Resident:
		f.group.Go(func() {
			select {
			case f.places <- struct{}{}:
			case <-f.ctx.Done():
				return
			}
			defer func() { <-f.places }()
			var err error
			failed := fault.Call(func() { err = rel.Fetch(f.ctx, ordinals) })
			if err = errors.Join(failed, err); err != nil {
				f.stop(err)
			}
		})
	}
}

// finish copies what of rel is not on the host when all that has begun has ended, and frees what rel
// takes on devices. The error is the first one, or the cause of the context's end.
func (f *fetches) finish(rel Relation) error {
	f.group.Wait()
	all := ViewPart{Rel: rel}
	f.begin(rel, all.columns())
	f.group.Wait()
	if f.ctx.Err() != nil {
		return context.Cause(f.ctx)
	}
	leaveDevice(rel)
	return nil
}

// giveUp ends what has begun.
func (f *fetches) giveUp() {
	f.stop(nil)
	f.group.Wait()
}

// leaveDevice frees what rel takes on devices.
func leaveDevice(rel Relation) {
	switch rel := rel.(type) {
	case Composed:
		for _, part := range rel.Parts() {
			leaveDevice(part.Rel)
		}
	case Resident:
		rel.LeaveDevice()
	}
}
