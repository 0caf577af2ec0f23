package cuda

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"strings"
	"sync"
	"time"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// maxModules is how many modules are kept; when there are more all are forgotten,
// but for what the device keeps loaded.
const maxModules = 1024

// compilersPerCore is how many kernels are compiled behind for each core: a few more than there are cores then end
// with the others, and do not begin when these have ended.
const compilersPerCore = 2

func newModules(device Device, opts *Options) *modules {
	rows := &module{of: &kernel.Func{Name: "rows"}, rendered: &cudagen.Module{Source: cudagen.RowsModule()}}
	return &modules{
		device: device, target: opts.Target, sized: sizedTarget(opts.Target, device.Info()), limit: opts.CompileLimit, known: make(map[string]*module), rows: rows,
		keys: sync.Pool{New: func() any { return new([]byte) }}, behind: newLane(compilersPerCore*goruntime.GOMAXPROCS(0), maxWaitingKernels),
	}
}

// sizedTarget is a target with the sizes of memory that a device reports; nil where it has them.
func sizedTarget(t *cudagen.Target, info Info) *cudagen.Target {
	sized := *t
	sized.Device.Groups = t.Device.Groups.Sized(int64(info.SharedMemory), info.Cache)
	if sized.Device.Groups == t.Device.Groups {
		return nil
	}
	return &sized
}

// targetOf is what a rendering is for.
func (m *modules) targetOf(how rendering) *cudagen.Target {
	if how == renderReported {
		return m.sized
	}
	return m.target
}

// get returns the module of f for inputs of these shapes.
func (m *modules) get(how rendering, f *kernel.Func, shapes []cudagen.InputShape) *module {
	key := m.keys.Get().(*[]byte)
	defer m.keys.Put(key)
	*key = cudagen.AppendKey(append((*key)[:0], byte(how)), f, shapes)
	if found := m.find(*key); found != nil {
		return found
	}
	m.rendering.Lock()
	defer m.rendering.Unlock()
	if found := m.find(*key); found != nil {
		return found
	}
	found := m.render(how, f, shapes)
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.known) >= maxModules {
		clear(m.known)
	}
	m.known[string(*key)] = found
	return found
}

// find looks a module up.
func (m *modules) find(key []byte) *module {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.known[string(key)]
}

// render makes a module.
func (m *modules) render(how rendering, f *kernel.Func, shapes []cudagen.InputShape) *module {
	made := &module{of: f}
	switch how {
	case renderPlain, renderReported:
		made.rendered, made.err = m.targetOf(how).Render(f, shapes)
	case renderChain:
		made.rendered, made.err = m.target.RenderBuild(f, shapes)
	case renderSample:
		made.rendered, made.err = m.target.RenderSample(f, shapes)
	}
	if replanner, ok := m.device.(Replanner); ok && made.err == nil {
		made.rendered.Plan, made.err = replanner.Replan(made.rendered.Plan)
	}
	return made
}

// load compiles a module and loads it, unless that was done. Calls at the same time
// wait for the first one, until their context ends: a compilation cannot be stopped
// and goes on, for those that come later. Where it has not ended after the limit the
// error is a *cudagen.Refusal, at once for calls after that; and so it is where the compiler
// has not returned from others.
func (m *modules) load(ctx context.Context, of *module) (Code, error) {
	if of.ready() == nil && m.isStuck() {
		return nil, &cudagen.Refusal{Reason: m.stuckText(of)}
	}
	code, l := of.start(ctx, m.device)
	if l == nil {
		return code, nil
	}
	limit := m.limit
	if l.late.Load() {
		limit = 0
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-l.done:
		if l.err != nil {
			return nil, &CompileError{of.of.Name, l.err}
		}
		return l.code, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-timer.C:
		if !l.late.Swap(true) {
			m.stuck.Add(1)
			go func() {
				<-l.done
				m.stuck.Add(-1)
			}()
		}
		return nil, &cudagen.Refusal{Reason: m.lateText(of)}
	}
}

// CompileError is the error of a kernel that could not be compiled or loaded.
type CompileError struct {
	Kernel string
	Err    error
}

func (e *CompileError) Error() string { return e.Err.Error() }

// Unwrap returns what the device says.
func (e *CompileError) Unwrap() error { return e.Err }

// Reason is the error in a line.
func (e *CompileError) Reason() string {
	first, _, _ := strings.Cut(e.Err.Error(), "\n")
	return fmt.Sprintf("kernel %s cannot be compiled: %s", e.Kernel, first)
}

// maxStuck is from how many kernels the compiler may not return before it is given no
// others: a compilation cannot be stopped, and may keep a core for itself.
const maxStuck = 4

// isStuck reports whether the compiler is given no others.
func (m *modules) isStuck() bool { return m.stuck.Load() >= maxStuck }

