package placement

import (
	"maps"
	"slices"
)

// find returns what is kept for a plan, or nil.
func (m *Memo) find(p *Plan) *prepared {
	if m == nil || p.backend == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if k := m.kept; k != nil && k.program == p.query.Program && k.target == p.backend.Target() && slices.Equal(k.wanted, p.wanted) {
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
	return m.kept != nil && len(m.kept.refused) > 0
}

// keep keeps what a plan has found, once its kernels have run: until then they are to be compiled
// at the same time.
func (m *Memo) keep(p *Plan, refused map[int]refusal) {
	if m == nil || p.backend == nil || p.isNew || p.err != nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept = &prepared{p.query.Program, p.backend.Target(), slices.Clone(p.wanted), maps.Clone(p.onDevice), refused}
}
