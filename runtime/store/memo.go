package store

import "sync"

// maxMemo is how many bytes a Memo keeps at most; with more all are forgotten.
const maxMemo = 16 << 20

// Memo keeps what was made of something, such as plans of a state until the state is garbage: what
// changes the catalog or a table makes another state, with a memo of its own. It may be
// used by several goroutines.
type Memo struct {
	mu   sync.Mutex
	kept map[string]any
	held int64 // the bytes of kept
}

// Get returns what is kept under a key, or nil.
func (m *Memo) Get(key string) any {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept[key]
}

// Put keeps something of so many bytes under a key, unless it is a large part of what can
// be kept.
func (m *Memo) Put(key string, made any, bytes int64) {
	if bytes > maxMemo/8 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.held += bytes; m.held > maxMemo || m.kept == nil {
		m.kept, m.held = map[string]any{}, bytes
	}
	m.kept[key] = made
}