// lateText says that a module has not been compiled after the limit, and stuckText that the compiler
// is not given it.
func (m *modules) lateText(of *module) string {
	return fmt.Sprintf("kernel %s has not been compiled after %v", of.of.Name, m.limit)
}

func (m *modules) stuckText(of *module) string {
	return fmt.Sprintf("kernel %s is not compiled: the compiler has not returned from %d others after %v", of.of.Name, maxStuck, m.limit)
}

// ready is the code of a module that is loaded, or nil.
func (m *module) ready() Code {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.code
}

// failed reports whether the module could not be loaded, and will not be the next time either.
func (m *module) failed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.failure != nil
}

// start returns the code of the module, or the loading that is under way.
func (m *module) start(ctx context.Context, device Device) (Code, *loading) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.code != nil || m.loading != nil {
		return m.code, m.loading
	}
	l := &loading{done: make(chan struct{})}
	m.loading = l
	go func() {
		l.code, l.err = device.Load(context.WithoutCancel(ctx), m.of.Name, m.rendered.Source)
		m.mu.Lock()
		m.code, m.loading, m.failure = l.code, nil, nil
		if l.err != nil && lasts(l.err) {
			m.failure = l.err
		}
		m.mu.Unlock()
		close(l.done)
	}()
	return nil, l
}

// Check reports whether f can be rendered, before its inputs exist: nil, or a
// *cudagen.Refusal. A kernel that passes may be refused all the same when the
// shapes of its inputs are known; of any other error its run ends. isNew reports that
// Found has not been called for a kernel like f.
func (b *Backend) Check(f *kernel.Func) (isNew bool, err error) {
	m := b.modules.get(renderPlain, f, cudagen.PlainShapes(f))
	if refusal := new(cudagen.Refusal); errors.As(m.err, &refusal) {
		return true, refusal
	}
	return !m.found.Load(), nil
}

// Found notes that a kernel like f has run.
func (b *Backend) Found(f *kernel.Func) {
	b.modules.get(renderPlain, f, cudagen.PlainShapes(f)).found.Store(true)
}

// load finds a module loaded, or has it compiled. Where the
// query does not wait for the compiler the error is a *NotCompiled.
func (r *run) load(m *module) (Code, error) {
	if code := m.ready(); code != nil {
		return code, nil
	}
	if r.opts.CompileBehind {
		if why := r.backend.modules.soonIf(m, !r.passing); why != nil {
			return nil, why
		}
	}
	return r.backend.loadModule(r.ctx, m)
}

// loadModule finds a module loaded, or has it compiled.
func (b *Backend) loadModule(ctx context.Context, m *module) (Code, error) {
	if code := m.ready(); code != nil {
		return code, nil
	}
	return b.modules.load(ctx, m)
}

// NotCompiled is the error of a kernel that its query does not wait for.
type NotCompiled struct {
	Reason string
	Coming bool // later queries find it compiled
}

func (e *NotCompiled) Error() string { return e.Reason }

// soon is why a query that does not wait for the compiler cannot use a module; nil where it is
// loaded, or its machine code is kept. One that is not compiled is compiled behind.
func (m *modules) soon(of *module) *NotCompiled { return m.soonIf(of, true) }

// soonIf is soon that only compiles where that is wanted.
func (m *modules) soonIf(of *module, compiles bool) *NotCompiled {
	of.mu.Lock()
	defer of.mu.Unlock()
	coming := &NotCompiled{"kernels are being compiled; CPU this time", true}
	switch {
	case of.code != nil:
		return nil
	case of.failure != nil:
		return &NotCompiled{Reason: (&CompileError{of.of.Name, of.failure}).Reason()}
	case of.loading != nil && of.loading.late.Load():
		return &NotCompiled{Reason: m.lateText(of)}
	case m.keeps(of):
		return nil // also where it is being loaded, which takes little
	case of.loading != nil || of.queued || !compiles:
		return coming
	case m.isStuck():
		return &NotCompiled{Reason: m.stuckText(of)}
	}
	of.queued = m.behind.add(func(ctx context.Context) {
		_, _ = m.load(ctx, of) // who looks for it next is told of the error
		of.mu.Lock()
		of.queued = false
		of.mu.Unlock()
	})
	if !of.queued {
		coming = &NotCompiled{Reason: "more kernels wait to be compiled than are noted; CPU this time"}
	}
	return coming
}

// isUsable reports whether nobody waits for the compiler who uses a module.
func (m *modules) isUsable(of *module) bool {
	return of.ready() != nil || m.keeps(of)
}

// keeps reports whether the machine code of a module is kept.
func (m *modules) keeps(of *module) bool {
	keeper, ok := m.device.(Keeper)
	return ok && keeper.Keeps(of.rendered.Source)
}

// lasts reports whether a module that could not be loaded will not be the next time either.
func lasts(failure error) bool {
	return !errors.Is(failure, ErrOutOfMemory) && !errors.Is(failure, ErrFailed) && !errors.Is(failure, ErrLost)
}
