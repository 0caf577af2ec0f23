package store

import (
	"context"
	"maps"

	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// The names under which transactions lock roles and what is granted on an object. No
// table has such a name.
const (
	rolesLock  = "\x00roles"
	grantsLock = "\x00grants"
)

// ChangeRoles replaces the roles by what change makes of them. Other transactions wait
// until this one ends.
func (tx *Tx) ChangeRoles(ctx context.Context, change func(*access.State) (*access.Roles, error)) error {
	if err := tx.lock(ctx, rolesLock, false); err != nil {
		return err
	}
	next, err := change(tx.Access())
	if err == nil {
		tx.changes.access.Roles = next
	}
	return err
}

// ChangeGrants replaces the owner and privileges of an object by what change makes of
// them; nil are those of an object that nobody was said to own. It fails with 42P01
// for a relation that there is not.
func (tx *Tx) ChangeGrants(ctx context.Context, o access.Object, change func(*access.State, *access.Grants) (*access.Grants, error)) error {
	if err := tx.lock(ctx, grantsLock+"\x00"+string(o.Kind)+"\x00"+o.Name, false); err != nil {
		return err
	}
	if o.Kind == access.Schema {
		if err := tx.lockSchema(ctx, o.Name); err != nil && !access.IsSystemSchema(o.Name) {
			return err
		}
	}
	if (o.Kind == access.Relation || o.Kind == access.Sequence) && tx.State().Lookup(o.Name) == nil {
		return value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", NameOf(o.Name))
	}
	return tx.regrant(ctx, o, change)
}

// regrant is ChangeGrants of an object that need not be there.
func (tx *Tx) regrant(ctx context.Context, o access.Object, change func(*access.State, *access.Grants) (*access.Grants, error)) (err error) {
	defer sqlstate.Catch(&err)
	sqlstate.Check(tx.lock(ctx, grantsLock+"\x00"+string(o.Kind)+"\x00"+o.Name, false))
	state := tx.Access()
	next := sqlstate.Must(change(state, state.Grants(o)))
	if tx.changes.access.Grants == nil {
		tx.changes.access.Grants = map[access.Object]*access.Grants{}
	}
	tx.changes.access.Grants[o] = next
	return nil
}

// relation is a table or view as package access knows it.
func relation(name string) access.Object { return AccessTo(KindTable, name) }

// AccessTo is an object of a kind as package access knows it.
func AccessTo(kind Kind, name string) access.Object {
	switch kind {
	case KindSequence:
		return access.Object{Kind: access.Sequence, Name: name}
	case KindType:
		return access.Object{Kind: access.Type, Name: name}
	case KindFunction:
		return access.Object{Kind: access.Function, Name: name}
	}
	return access.Object{Kind: access.Relation, Name: name}
}

// own makes the transaction's owner that of an object that it creates. A view that is
// replaced keeps its owner and privileges.
func (tx *Tx) own(ctx context.Context, o Object, replace bool) {
	key := KeyOf(o)
	if IsTemporary(key) || replace && (IsKind(o, KindView) || IsKind(o, KindFunction)) && tx.State().Lookup(key) != nil {
		return
	}
	owner := tx.Owner
	if owner == 0 {
		owner = access.Bootstrap
	}
	object := AccessTo(KindOf(o), key)
	grants := tx.Access().Created(object.Kind, SchemaOf(key), owner)
	if grants == nil && tx.Access().Plain(object) {
		return
	}
	sqlstate.Check(tx.regrant(ctx, object, func(*access.State, *access.Grants) (*access.Grants, error) { return grants, nil }))
}

// disown forgets what is granted on an object that is dropped.
func (tx *Tx) disown(ctx context.Context, o access.Object) {
	if tx.Access().Plain(o) {
		return
	}
	sqlstate.Check(tx.regrant(ctx, o, func(*access.State, *access.Grants) (*access.Grants, error) { return nil, nil }))
}

// moveGrants moves what is granted on an object to another name.
func (tx *Tx) moveGrants(ctx context.Context, from, to access.Object) {
	state := tx.Access()
	if state.Plain(from) {
		return
	}
	grants := state.Grants(from)
	tx.disown(ctx, from)
	sqlstate.Check(tx.regrant(ctx, to, func(*access.State, *access.Grants) (*access.Grants, error) { return grants, nil }))
}

// RenameColumn moves what is granted on a column, and its comment, to the column's new
// name; "" where it is dropped.
func (tx *Tx) RenameColumn(ctx context.Context, table, from, to string) error {
	if g := tx.Access().Grants(relation(table)); g.Columns[from] == nil && g.ColumnComments[from] == "" {
		return nil
	}
	return tx.regrant(ctx, relation(table), func(_ *access.State, g *access.Grants) (*access.Grants, error) {
		next := *g
		next.Columns, next.ColumnComments = renamed(g.Columns, from, to), renamed(g.ColumnComments, from, to)
		return &next, nil
	})
}

// renamed is a map with a key under another name, or without it where that is "".
func renamed[V any](m map[string]V, from, to string) map[string]V {
	v, ok := m[from]
	if !ok {
		return m
	}
	m = maps.Clone(m)
	delete(m, from)
	if to != "" {
		m[to] = v
	}
	return m
}

// Serialize is Pin for a transaction that is to have a place in a serial order
// of all such: what it looks up and changes is watched, and Err fails once it
// has to give way to others. One that says that it only reads is watched no
// longer than others can still harm it; with deferrable Serialize returns when
// none can, or with ctx's error when ctx ends.
func (tx *Tx) Serialize(ctx context.Context, readOnly, deferrable bool) error {
	m := &tx.cat.serial
	for {
		m.mu.Lock()
		tx.pinned = tx.cat.State()
		tx.serial = m.register(readOnly)
		m.mu.Unlock()
		if !readOnly || !deferrable {
			return nil
		}
		select {
		case <-tx.serial.decided:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if tx.serial.safe {
			return nil
		}
		tx.unwatch()
	}
}

// unwatch has the serializer forget a transaction that does not commit.
func (tx *Tx) unwatch() {
	if tx.serial == nil {
		return
	}
	m := &tx.cat.serial
	m.mu.Lock()
	defer m.mu.Unlock()
	if tx.serial.commit == 0 {
		m.finish(tx.serial, false)
	}
	tx.serial = nil
}

// Err is the error of 40001 with which a transaction that Serialize began has to
// end, since it would not fit in a serial order with others; nil for none.
func (tx *Tx) Err() error {
	if tx.serial == nil {
		return nil
	}
	return tx.serial.err()
}
