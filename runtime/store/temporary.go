package store

import (
	"context"
	"maps"
)

// TemporarySchema is the name by which a session calls the schema of its temporary
// tables and views.
const TemporarySchema = "pg_temp"

// OnCommit says what becomes of a temporary table when a transaction commits.
type OnCommit string

// What becomes of temporary tables.
const (
	PreserveRows OnCommit = ""
	DeleteRows   OnCommit = "delete rows"
	DropTable    OnCommit = "drop"
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

// temporaries are the keys of the temporary objects that the transaction sees.
func (tx *Tx) temporaries() []string {
	var keys []string
	for key := range overlay(&State{objects: map[string]Object{}}, tx.private()).objects {
		keys = append(keys, key)
	}
	return keys
}

// private is what the transaction knows of temporary objects.
func (tx *Tx) private() *changes {
	made := map[string]Object{}
	if tx.Temporary != nil {
		maps.Copy(made, tx.Temporary.objects)
	}
	for key, o := range tx.objects {
		if IsTemporary(key) {
			made[key] = o
		}
	}
	return &changes{objects: made}
}

// DropTemporary drops all temporary tables and views of the session.
func (tx *Tx) DropTemporary() {
	for _, key := range tx.temporaries() {
		tx.set(key, nil)
	}
}

// endTemporary does to temporary tables what they ask for when a transaction commits.
func (tx *Tx) endTemporary(ctx context.Context) error {
	before := tx.Savepoint()
	for _, key := range tx.temporaries() {
		t, ok := tx.State().Lookup(key).(*Table)
		switch {
		case ok && t.def.OnCommit == DropTable:
			if err := tx.Drop(ctx, KindTable, []string{key}, true); err != nil {
				return err
			}
		case ok && t.def.OnCommit == DeleteRows && t.rows > 0:
			if err := tx.Truncate(ctx, key); err != nil {
				return err
			}
		}
	}
	return tx.Follow(ctx, before, nil)
}

// split parts what the transaction has changed of temporary objects from all else.
func (tx *Tx) split() (private map[string]Object, public *changes) {
	public = &changes{objects: map[string]Object{}, access: tx.changes.access}
	private = map[string]Object{}
	for key, o := range tx.objects {
		if IsTemporary(key) {
			private[key] = o
		} else {
			public.objects[key] = o
		}
	}
	return private, public
}
