package cuda

import (
	"context"
	"errors"
	"time"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// DefaultCompileLimit is well above what the compiler takes for any kernel on a
// machine that is busy.
const DefaultCompileLimit = 2 * time.Minute

// DefaultFewSourceRows is up to how many rows a pass that only counts them costs less
// than room that is too large.
const DefaultFewSourceRows = 1 << 20

// New makes a backend for a device. What depends on the entries of dictionaries
// alone is computed by cpu.
func New(device Device, cpu runtime.Backend, opts Options) *Backend {
	if opts.FewSourceRows == 0 {
		opts.FewSourceRows = DefaultFewSourceRows
	}
	if opts.CompileLimit == 0 {
		opts.CompileLimit = DefaultCompileLimit
	}
	info := device.Info()
	if opts.Target == nil {
		opts.Target = aggregate.Target(machine.Of(info.Name, info.Bandwidth, info.HostLink))
	}
	target := *opts.Target
	target.NoLaunches = info.NoLaunches
	opts.Target = &target
	mem := newMemory(device, 0)
	b := &Backend{
		device: device, cpu: cpu, mem: mem, opts: opts,
		copying: newLane(1, maxWaitingCopies), columns: newColumns(device, mem), entries: newDictionaryCache(mem), modules: newModules(device, &opts),
	}
	b.pinned = newPinnedColumns(device, opts.PageLocked, &b.mu)
	mem.copyTexts = b.copyTexts
	return b
}

// Name implements runtime.Backend.
func (b *Backend) Name() string { return "cuda" }

// Info describes the device.
func (b *Backend) Info() Info { return b.device.Info() }

// PageLocked is how much page-locked memory of the host keeps columns, in bytes.
func (b *Backend) PageLocked() int64 { return b.pinned.used.Load() }

// Holds reports whether the rows of a relation lie on the device, as a kernel has made them.
func (b *Backend) Holds(rel runtime.Relation) bool {
	r, ok := rel.(*relation)
	return ok && r.mem == b.mem
}

// Target is what kernels are rendered for.
func (b *Backend) Target() *cudagen.Target { return b.opts.Target }

// Run implements runtime.Backend. Relations may come from anywhere, hash tables
// from this backend. The error is a *cudagen.Refusal for a kernel that has no
// device code, and ErrOutOfMemory where the device has no room for it.
func (b *Backend) Run(ctx context.Context, f *kernel.Func, inputs []any, opts *runtime.RunOptions) (runtime.Output, runtime.Metrics, error) {
	started := time.Now()
	loaded, err := b.load(ctx, f, inputs)
	if err != nil {
		return nil, runtime.Metrics{}, err
	}
	b.waiting.Add(1)
	b.mu.Lock()
	b.waiting.Add(-1)
	defer b.mu.Unlock()
	out, metrics, err := b.attempt(ctx, f, loaded, opts, started, false)
	releaseSent(loaded)
	if errors.Is(err, ErrOutOfMemory) && canStream(f, loaded) {
		out, metrics, err = b.attempt(ctx, f, loaded, opts, started, true)
	}
	return out, metrics, err
}

// attempt runs a kernel whose inputs are loaded; its source is streamed where it
// does not fit, or in any case.
func (b *Backend) attempt(ctx context.Context, f *kernel.Func, loaded []loadedInput, opts *runtime.RunOptions,
	started time.Time, streams bool) (runtime.Output, runtime.Metrics, error) {
	r := &run{
		backend: b, ctx: ctx, f: f, opts: opts, streams: streams, temp: b.mem.newBuffers(), parameters: opts.Launch,
	}
	defer r.close()
	defer b.mem.own(b.mem.own(opts.Account))
	b.mem.peak = opts.Account.HoldOnDevice(0)
	r.lap(&r.metrics.Host.Bind, started)
	out, err := r.execute(loaded)
	if err != nil {
		return nil, runtime.Metrics{}, err
	}
	r.metrics.Time = time.Since(started)
	r.metrics.DevicePeak = b.mem.peak + r.cachedBytes()
	return out, r.metrics, nil
}
