package cuda

import (
	"context"
	"time"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// run is one execution of a kernel. It is used by who holds the device.
type run struct {
	backend  *Backend
	ctx      context.Context
	f        *kernel.Func
	opts     *runtime.RunOptions
	inputs   []input
	module   *cudagen.Module
	code     Code
	words    []uint64              // the parameter of the kernel's entries
	temp     *buffers              // freed at the end
	borrowed []*buffers            // of caches, one share each
	dicts    []*runtime.Dictionary // by kernel.DictID
	maps     []*mapTable
	texts    []*buffers // that values of the kernel may refer to
	metrics  runtime.Metrics

	streams    bool          // the source is to be streamed, even where it seems to fit
	feed       *feed         // of the source, where it is streamed
	linkBefore time.Duration // what the link had been busy before the run
	observed
}

// close frees what the run alone has used.
func (r *run) close() {
	for i := range r.inputs {
		r.inputs[i].release()
	}
	r.temp.release()
	for _, held := range r.borrowed {
		held.release()
	}
	if r.feed != nil {
		r.feed.close()
	}
}

// execute binds the inputs, renders and loads the kernel and carries its launch plan
// out, or that of another rendering where it says so.
func (r *run) execute(loaded []loadedInput) (runtime.Output, error) {
	started := time.Now()
	if err := r.bind(loaded); err != nil {
		return nil, err
	}
	r.lap(&r.metrics.Host.Bind, started)
	r.metrics.RowsIn = r.sourceRows()
	r.startProgress()
	out, room, err := r.attempt(renderPlain, 0)
	if err == nil && out == nil {
		out, _, err = r.attempt(renderChain, room)
	}
	if err != nil {
		return nil, err
	}
	r.endProgress()
	return out, r.tell()
}

// attempt renders and loads the kernel and carries its launch plan out.
func (r *run) attempt(how rendering, counted int64) (out runtime.Output, room int64, err error) {
	if err := r.render(how); err != nil {
		return nil, 0, err
	}
	started, waited := time.Now(), r.metrics.Host.Wait
	defer func() { r.metrics.Host.Launch += time.Since(started) - (r.metrics.Host.Wait - waited) }()
	if err := r.bindWords(); err != nil {
		return nil, 0, err
	}
	return r.interpret(counted)
}

// render finds the kernel rendered and loaded, or does that.
func (r *run) render(how rendering) error {
	started := time.Now()
	m, _ := r.backend.modules.get(how, r.f, r.shapes())
	if m.err != nil {
		return m.err
	}
	r.module = m.rendered.For(m.of, r.f)
	started = r.lap(&r.metrics.Host.Render, started)
	var err error
	r.code, err = r.load(m)
	r.lap(&r.metrics.Host.Compile, started)
	return err
}

// load finds a module loaded, or has it compiled. Meanwhile others use the device.
func (r *run) load(m *module) (Code, error) {
	if code := m.ready(); code != nil {
		return code, nil
	}
	owner, peak := r.backend.mem.own(nil), r.backend.mem.peak
	r.backend.mu.Unlock()
	defer func() {
		r.backend.mu.Lock()
		r.backend.mem.own(owner)
		r.backend.mem.peak = peak
	}()
	return r.backend.modules.load(r.ctx, m)
}

// lap adds the time since a moment, and gives the moment now.
func (r *run) lap(to *time.Duration, since time.Time) time.Time {
	now := time.Now()
	*to += now.Sub(since)
	return now
}

// sourceRows is the number of rows of the source.
func (r *run) sourceRows() int64 {
	switch s := r.f.Source.(type) {
	case *kernel.Scan:
		return r.inputs[s.Input].rows()
	case *kernel.Unmatched:
		return r.inputs[s.Input].rows()
	}
	return 0
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
