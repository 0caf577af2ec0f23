package store

import (
	"context"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Follow makes the next versions of the hierarchies of what was changed after a savepoint: of
// few changes it takes about as long as elements are below them. It fails where
// that cannot be: with 23514 for edges that form a cycle, with 23503 for one to an element
// that there is not, with 23502 for a NULL and with 22003 for a weight that overflows.
func (tx *Tx) Follow(ctx context.Context, since Savepoint, m *value.Meter) (err error) {
	defer sqlstate.Catch(&err)
	if len(tx.objects) == 0 {
		return nil
	}
	state := tx.State()
	changed := func(key string) bool { return key != "" && tx.objects[key] != since.objects[key] }
	for _, v := range state.Followers("") {
		h := v.Hierarchy
		if !changed(h.Edges) && !changed(h.On) && !changed(KeyOf(v)) {
			continue
		}
		if is, err := h.isOf(ctx, state); is || err != nil {
			sqlstate.Check(err)
			continue
		}
		sqlstate.Check(tx.Lock(ctx, KeyOf(v)))
		next := *v
		next.Hierarchy = newHierarchy(h.HierarchyDef)
		next.Hierarchy.follow(ctx, h, next.Name(), state, tx.cat.memory, m)
		tx.set(KeyOf(v), &next)
	}
	return nil
}

// isOf reports whether the rows are there and those of a state.
func (h *Hierarchy) isOf(ctx context.Context, state *State) (bool, error) {
	if err := h.lock(ctx); err != nil {
		return false, err
	}
	defer h.unlock()
	return h.relation != nil && h.of == h.sources(state), nil
}
