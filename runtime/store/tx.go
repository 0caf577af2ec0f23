package store

import (
	"context"
	"slices"
	"time"

	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Tx changes tables and views of a catalog, all at once when it commits or not
// at all. What it writes is locked against other transactions by name until it
// ends; what it reads is the last committed state, or the one that it pinned,
// with its own changes. It is for one goroutine at a time, and has to be ended by
// Commit or Rollback.
type Tx struct {
	// LockTimeout is how long it waits for a lock; 0: as long as it takes.
	LockTimeout time.Duration
	// Owner is the role that owns what the transaction creates; 0: the bootstrap
	// superuser.
	Owner access.OID
	// Temporary is the temporary objects of the session that it belongs to; nil: it
	// neither sees nor makes any.
	Temporary *Temporary
	// Command is the statement that runs, as messages name it.
	Command string
	// Written is what messages call an object; nil: by its name.
	Written func(Object) string
	// Names reports whether the text of an expression calls a function, or names a type; nil: none does.
	Names func(text string, o Object) bool

	cat    *Catalog
	pinned *State // nil: the last committed state
	changes
	lockOwner
	used   map[*counter]*Sequence // those that it has had hand out values
	serial *serial                // what the serializer knows of it; nil: nothing
	number int64                  // 0: it has none yet
	ended  bool
}

// Begin starts a transaction.
func (c *Catalog) Begin() *Tx { return &Tx{cat: c, changes: changes{objects: map[string]Object{}}} }

// State is what the transaction sees now.
func (tx *Tx) State() *State {
	base := tx.cat.State()
	if tx.pinned != nil {
		base = tx.pinned.WithAccess(base.access)
	}
	s := tx.over(base)
	if tx.serial == nil {
		return s
	}
	return &State{objects: s.objects, access: s.access, reader: tx.serial}
}

// Latest is the last committed state with the transaction's own changes, whatever it has pinned.
func (tx *Tx) Latest() *State { return tx.over(tx.cat.State()) }

// over is a state with what only the transaction sees.
func (tx *Tx) over(base *State) *State {
	if tx.Temporary != nil {
		base = tx.Temporary.Over(base)
	}
	return overlay(base, &tx.changes)
}

// Access is who may do what as the transaction sees it: what others have committed,
// at every level of isolation, with its own changes.
func (tx *Tx) Access() *access.State { return tx.cat.State().access.With(&tx.changes.access) }

// Pin keeps what others commit from now on out of sight.
func (tx *Tx) Pin() {
	if tx.pinned == nil {
		tx.pinned = tx.cat.State()
	}
}

// lock holds a name of the lock table until the transaction ends, and shares others.
func (tx *Tx) lock(ctx context.Context, name string, shared bool, beside ...string) error {
	wants := []wanted{{name, shared}}
	for _, other := range beside {
		wants = append(wants, wanted{other, true})
	}
	return tx.cat.locks.acquire(ctx, &tx.lockOwner, wants, tx.LockTimeout)
}

// Lock keeps other transactions from changing what a name stands for, until
// this one ends, and the tables that it refers to: so nobody else adds rows that refer to a table
// which this one has locked. It fails with 40001 where another has changed it after Pin.
func (tx *Tx) Lock(ctx context.Context, name string) error {
	if IsTemporary(name) {
		return nil // there are no others
	}
	return tx.lockFollowed(ctx, name)
}

// NoWait is a timeout of those who do not wait for a lock.
const NoWait = time.Nanosecond

// LockAs is Lock of a table, which with shared others may hold in the same way, and those
// who change it may not.
func (tx *Tx) LockAs(ctx context.Context, name string, shared bool) error {
	if !shared || IsTemporary(name) {
		return tx.Lock(ctx, name)
	}
	return tx.lockTo(ctx, name, true)
}

// lockFollowed locks a name, and before it the hierarchies that read what it stands for:
// those who change the edges and the elements of one must wait for each other, and one who
// changes both is not to wait for one who holds the other.
func (tx *Tx) lockFollowed(ctx context.Context, name string) error {
	for {
		followers := tx.cat.State().Followers(name)
		for _, v := range followers {
			if err := tx.lockName(ctx, KeyOf(v)); err != nil {
				return err
			}
		}
		referenced := tx.referenced(name)
		if err := tx.lockTo(ctx, name, false, referenced...); err != nil {
			return err
		}
		// Whoever held the name may have made a hierarchy of it, or a FOREIGN KEY constraint.
		if len(tx.cat.State().Followers(name)) == len(followers) && slices.Equal(tx.referenced(name), referenced) {
			return nil
		}
	}
}

// referenced are the tables that the newest version of a table refers to, but for itself.
func (tx *Tx) referenced(key string) (keys []string) {
	o, own := tx.objects[key]
	if !own {
		o = tx.cat.State().objects[key]
	}
	t, ok := o.(*Table)
	if !ok {
		return nil
	}
	for _, k := range t.def.ForeignKeys {
		if k.Table != key && !slices.Contains(keys, k.Table) {
			keys = append(keys, k.Table)
		}
	}
	return keys
}

// lockName is Lock of a name alone.
func (tx *Tx) lockName(ctx context.Context, name string) error { return tx.lockTo(ctx, name, false) }

func (tx *Tx) lockTo(ctx context.Context, name string, shared bool, beside ...string) error {
	if err := tx.lock(ctx, name, shared, beside...); err != nil {
		return err
	}
	if _, own := tx.objects[name]; !own && tx.pinned != nil && tx.pinned.Lookup(name) != tx.cat.State().Lookup(name) {
		return value.Errorf(value.CodeSerializationFailure, "could not serialize access due to concurrent update")
	}
	return nil
}

// Append starts the next version of a table; Update takes it in. It fails with
// 42P01 where there is no such relation and with 42809 where it is a view.
func (tx *Tx) Append(ctx context.Context, name string) (_ *Appender, err error) {
	defer sqlstate.Catch(&err)
	sqlstate.Check(tx.Lock(ctx, name))
	o := tx.State().Lookup(name)
	if _, table := o.(*Table); o != nil && !table {
		return nil, value.Errorf(value.CodeWrongObjectType, "cannot insert into %s %q", KindOf(o), NameOf(name))
	}
	t := sqlstate.Must(tx.Table(ctx, name))
	a := t.Append()
	a.storage, a.memory = tx.cat.storage, tx.cat.memory
	return a, nil
}

// Table locks a table and returns the version that the transaction sees. It fails
// with 42P01 where there is no such relation and with 42809 where it is a view.
func (tx *Tx) Table(ctx context.Context, name string) (*Table, error) {
	if err := tx.Lock(ctx, name); err != nil {
		return nil, err
	}
	switch o := tx.State().Lookup(name).(type) {
	case *Table:
		return o, nil
	case *View, *Sequence:
		return nil, value.Errorf(value.CodeWrongObjectType, "%q is not a table", NameOf(name))
	}
	return nil, value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", NameOf(name))
}

// Truncate removes all rows of a table. It fails as Table does.
func (tx *Tx) Truncate(ctx context.Context, name string) error {
	t, err := tx.Table(ctx, name)
	if err == nil {
		err = tx.deferral.free(name, "TRUNCATE")
	}
	if err == nil && t.def.Query != nil {
		err = value.Errorf(value.CodeWrongObjectType, "%q is not a table", NameOf(name))
	}
	if err != nil {
		return err
	}
	empty, err := NewTable(t.def)
	if err == nil {
		tx.Update(empty)
	}
	return err
}

// Update replaces a table by a version that an Appender of this transaction
// made, or that stands on a table that this transaction created.
func (tx *Tx) Update(t *Table) { tx.set(KeyOf(t), t) }

// Use notes that the transaction has had a sequence hand out values, which are stored when it
// commits.
func (tx *Tx) Use(s *Sequence) {
	if tx.used == nil {
		tx.used = map[*counter]*Sequence{}
	}
	tx.used[s.counter] = s
}

// Replace replaces a sequence by a version of it.
func (tx *Tx) Replace(s *Sequence) { tx.set(KeyOf(s), s) }

// Number returns the number of the transaction, which is greater than those of all that got
// one before. The transaction gets it here.
func (tx *Tx) Number() int64 {
	if tx.number == 0 {
		tx.number = tx.cat.numbered.Add(1)
	}
	return tx.number
}

// NumberIfAny returns the number of a transaction that has asked for it or changed something,
// and 0 for any other.
func (tx *Tx) NumberIfAny() int64 {
	if tx.number == 0 && tx.changes.empty() {
		return 0
	}
	return tx.Number()
}

// Savepoint is a moment of a transaction.
type Savepoint struct{ changes }

// Savepoint remembers the changes made so far.
func (tx *Tx) Savepoint() Savepoint { return Savepoint{tx.changes.clone()} }

// RollbackTo takes back what was changed after a savepoint; locks stay.
func (tx *Tx) RollbackTo(s Savepoint) {
	tx.NumberIfAny() // one that has changed something keeps its number
	tx.changes = s.changes.clone()
}

// set notes what a name stands for from now on; nil: nothing.
func (tx *Tx) set(name string, o Object) {
	if tx.serial != nil && !IsTemporary(name) {
		tx.serial.write(name)
		old, own := tx.objects[name]
		if !own {
			old = tx.pinned.objects[name]
		}
		if !sameDefinition(old, o) {
			tx.serial.write(catalogTarget)
		}
	}
	tx.objects[name] = o
}

// sameDefinition reports whether two objects are versions of a table that differ
// in nothing but their rows: such versions share the slices of the definition.
func sameDefinition(a, b Object) bool {
	t, ok := a.(*Table)
	u, other := b.(*Table)
	return ok && other && t.def.Name == u.def.Name && t.def.Query == u.def.Query && sameSlice(t.def.Columns, u.def.Columns) && sameSlice(t.def.Keys, u.def.Keys) &&
		sameSlice(t.def.Checks, u.def.Checks) && sameSlice(t.def.ForeignKeys, u.def.ForeignKeys) &&
		t.def.By == u.def.By && t.def.Of == u.def.Of
}

// Stage makes an appender of a table that belongs to no catalog: it passes what is
// appended on to take, some blocks at a time, and keeps none of it. PassOn passes on what
// is left at the end. Its Rows are those that it holds.
func (tx *Tx) Stage(def Definition, take func(*Table) error) (*Appender, error) {
	t, err := NewTable(def)
	if err != nil {
		return nil, err
	}
	a := t.Append()
	a.memory, a.take = tx.cat.memory, take
	return a, nil
}
