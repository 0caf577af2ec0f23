package store

import "sync"

// maxMemos is how many things a Memo keeps; one more, and all are forgotten.
const maxMemos = 64

// Memo keeps what was made of a state, such as plans, until the state is garbage: what
// changes the catalog or a table makes another state, with a memo of its own. It may be
// used by several goroutines.
type Memo struct {
	mu   sync.Mutex
	kept map[string]any
}

// Get returns what is kept under a key, or nil.
func (m *Memo) Get(key string) any {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept[key]
}

// Put keeps something under a key.
func (m *Memo) Put(key string, made any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.kept) >= maxMemos || m.kept == nil {
		m.kept = map[string]any{}
	}
	m.kept[key] = made
}
