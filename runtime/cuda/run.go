package cuda

import (
	"time"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// close frees what the run alone has used.
func (r *run) close() {
	for i := range r.inputs {
		r.inputs[i].release()
	}
	r.temp.release()
	for _, held := range r.borrowed {
		held.release()
	}
	if r.source != nil {
		r.source.close()
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
	if err := r.chooseForms(); err != nil {
		return nil, err
	}
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
