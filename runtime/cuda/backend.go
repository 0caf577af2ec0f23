package cuda

import (
	"errors"
	"slices"
	"time"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// DefaultCompileLimit is well above what the compiler takes for any kernel on a
// machine that is busy.
const DefaultCompileLimit = 2 * time.Minute

// DefaultFewSourceRows is up to how many rows a pass that only counts them costs less
// than room that is too large.
const DefaultFewSourceRows = 1 << 20

// DefaultStreams is how many runs share a device, and what brings results to the host, unless
// told: more than run kernels at the same time, since some of them wait for the host.
const DefaultStreams = 16

// DefaultRoomWait is how long a run waits for memory of the device, unless told.
const DefaultRoomWait = time.Second

// New makes a backend for a device. What depends on the entries of dictionaries
// alone is computed by cpu.
func New(device Device, cpu runtime.Backend, opts Options) *Backend {
	if opts.FewSourceRows == 0 {
		opts.FewSourceRows = DefaultFewSourceRows
	}
	if opts.CompileLimit == 0 {
		opts.CompileLimit = DefaultCompileLimit
	}
	if opts.Streams == 0 {
		opts.Streams = DefaultStreams
	}
	if opts.RoomWait == 0 {
		opts.RoomWait = DefaultRoomWait
	}
	info := device.Info()
	if opts.Target == nil {
		opts.Target = aggregate.Target(machine.Of(info.Name, info.Bandwidth, info.HostLink))
	}
	target := *opts.Target
	target.NoLaunches = info.NoLaunches
	opts.Target = &target
	mem := newMemory(device, 0, opts.Streams)
	b := &Backend{
		device: device, cpu: cpu, mem: mem, opts: opts, link: newTurns(), ahead: make(map[*runtime.Account][]*ahead), copying: newLane(1, maxWaitingCopies),
		columns: newColumns(device, mem), entries: newDictionaryCache(mem), constants: newDictionaryCache(mem), modules: newModules(device, &opts),
		pinned: newPinnedColumns(mem, opts.PageLocked),
	}
	b.constants.constants = true
	if opts.TextOffsets > 0 {
		b.columns.offsets = opts.TextOffsets
	}
	mem.copyTexts = b.copyTexts
	return b
}

// Name implements runtime.Backend.
func (b *Backend) Name() string { return "cuda" }

// Info describes the device.
func (b *Backend) Info() Info { return b.device.Info() }

// PageLocked is how much page-locked memory of the host keeps columns, in bytes.
func (b *Backend) PageLocked() int64 { return b.pinned.used.Load() }

// Holds reports whether the rows of a relation, or the cells of groups, lie on the device, as a
// kernel has made them.
func (b *Backend) Holds(made any) bool {
	switch made := made.(type) {
	case *relation:
		return made.mem == b.mem
	case *groups:
		return made.backend == b
	}
	return false
}

// Target is what kernels are rendered for.
func (b *Backend) Target() *cudagen.Target { return b.opts.Target }

// attempt runs a kernel whose inputs are loaded; its source is streamed where it
// does not fit, or in any case. What it gives is there when it returns.
func (q *request) attempt(streams bool) (runtime.Output, runtime.Metrics, error) {
	m, account := q.backend.mem, q.opts.Account
	on, err := m.hold(q.ctx, account)
	if err != nil {
		return nil, runtime.Metrics{}, err
	}
	defer on.leave()
	r := &run{
		backend: q.backend, ctx: q.ctx, f: q.f, opts: q.opts, streams: streams, queue: on, temp: m.newBuffers(), parameters: q.opts.Launch,
		standStill: q.standStill, from: on.started, passing: q.opts.Passing && slices.ContainsFunc(q.loaded, loadedInput.isMadeByHost),
	}
	defer r.close()
	defer on.own(on.own(account))
	on.peak = account.HoldOnDevice(0)
	r.lap(&r.metrics.Host.Bind, q.started)
	out, err := r.execute(q.loaded)
	if errors.Is(err, ErrOutOfMemory) {
		err = &noRoom{err, m.heldByOthers(account)}
	}
	if err != nil {
		discard(on, out)
		return nil, runtime.Metrics{}, err
	}
	if err := r.finish(out); err != nil {
		discard(on, out)
		return nil, runtime.Metrics{}, err
	}
	r.metrics.Time = time.Since(q.started) - r.stood
	r.metrics.DevicePeak = on.peak + r.cachedBytes()
	return out, r.metrics, nil
}
