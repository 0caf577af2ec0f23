package placement

import (
	"maps"
	"slices"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
)

// find returns what is kept for a plan, or nil.
func (m *Memo) find(p *Plan) *prepared {
	if m == nil || p.backend == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if k := m.kept[p.backend.Target()]; k != nil && k.program == p.query.Program && slices.Equal(k.wanted, p.wanted) {
		return k
	}
	return nil
}

// refuses reports whether the device has refused steps of the program.
func (m *Memo) refuses() bool {
	if m == nil {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range m.kept {
		if len(k.refused) > 0 {
			return true
		}
	}
	return false
}

// keep keeps what a plan has found, once its kernels have run: until then they are to be compiled
// at the same time.
func (m *Memo) keep(p *Plan, refused map[int]refusal) {
	if m == nil || p.backend == nil || p.isNew || p.err != nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil {
		m.kept = make(map[*cudagen.Target]*prepared)
	}
	m.kept[p.backend.Target()] = &prepared{p.query.Program, slices.Clone(p.wanted), maps.Clone(p.onDevice), refused}
}
