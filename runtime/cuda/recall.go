package cuda

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// recall has a hash table be made as that of the same kernel turned out to be: where rows had the same
// keys it is not tried as cells, and there is room for as many rows at once. It returns the module that
// learns from this table; nil of what is no table.
func (r *run) recall() *module {
	s, ok := r.f.Sink.(*kernel.Build)
	if !ok {
		return nil
	}
	m := r.backend.modules.get(renderPlain, r.f, r.shapes())
	rows, repeats := float64(m.rows.Load()), m.repeats.Load() && !s.Repeats
	if rows > s.Rows || repeats {
		sink, with := *s, *r.f
		sink.Rows, sink.Repeats = max(rows, s.Rows), repeats || s.Repeats
		with.Sink = &sink
		r.f = &with
	}
	return m
}

// learn notes what a table that was made turned out to be.
func (m *module) learn(out runtime.Output) {
	if t, ok := out.(*table); m != nil && ok {
		m.rows.Store(t.rows)
	}
}
