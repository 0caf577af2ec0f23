package cuda

import (
	"time"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// attempt renders and loads the kernel and carries its launch plan out.
func (r *run) attempt(how rendering, counted int64) (out runtime.Output, room int64, err error) {
	if err := r.render(how); err != nil {
		return nil, 0, err
	}
	started, waited := time.Now(), r.metrics.Host.Wait+r.stood
	defer func() {
		r.metrics.Host.Launch += time.Since(started) - (r.metrics.Host.Wait + r.stood - waited)
	}()
	if err := r.bindWords(); err != nil {
		return nil, 0, err
	}
	return r.interpret(counted)
}

// render finds the kernel rendered and loaded, or does that.
func (r *run) render(how rendering) error {
	started := time.Now()
	m := r.backend.modules.get(how, r.f, r.shapes())
	if m.err != nil {
		return m.err
	}
	r.module, r.known = m.rendered.For(m.of, r.f), m
	started = r.lap(&r.metrics.Host.Render, started)
	var err error
	r.code, err = r.load(m)
	r.lap(&r.metrics.Host.Compile, started)
	return err
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
