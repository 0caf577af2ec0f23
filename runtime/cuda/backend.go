package cuda

import (
	"context"
	"errors"
	"sync"
	"time"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// Backend runs kernels on one device. Safe for concurrent use: the device runs
// one kernel's entries at a time.
type Backend struct {
	device  Device
	cpu     runtime.Backend
	mu      sync.Mutex // held while the device is used
	mem     *memory
	columns *columns
	locked  *lockedColumns
	entries *dictionaryCache
	modules *modules
	opts    Options
}

// Options are the limits of a Backend.
type Options struct {
	// PageLocked is how many bytes of page-locked memory of the host may keep columns
	// that are streamed, from one query to the next; 0: none.
	PageLocked int64
	// FewSourceRows is up to how many rows of a build's source are counted before
	// room is made for what is left of them; above that, room is made for as many as
	// are estimated. 0: DefaultFewSourceRows.
	FewSourceRows int64
	// CompileLimit is how long a query waits for the compiler before the kernel is
	// refused; 0: DefaultCompileLimit.
	CompileLimit time.Duration
	// OwnTurns is after how many tiles of rows a block empties the cells that its
	// threads have of their own, at the latest; 0: when they may be full.
	OwnTurns int
	// Target is what kernels are rendered for; nil: the figures of the default machine.
	Target *cudagen.Target
	// Plan, where it is set, gives the launch plan that is carried out in place of the
	// one that was made with a kernel.
	Plan func(*launch.Plan) (*launch.Plan, error)
}

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
	if opts.Target == nil {
		opts.Target = aggregate.Target(machine.Default().Device)
	}
	mem := newMemory(device, 0)
	b := &Backend{
		device: device, cpu: cpu, mem: mem, opts: opts,
		columns: newColumns(device, mem), entries: newDictionaryCache(mem), modules: newModules(device, &opts),
	}
	b.locked = newLockedColumns(device, opts.PageLocked, &b.mu)
	mem.copyTexts = b.copyTexts
	return b
}

// Name implements runtime.Backend.
func (b *Backend) Name() string { return "cuda" }

// Info describes the device.
func (b *Backend) Info() Info { return b.device.Info() }

// PageLocked is how much page-locked memory of the host keeps columns, in bytes.
func (b *Backend) PageLocked() int64 { return b.locked.taken.Load() }

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
	b.mu.Lock()
	defer b.mu.Unlock()
	out, metrics, err := b.attempt(ctx, f, loaded, opts, started, false)
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
		backend: b, ctx: ctx, f: f, opts: opts, streams: streams, temp: b.mem.newBuffers(),
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

// canceled is the error of a run whose context has ended, or nil.
func canceled(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}
