package several

import (
	"context"
	"slices"
	"sync"

	"github.com/cubeloom/cubeloom/codegen"
	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// New makes a backend of devices, of which there is at least one, and of their host's CPU. The limits are
// those of all of them together; other options are those of each.
func New(devices []cuda.Device, cpu runtime.Backend, opts cuda.Options) *Backend {
	opts.PageLocked /= int64(len(devices))
	b := &Backend{host: cpu, cuts: newCuts()}
	for i, d := range devices {
		one := cuda.New(d, cpu, opts)
		b.members = append(b.members, &member{Member: one, cuda: one, ordinal: i})
	}
	return b
}

// Over makes a backend of what stands in for devices, which shares kernels as First has them.
func Over(cpu runtime.Backend, members ...Member) *Backend {
	b := &Backend{host: cpu, cuts: newCuts(), insists: true}
	for i, m := range members {
		b.members = append(b.members, &member{Member: m, ordinal: i})
	}
	return b
}

// First is the backend with its first n devices, all where it has fewer, which shares
// kernels whether that pays or not, but for tables of joins that each device makes sooner of all
// rows, unless it is said how rows are exchanged. With n = 0 it has all of them, and shares what pays.
func (b *Backend) First(n int) *Backend {
	if n == 0 {
		return b
	}
	first := *b
	first.members, first.insists = b.members[:min(n, len(b.members))], true
	return &first
}

// Without is the backend without a device; nil where it has no other.
func (b *Backend) Without(ordinal int) *Backend {
	left := *b
	left.members = slices.DeleteFunc(slices.Clone(b.members), func(m *member) bool { return m.ordinal == ordinal })
	if len(left.members) == 0 {
		return nil
	}
	return &left
}

// Devices is how many devices there are.
func (b *Backend) Devices() int { return len(b.members) }

// Name implements runtime.Backend.
func (b *Backend) Name() string { return b.members[0].Name() }

// Infos describe the devices.
func (b *Backend) Infos() []cuda.Info {
	return lists.Map(b.members, func(m *member) cuda.Info { return m.cuda.Info() })
}

// PageLocked is how much page-locked memory of the host keeps columns, in bytes.
func (b *Backend) PageLocked() int64 {
	n := int64(0)
	for _, m := range b.members {
		n += m.cuda.PageLocked()
	}
	return n
}

// Target is what kernels are rendered for.
func (b *Backend) Target() *cudagen.Target { return b.members[0].cuda.Target() }

// Check is that of cuda.Backend.
func (b *Backend) Check(f *kernel.Func) (isNew bool, err error) { return b.members[0].cuda.Check(f) }

// Found is that of cuda.Backend.
func (b *Backend) Found(f *kernel.Func) { b.members[0].cuda.Found(f) }

// Needs is that of cuda.Backend, over the devices that have a share of the relation.
func (b *Backend) Needs(rel runtime.Relation, cols []int) cuda.Needs {
	if len(b.members) == 1 {
		return b.members[0].cuda.Needs(rel, cols)
	}
	var needs cuda.Needs
	shares, err := b.cut(rel, cols, b.pays(rel, cols, 0))
	if shares == nil || err != nil { // an error is left for the run to find
		return b.members[0].cuda.Needs(rel, cols)
	}
	for i, share := range shares {
		if share != nil {
			n := b.members[i].cuda.Needs(share, cols)
			needs.Bytes, needs.Missing, needs.Room = needs.Bytes+n.Bytes, needs.Missing+n.Missing, needs.Room+n.Room
		}
	}
	return needs
}

// Prepare is that of cuda.Backend, on each device, for what it is likely to run of the steps.
func (b *Backend) Prepare(ctx context.Context, prog *codegen.Program, here []bool) (wait func()) {
	prog, here, _ = b.shared(prog, here)
	var group sync.WaitGroup
	for _, m := range b.members {
		group.Go(m.cuda.Prepare(ctx, prog, here))
	}
	return group.Wait
}

// CopyBehind is that of cuda.Backend, where there is one device: of several each copies its share
// when a query reads it.
func (b *Backend) CopyBehind(rel runtime.Versioned, cols []int) bool {
	return len(b.members) == 1 && b.members[0].cuda.CopyBehind(rel, cols)
}

// Close ends what the devices do behind. Queries that run go on.
func (b *Backend) Close() {
	for _, m := range b.members {
		m.cuda.Close()
	}
}

// Rendered is that of cuda.Backend, on the first device.
func (b *Backend) Rendered(ctx context.Context, prog *codegen.Program, here []bool) []*cuda.Rendered {
	return b.members[0].cuda.Rendered(ctx, prog, here)
}

// Run implements runtime.Backend. Relations may come from anywhere, hash tables from this
// backend. The error is as that of cuda.Backend; a device that is lost is a *Lost.
func (b *Backend) Run(ctx context.Context, f *kernel.Func, inputs []any, opts *runtime.RunOptions) (runtime.Output, runtime.Metrics, error) {
	if len(b.members) == 1 {
		out, m, err := b.members[0].run(ctx, f, inputs, opts)
		if b.chosen && err == nil {
			b.cuts.noteTime(f, 1, m.Time)
		}
		return out, m, err
	}
	parts := *opts
	parts.Ahead, parts.Fetches, parts.Made = false, false, nil // what devices make is put together
	r := &run{backend: b, ctx: ctx, f: f, inputs: inputs, parts: &parts, opts: opts, on: len(b.members)}
	out, err := r.execute()
	if err != nil {
		return nil, runtime.Metrics{}, err
	}
	switch out := out.(type) {
	case *table:
		out.run = r
	case runtime.Relation:
		r.groups = float64(out.Rows())
	}
	b.cuts.noteTime(f, r.on, r.metrics.Time)
	if _, groups := f.Sink.(*kernel.Aggregate); groups && r.groups > 0 {
		b.cuts.note(f, r.groups)
	}
	return out, r.metrics, nil
}
