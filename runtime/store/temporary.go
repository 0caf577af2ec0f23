package store

import (
	"maps"
)

// Temporary is the temporary tables and views of a session: nobody else sees them, and
// they are never stored. The zero value has none. One transaction at a time may use it.
type Temporary struct{ objects map[string]Object }

// Over is a state with the session's temporary objects.
func (t *Temporary) Over(s *State) *State {
	if len(t.objects) == 0 {
		return s
	}
	return overlay(s, &changes{objects: t.objects})
}

// take makes what a transaction has changed of temporary objects last.
func (t *Temporary) take(made map[string]Object) {
	next := maps.Clone(t.objects)
	if next == nil {
		next = map[string]Object{}
	}
	for key, o := range made {
		if o == nil {
			delete(next, key)
		} else {
			next[key] = o
		}
	}
	t.objects = next
}
