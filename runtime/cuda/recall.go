package cuda

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// recall has a hash table be made as that of the same kernel turned out to be: there is room for as many rows
// at once, and where rows had the same keys it is not tried as cells, once the kernel for that is compiled. It
// returns the module that learns from this table; nil of what is no table.
func (r *run) recall() *module {
	s, ok := r.f.Sink.(*kernel.Build)
	if !ok {
		return nil
	}
	modules := r.backend.modules
	m := modules.get(renderPlain, r.f, r.shapes())
	if rows := float64(m.rows.Load()); rows > s.Rows {
		r.f = building(r.f, rows, s.Repeats)
	}
	if m.repeats.Load() && !s.Repeats {
		repeated := building(r.f, r.f.Sink.(*kernel.Build).Rows, true)
		if of := modules.get(renderPlain, repeated, r.shapes()); of.err == nil && modules.soon(of) == nil {
			r.f = repeated
		}
	}
	return m
}

// building is a kernel that makes a table, of so many rows, of which several may have a key.
func building(f *kernel.Func, rows float64, repeats bool) *kernel.Func {
	sink, with := *f.Sink.(*kernel.Build), *f
	sink.Rows, sink.Repeats = rows, repeats
	with.Sink = &sink
	return &with
}

// learn notes what a table that was made turned out to be.
func (m *module) learn(out runtime.Output) {
	if t, ok := out.(*table); m != nil && ok {
		m.rows.Store(t.rows)
	}
}
