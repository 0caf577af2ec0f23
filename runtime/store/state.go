package store

import (
	"maps"
	"slices"
	"sync"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/access"
)

// State is the tables and views of a catalog at one moment, and who may do what with
// them. It never changes.
type State struct {
	objects map[string]Object
	access  *access.State
	// reader is the transaction that is told what is looked up; nil: nobody is.
	reader *serial
	memo   Memo
	// functions are those of each schema and name, once somebody has asked for one.
	functions struct {
		once  sync.Once
		named map[string][]*Function
	}
	// types are those that statements have made, by name and by OID, once somebody has asked for one.
	types struct {
		once  sync.Once
		list  []algebra.UserType
		byOID map[uint32]algebra.UserType
	}
}

// Memo returns what keeps things that are made of the state; nil where somebody is told
// what is looked up in it, who has to be told each time.
func (s *State) Memo() *Memo {
	if s.reader != nil {
		return nil
	}
	return &s.memo
}

// NewState makes a state of objects of different names. Who may do what with them is
// as in a new database.
func NewState(objects []Object) *State {
	s := &State{objects: make(map[string]Object, len(objects)), access: access.NewState()}
	for _, o := range objects {
		s.objects[KeyOf(o)] = o
	}
	return s
}

// Lookup finds a table or view, or returns nil.
func (s *State) Lookup(name string) Object {
	if s.reader != nil && !IsTemporary(name) {
		s.reader.read(name)
	}
	return s.objects[name]
}

// Resolve finds what a possibly qualified name stands for, case already folded: without
// a schema it is looked up in those of a path, in their order. It returns nil where there
// is nothing.
func (s *State) Resolve(name, path []string) Object { return s.resolve(name, path, KeyIn) }

// resolve is Resolve of objects of such keys.
func (s *State) resolve(name, path []string, key func(schema, name string) string) Object {
	switch len(name) {
	case 2:
		return s.Lookup(key(name[0], name[1]))
	case 1:
		for _, schema := range path {
			if o := s.Lookup(key(schema, name[0])); o != nil {
				return o
			}
		}
	}
	return nil
}

// Access says who may do what.
func (s *State) Access() *access.State { return s.access }

// With is the state with further objects.
func (s *State) With(objects []Object) *State {
	made := &changes{objects: map[string]Object{}}
	for _, o := range objects {
		made.objects[KeyOf(o)] = o
	}
	return overlay(s, made)
}

// WithAccess is the state with other rules of who may do what.
func (s *State) WithAccess(a *access.State) *State {
	return &State{objects: s.objects, access: a, reader: s.reader}
}

// Objects are all tables and views, by name.
func (s *State) Objects() []Object {
	if s.reader != nil {
		s.reader.read(catalogTarget)
	}
	out := make([]Object, 0, len(s.objects))
	for _, name := range slices.Sorted(maps.Keys(s.objects)) {
		out = append(out, s.objects[name])
	}
	return out
}

// Dependents are the views that read name, by name; of materialized ones, their queries.
func (s *State) Dependents(name string) []*View {
	var out []*View
	for _, o := range s.Objects() {
		if v := QueryOf(o); v != nil && slices.Contains(v.Depends, name) {
			out = append(out, v)
		}
	}
	return out
}

// changes are what a transaction has changed so far.
type changes struct {
	objects  map[string]Object // nil for a dropped name
	access   access.Changes
	deferral deferral
}

// clone is a copy that can be changed.
func (c *changes) clone() changes {
	return changes{maps.Clone(c.objects), c.access.Clone(), c.deferral.clone()}
}

func (c *changes) empty() bool { return len(c.objects) == 0 && c.access.Empty() }

// overlay is base with changes.
func overlay(base *State, made *changes) *State {
	if made.empty() {
		return base
	}
	next := &State{objects: base.objects, access: base.access.With(&made.access)}
	if len(made.objects) > 0 {
		next.objects = maps.Clone(base.objects)
	}
	for name, o := range made.objects {
		if o == nil {
			delete(next.objects, name)
		} else {
			next.objects[name] = o
		}
	}
	return next
}
