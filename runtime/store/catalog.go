package store

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/access"
)

// Schema is the one schema that tables and views live in.
const Schema = "public"

// Object is what a name of the catalog stands for: a *Table or a *View.
type Object interface {
	// Name is the object's name within the schema.
	Name() string
	object()
}

// View is a named query.
type View struct {
	name string
	// Text is the query.
	Text string
	// Columns are the names that the view was given for the query's columns;
	// nil: the query's own.
	Columns []string
	// Depends are the keys of the tables and views that the query reads.
	Depends []string
	// Temporary tells that it is the view of a session.
	Temporary bool
	// Hierarchy is what keeps the view's rows, of which Text is another way to find them;
	// nil for a plain view.
	Hierarchy *Hierarchy
}

// HierarchyDef is what CREATE HIERARCHY says: tables by their keys, and columns by their
// names. Weight is "" where all edges weigh 1, and On where the elements are those that
// edges name.
type HierarchyDef struct {
	Edges, Child, Parent string
	Weight               string `json:",omitempty"`
	On, ID               string `json:",omitempty"`
}

// Hierarchy makes a view one whose rows are kept: the closure of edges. It belongs to one
// version of the tables that it reads; a transaction that changes one of those makes the
// next (Tx.Follow). The rows are computed when they are first asked for, as they are not
// stored. Safe for concurrent use.
type Hierarchy struct {
	HierarchyDef

	mu       sync.Mutex
	of       [2]Object // the tables that relation was made of
	relation *Table
	elements *Table
}

// NewView makes a view. The caller gives the slices away.
func NewView(name, text string, columns, depends []string) *View {
	return &View{name: name, Text: text, Columns: columns, Depends: depends}
}

// Name is the view's name.
func (v *View) Name() string { return v.name }

func (*Table) object() {}
func (*View) object()  {}

// State is the tables and views of a catalog at one moment, and who may do what with
// them. It never changes.
type State struct {
	objects map[string]Object
	access  *access.State
	// reader is the transaction that is told what is looked up; nil: nobody is.
	reader *serial
	memo   Memo
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
		s.objects[o.Name()] = o
	}
	return s
}

// Lookup finds a table or view, or gives nil.
func (s *State) Lookup(name string) Object {
	if s.reader != nil && !IsTemporary(name) {
		s.reader.read(name)
	}
	return s.objects[name]
}

// Resolve finds what a possibly qualified name stands for: name, public.name or
// pg_temp.name, case already folded. A temporary object hides another one of its name.
// It gives nil where there is nothing.
func (s *State) Resolve(name []string) Object {
	switch {
	case len(name) == 2 && name[0] == TemporarySchema:
		return s.Lookup(TemporaryKey(name[1]))
	case len(name) == 2 && name[0] == Schema:
		return s.Lookup(name[1])
	case len(name) != 1:
		return nil
	}
	if o := s.Lookup(TemporaryKey(name[0])); o != nil {
		return o
	}
	return s.Lookup(name[0])
}

// Access says who may do what.
func (s *State) Access() *access.State { return s.access }

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

// Storage keeps the states of a catalog beyond the life of the process.
type Storage interface {
	// Save makes next durable, whole or not at all, and gives it back as it is
	// to be read from now on. It is called for one state after the other.
	Save(next *State) (*State, error)
	// SpillBytes is how much an appender holds in memory before it calls Spill.
	SpillBytes() int64
	// Spill moves blocks of a table that is not committed yet out of memory.
	Spill(blocks []StoredBlock) ([]StoredBlock, error)
	// Close ends the use of the storage; tables in use stay readable.
	Close() error
}

// Catalog maps names to tables and views. It is safe for concurrent use:
// readers take a State and are never blocked, writers work in a Tx.
type Catalog struct {
	state   atomic.Pointer[State]
	commit  sync.Mutex // one commit at a time
	locks   lockTable
	serial  serializer
	storage Storage // nil: in memory only
	memory  *runtime.Account
}

// Charge has the memory of tables charged to a shared account from now on: blocks that
// are in no file, and dictionaries, for as long as anybody has them. It is called
// before the catalog is used.
func (c *Catalog) Charge(account *runtime.Account) { c.memory = account }

// NewCatalog makes a catalog that starts with a state, kept by storage; nil:
// in memory only.
func NewCatalog(initial *State, storage Storage) *Catalog {
	c := &Catalog{storage: storage}
	c.state.Store(initial)
	return c
}

// State is the last committed state.
func (c *Catalog) State() *State { return c.state.Load() }

// Close closes the storage. What commits after it fails.
func (c *Catalog) Close() error {
	c.commit.Lock()
	defer c.commit.Unlock()
	if c.storage == nil {
		return nil
	}
	return c.storage.Close()
}

// changes are what a transaction has changed so far.
type changes struct {
	objects map[string]Object // nil for a dropped name
	access  access.Changes
}

// clone is a copy that can be changed.
func (c *changes) clone() changes { return changes{maps.Clone(c.objects), c.access.Clone()} }

func (c *changes) empty() bool { return len(c.objects) == 0 && c.access.Empty() }

// publish commits the changes of a transaction. What the serializer watches is told
// at the same moment as all others.
func (c *Catalog) publish(made *changes, watched *serial) error {
	c.commit.Lock()
	defer c.commit.Unlock()
	next := overlay(c.State(), made)
	if err := checkRoles(next, made); err != nil {
		return err
	}
	if c.storage != nil {
		saved, err := c.storage.Save(next)
		if err != nil {
			return err
		}
		next = saved
	}
	c.serial.mu.Lock()
	defer c.serial.mu.Unlock()
	c.state.Store(next)
	if watched != nil {
		c.serial.finish(watched, true)
	}
	return nil
}

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
