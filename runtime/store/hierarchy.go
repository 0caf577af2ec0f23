package store

import (
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// NewHierarchy makes a view that is a hierarchy. Text is the query that has the same rows.
func NewHierarchy(name, text string, def HierarchyDef) *View {
	v := NewView(name, text, nil, []string{def.Edges})
	if def.On != "" && def.On != def.Edges {
		v.Depends = append(v.Depends, def.On)
	}
	v.Temporary = IsTemporary(def.Edges)
	v.Hierarchy = &Hierarchy{HierarchyDef: def}
	return v
}

// Rows are the rows of a hierarchy in the state that it is in: base, element, weight and
// distance, in the order of the first two. Their memory is charged to an account.
func (h *Hierarchy) Rows(v *View, state *State, account *runtime.Account, m *value.Meter) (*Table, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var err error
	if h.relation == nil {
		h.of = h.sources(state)
		h.relation, err = h.derive(v.name, state, account, m, allPaths)
	}
	return h.relation, err
}

// Elements are the elements of a hierarchy: element, level, leaf, children and position,
// in the order of the first. Otherwise it is as Rows.
func (h *Hierarchy) Elements(v *View, state *State, account *runtime.Account, m *value.Meter) (*Table, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var err error
	if h.elements == nil {
		h.elements, err = h.derive(v.name, state, account, m, allPlaces)
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
func (h *Hierarchy) derive(name string, state *State, account *runtime.Account, m *value.Meter, what derivation) (t *Table, err error) {
	used := m.Used()
	defer func() { m.Shrink(m.Used() - used) }()
	defer value.Catch(&err)
	s := &hierarchySource{HierarchyDef: h.HierarchyDef, name: name, what: what, account: account, meter: m}
	if err := s.open(state); err != nil {
		return nil, err
	}
	if s.element.IsString() {
		return deriveOf(s, textElements)
	}
	return deriveOf(s, wholeElements)
}

// reads reports whether a hierarchy is made of a table, by its key.
func (h *Hierarchy) reads(key string) bool { return h.Edges == key || h.On == key }

// followers are the hierarchies that some table is made into, by name; all of a state
// where key is "". Nobody is told that they were looked up.
func (s *State) followers(key string) []*View {
	var list []*View
	for _, o := range s.objects {
		if v, ok := o.(*View); ok && v.Hierarchy != nil && (key == "" || v.Hierarchy.reads(key)) {
			list = append(list, v)
		}
	}
	slices.SortFunc(list, func(a, b *View) int { return strings.Compare(a.name, b.name) })
	return list
}
