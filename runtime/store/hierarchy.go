package store

import (
	"context"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// NewHierarchy makes a view that is a hierarchy. Text is the query that has the same rows.
func NewHierarchy(key, text string, def HierarchyDef) *View {
	if IsTemporary(def.Edges) {
		key = TemporaryKey(NameOf(key))
	}
	v := NewView(key, text, nil, []string{def.Edges})
	if def.On != "" && def.On != def.Edges {
		v.Depends = append(v.Depends, def.On)
	}
	v.Hierarchy = newHierarchy(def)
	return v
}

// newHierarchy makes one whose rows nobody has computed.
func newHierarchy(def HierarchyDef) *Hierarchy {
	return &Hierarchy{HierarchyDef: def, turn: make(chan struct{}, 1)}
}

// lock waits until nobody else computes rows of the hierarchy, or ctx ends.
func (h *Hierarchy) lock(ctx context.Context) error {
	select {
	case h.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (h *Hierarchy) unlock() { <-h.turn }

// Rows are the rows of a hierarchy in the state that it is in: base, element, weight and
// distance, in the order of the first two. Their memory is charged to an account. While
// others compute them it waits, until ctx ends.
func (h *Hierarchy) Rows(ctx context.Context, v *View, state *State, account *runtime.Account, m *value.Meter) (*Table, error) {
	if err := h.lock(ctx); err != nil {
		return nil, err
	}
	defer h.unlock()
	var err error
	if h.relation == nil {
		err = h.compute(v.Name(), state, nil, account, m)
	}
	return h.relation, err
}

// compute computes the rows, as far as it can of those of an older version, which may be nil.
func (h *Hierarchy) compute(name string, state *State, old *Hierarchy, account *runtime.Account, m *value.Meter) (err error) {
	h.of = h.sources(state)
	s := &hierarchySource{HierarchyDef: h.HierarchyDef, name: name, what: allPaths, old: old, account: account, meter: m}
	h.relation, err = s.derive(state)
	h.index = s.index
	return err
}

// follow computes the rows of those of an older version.
func (h *Hierarchy) follow(ctx context.Context, old *Hierarchy, name string, state *State, account *runtime.Account, m *value.Meter) {
	sqlstate.Check(old.lock(ctx))
	defer old.unlock()
	sqlstate.Check(h.compute(name, state, old, account, m))
}

// Elements are the elements of a hierarchy: element, level, leaf, children and position,
// in the order of the first. Otherwise it is as Rows.
func (h *Hierarchy) Elements(ctx context.Context, v *View, state *State, account *runtime.Account, m *value.Meter) (*Table, error) {
	if err := h.lock(ctx); err != nil {
		return nil, err
	}
	defer h.unlock()
	var err error
	if h.elements == nil {
		s := &hierarchySource{HierarchyDef: h.HierarchyDef, name: v.Name(), what: allPlaces, account: account, meter: m}
		h.elements, err = s.derive(state)
	}
	return h.elements, err
}

// sources are the tables that a state has for the hierarchy.
func (h *Hierarchy) sources(state *State) [2]Object {
	of := [2]Object{state.Lookup(h.Edges), nil}
	if h.On != "" {
		of[1] = state.Lookup(h.On)
	}
	return of
}

// derive makes a table of the edges and elements of a state. What it takes beside the
// table is charged to the meter while it works.
func (s *hierarchySource) derive(state *State) (t *Table, err error) {
	used := s.meter.Used()
	defer func() { s.meter.Shrink(s.meter.Used() - used) }()
	defer sqlstate.Catch(&err)
	sqlstate.Check(s.open(state))
	if s.element.IsString() {
		return deriveOf(s, textElements), nil
	}
	return deriveOf(s, wholeElements), nil
}

// reads reports whether a hierarchy is made of a table, by its key.
func (h *Hierarchy) reads(key string) bool { return h.Edges == key || h.On == key }

// Followers are the hierarchies that some table is made into, by name; all of a state
// where key is "". Nobody is told that they were looked up.
func (s *State) Followers(key string) []*View {
	var list []*View
	for _, o := range s.objects {
		if v, ok := o.(*View); ok && v.Hierarchy != nil && (key == "" || v.Hierarchy.reads(key)) {
			list = append(list, v)
		}
	}
	slices.SortFunc(list, func(a, b *View) int { return strings.Compare(a.key, b.key) })
	return list
}
