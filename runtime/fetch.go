package runtime

import (
	"context"
	"errors"
	goruntime "runtime"
	"slices"
	"sync"

	"github.com/cubeloom/cubeloom/runtime/fault"
)

// Fetch copies all rows of rel, the result of a query, to the host, where some are on a
// device, and frees what they take there. Parts of rel are fetched at the same time: memory
// is taken for one, and another decoded, while a third leaves the device. It ends with the
// cause of the context when that ends.
func Fetch(ctx context.Context, rel Relation) error {
	parts := []ViewPart{{Rel: rel}}
	if c, ok := rel.(Composed); ok {
		parts = c.Parts()
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	errs := make([]error, len(parts))
	places := make(chan struct{}, goruntime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for i := range parts {
		places <- struct{}{}
		group.Go(func() {
			defer func() { <-places }()
			var err error
			if errs[i] = errors.Join(fault.Call(func() { err = parts[i].fetch(ctx) }), err); errs[i] != nil {
				stop(errs[i])
			}
		})
	}
	group.Wait()
	if slices.ContainsFunc(errs, func(err error) bool { return err != nil }) {
		return context.Cause(ctx)
	}
	for _, part := range parts {
		if r, ok := part.Rel.(Resident); ok {
			r.LeaveDevice()
		}
	}
	return nil
}

// fetch copies the rows of a part to the host.
func (p *ViewPart) fetch(ctx context.Context) error {
	all := make([]int, len(p.types()))
	for o := range all {
		all[o] = o
	}
	if p.Cols != nil {
		all = p.sources(all)
	}
	for i := range p.Rel.Blocks() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if _, err := p.Rel.Load(i, all); err != nil {
			return err
		}
	}
	return nil
}
