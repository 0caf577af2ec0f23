package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom/sql/access"
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

	cat    *Catalog
	pinned *State // nil: the last committed state
	changes
	waits  *nameLock // what it waits for; guarded by the lock table
	serial *serial   // what the serializer knows of it; nil: nothing
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
	if tx.Temporary != nil {
		base = tx.Temporary.Over(base)
	}
	s := overlay(base, &tx.changes)
	if tx.serial == nil {
		return s
	}
	return &State{objects: s.objects, access: s.access, reader: tx.serial}
}

// Pin keeps what others commit from now on out of sight.
func (tx *Tx) Pin() {
	if tx.pinned == nil {
		tx.pinned = tx.cat.State()
	}
}

// Create adds a table or view. It fails with 42P07 where the name is taken,
// unless replace allows to replace an object of the same kind (else 42809).
func (tx *Tx) Create(ctx context.Context, o Object, replace bool) error {
	key := KeyOf(o)
	if err := tx.Lock(ctx, key); err != nil {
		return err
	}
	switch old := tx.State().Lookup(key); {
	case old == nil:
	case !replace:
		return value.Errorf(value.CodeDuplicateTable, "relation %q already exists", o.Name())
	case KindOf(old) != KindOf(o):
		return value.Errorf(value.CodeWrongObjectType, "%q is not a %s", o.Name(), KindOf(o))
	}
	if err := tx.LockDefinition(ctx, key, false); err != nil {
		return err
	}
	if err := tx.own(ctx, o, replace); err != nil {
		return err
	}
	tx.set(key, o)
	return nil
}

// Lock keeps other transactions from changing what a name stands for, until
// this one ends. It fails with 40001 where another has changed it after Pin.
func (tx *Tx) Lock(ctx context.Context, name string) error {
	if IsTemporary(name) {
		return nil // there are no others
	}
	return tx.lockFollowed(ctx, name)
}

// lockFollowed locks a name, and before it the hierarchies that read what it stands for:
// those who change the edges and the elements of one must wait for each other, and whoever
// changes both is not to wait for one who holds the other.
func (tx *Tx) lockFollowed(ctx context.Context, name string) error {
	for {
		followers := tx.cat.State().followers(name)
		for _, v := range followers {
			if err := tx.lockName(ctx, KeyOf(v)); err != nil {
				return err
			}
		}
		if err := tx.lockName(ctx, name); err != nil {
			return err
		}
		// Whoever held the name may have made a hierarchy of it.
		if len(tx.cat.State().followers(name)) == len(followers) {
			return nil
		}
	}
}

// lockName is Lock of a name alone.
func (tx *Tx) lockName(ctx context.Context, name string) error {
	if err := tx.cat.locks.acquire(ctx, tx, name, false); err != nil {
		return err
	}
	if _, own := tx.objects[name]; !own && tx.pinned != nil && tx.pinned.Lookup(name) != tx.cat.State().Lookup(name) {
		return value.Errorf(codeSerialization, "could not serialize access due to concurrent update")
	}
	return nil
}

// LockToDefine is Lock for those who drop what the name stands for or change how it is
// defined: nobody makes a view of it either.
func (tx *Tx) LockToDefine(ctx context.Context, name string) error {
	if err := tx.Lock(ctx, name); err != nil {
		return err
	}
	return tx.LockDefinition(ctx, name, false)
}

// codeSerialization is the SQLSTATE of transactions that cannot be put in an
// order.
const codeSerialization = "40001"

// Append starts the next version of a table; Update takes it in. It fails with
// 42P01 where there is no such relation and with 42809 where it is a view.
func (tx *Tx) Append(ctx context.Context, name string) (*Appender, error) {
	if err := tx.Lock(ctx, name); err != nil {
		return nil, err
	}
	if _, ok := tx.State().Lookup(name).(*View); ok {
		return nil, value.Errorf(value.CodeWrongObjectType, "cannot insert into %s %q", KindOf(tx.State().Lookup(name)), NameOf(name))
	}
	t, err := tx.Table(ctx, name)
	if err != nil {
		return nil, err
	}
	a := t.Append()
	a.storage, a.memory = tx.cat.storage, tx.cat.memory
	return a, nil
}

// Table locks a table and gives the version that the transaction sees. It fails
// with 42P01 where there is no such relation and with 42809 where it is a view.
func (tx *Tx) Table(ctx context.Context, name string) (*Table, error) {
	if err := tx.Lock(ctx, name); err != nil {
		return nil, err
	}
	switch o := tx.State().Lookup(name).(type) {
	case *Table:
		return o, nil
	case *View:
		return nil, value.Errorf(value.CodeWrongObjectType, "%q is not a table", NameOf(name))
	}
	return nil, value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", NameOf(name))
}

