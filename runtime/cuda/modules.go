package cuda

import (
	"context"
	"sync"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// modules keeps rendered and loaded kernels between queries. Safe for concurrent
// use.
type modules struct {
	device Device
	mu     sync.Mutex
	known  map[moduleKey]*module
	rows   *module // cudagen.RowsModule
}

// moduleKey is what a module is rendered of.
type moduleKey struct {
	how rendering
	key string // cudagen.Key
}

// rendering is a way to render a kernel.
type rendering uint8

const (
	renderPlain rendering = iota // by cudagen.Render
	renderChain                  // by cudagen.RenderBuild
)

// maxModules is how many modules are kept; when there are more all are forgotten,
// but for what the device keeps loaded.
const maxModules = 1024

// module is a rendered kernel, or why there is none.
type module struct {
	of       *kernel.Func
	rendered *cudagen.Module
	err      error

	mu   sync.Mutex // held while it is compiled
	code Code
}

func newModules(device Device) *modules {
	rows := &module{of: &kernel.Func{Name: "rows"}, rendered: &cudagen.Module{Source: cudagen.RowsModule()}}
	return &modules{device: device, known: make(map[moduleKey]*module), rows: rows}
}

// get gives the module of f for inputs of these shapes, and whether it was known.
func (m *modules) get(how rendering, f *kernel.Func, shapes []cudagen.InputShape) (found *module, known bool) {
	key := moduleKey{how, cudagen.Key(f, shapes)}
	m.mu.Lock()
	defer m.mu.Unlock()
	if found := m.known[key]; found != nil {
		return found, true
	}
	if len(m.known) >= maxModules {
		clear(m.known)
	}
	found = &module{of: f}
	if how == renderChain {
		found.rendered, found.err = cudagen.RenderBuild(f, shapes)
	} else {
		found.rendered, found.err = cudagen.Render(f, shapes)
	}
	m.known[key] = found
	return found, false
}

// load compiles the module and loads it, unless that was done. Calls at the same
// time wait for the first one.
func (m *module) load(ctx context.Context, device Device) (Code, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.code == nil {
		code, err := device.Load(ctx, m.of.Name, m.rendered.Source)
		if err != nil {
			return nil, err
		}
		m.code = code
	}
	return m.code, nil
}

// Check tells whether f can be rendered, before its inputs exist: nil, or a
// *cudagen.Refusal. A kernel that passes may be refused all the same when the
// shapes of its inputs are known. isNew tells that no kernel like f was checked
// before.
func (b *Backend) Check(f *kernel.Func) (isNew bool, err error) {
	for _, part := range cudagen.Kernels(f) {
		m, known := b.modules.get(renderPlain, part, cudagen.PlainShapes(part))
		isNew = isNew || !known
		if m.err != nil {
			return isNew, m.err
		}
	}
	return isNew, nil
}