// Truncate removes all rows of a table. It fails as Table does.
func (tx *Tx) Truncate(ctx context.Context, name string) error {
	t, err := tx.Table(ctx, name)
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

// Drop removes tables or views. It fails with 42P01 where a name is not there,
// with 42809 where it is of another kind, and with 2BP01 where views that are
// not removed as well depend on it, which cascade removes too. Nothing is
// removed then.
func (tx *Tx) Drop(ctx context.Context, kind Kind, names []string, cascade bool) error {
	gone := map[string]bool{}
	for _, name := range names {
		if err := tx.mustBe(ctx, kind, name); err != nil {
			return err
		}
		gone[name] = true
	}
	for _, name := range names {
		if err := tx.dropDependents(ctx, name, cascade, gone); err != nil {
			return err
		}
	}
	for name := range gone {
		if err := tx.disown(ctx, name); err != nil {
			return err
		}
	}
	for name := range gone {
		tx.set(name, nil)
	}
	return nil
}

// mustBe locks a name and checks that it stands for an object of a kind, for
// DROP and ALTER.
func (tx *Tx) mustBe(ctx context.Context, kind Kind, name string) error {
	if err := tx.LockToDefine(ctx, name); err != nil {
		return err
	}
	switch o := tx.State().Lookup(name); {
	case o == nil:
		return value.Errorf(value.CodeUndefinedTable, "%s %q does not exist", kind, NameOf(name))
	case !IsKind(o, kind):
		return &value.Error{
			Code: value.CodeWrongObjectType, Pos: value.NoPos,
			Message: fmt.Sprintf("%q is not a %s", NameOf(name), kind),
			Hint:    fmt.Sprintf("Use DROP %s to remove a %s.", strings.ToUpper(string(KindOf(o))), KindOf(o)),
		}
	}
	return nil
}

// dropDependents adds the views that read name to gone, or fails where there
// are any and cascade is not set.
func (tx *Tx) dropDependents(ctx context.Context, name string, cascade bool, gone map[string]bool) error {
	state := tx.State()
	for _, v := range state.Dependents(name) {
		key := KeyOf(v)
		if gone[key] {
			continue
		}
		if !cascade {
			kind := KindOf(state.Lookup(name))
			return &value.Error{
				Code: value.CodeDependentObjects, Pos: value.NoPos,
				Message: fmt.Sprintf("cannot drop %s %s because other objects depend on it", kind, NameOf(name)),
				Detail:  fmt.Sprintf("%s %s depends on %s %s", KindOf(v), v.name, kind, NameOf(name)),
				Hint:    "Use DROP ... CASCADE to drop the dependent objects too.",
			}
		}
		if err := tx.LockToDefine(ctx, key); err != nil {
			return err
		}
		gone[key] = true
		if err := tx.dropDependents(ctx, key, cascade, gone); err != nil {
			return err
		}
	}
	return nil
}

// Dependents are the views that read name, by name.
func (s *State) Dependents(name string) []*View {
	var out []*View
	for _, o := range s.Objects() {
		v, ok := o.(*View)
		if !ok {
			continue
		}
		for _, d := range v.Depends {
			if d == name {
				out = append(out, v)
				break
			}
		}
	}
	return out
}

// Rename gives a table or view, by its key, another name.
func (tx *Tx) Rename(ctx context.Context, kind Kind, from, to string) error {
	if err := tx.mustBe(ctx, kind, from); err != nil {
		return err
	}
	key := to
	if IsTemporary(from) {
		key = TemporaryKey(to)
	}
	if err := tx.Lock(ctx, key); err != nil {
		return err
	}
	if tx.State().Lookup(key) != nil {
		return value.Errorf(value.CodeDuplicateTable, "relation %q already exists", to)
	}
	if err := tx.moveGrants(ctx, from, key); err != nil {
		return err
	}
	switch o := tx.State().Lookup(from).(type) {
	case *Table:
		renamed := *o
		renamed.def.Name = to
		tx.set(key, &renamed)
	case *View:
		renamed := *o
		renamed.name = to
		tx.set(key, &renamed)
	}
	tx.set(from, nil)
	return nil
}

// Savepoint is a moment of a transaction.
type Savepoint struct{ changes }

// Savepoint remembers the changes made so far.
func (tx *Tx) Savepoint() Savepoint { return Savepoint{tx.changes.clone()} }

// RollbackTo takes back what was changed after a savepoint; locks stay.
func (tx *Tx) RollbackTo(s Savepoint) { tx.changes = s.changes.clone() }

// Commit publishes the changes. Where it fails nothing of them is left, and the
// transaction has ended too.
func (tx *Tx) Commit() error {
	if tx.ended {
		return fmt.Errorf("store: the transaction has ended")
	}
	defer tx.Rollback()
	if err := tx.endTemporary(context.Background()); err != nil {
		return err
	}
	private, public := tx.split()
	if err := tx.publish(public); err != nil {
		return err
	}
	if len(private) > 0 {
		tx.Temporary.take(private)
	}
	return nil
}

// publish shows all what the transaction has changed.
func (tx *Tx) publish(made *changes) error {
	watched := tx.serial
	if watched != nil {
		if err := watched.prepare(); err != nil {
			return err
		}
	}
	if !made.empty() {
		return tx.cat.publish(made, watched)
	}
	if watched != nil {
		watched.committed()
	}
	return nil
}

// Rollback ends the transaction; after Commit it does nothing.
func (tx *Tx) Rollback() {
	if !tx.ended {
		tx.ended = true
		tx.unwatch()
		tx.cat.locks.release(tx)
	}
}
