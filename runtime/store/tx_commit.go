package store

import (
	"context"
	"fmt"
)

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
	if !made.empty() || tx.advanced() {
		return tx.cat.publish(made, watched)
	}
	if watched != nil {
		watched.committed()
	}
	return nil
}

// advanced reports whether values that it has used are not stored yet as handed out.
func (tx *Tx) advanced() bool {
	for _, s := range tx.used {
		if s.Schema() != TemporarySchema && s.Unsaved() {
			return true
		}
	}
	return false
}

// Rollback ends the transaction; after Commit it does nothing.
func (tx *Tx) Rollback() {
	if !tx.ended {
		tx.ended = true
		tx.unwatch()
		tx.cat.locks.release(&tx.lockOwner)
	}
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

// endTemporary does to temporary tables what they ask for when a transaction commits.
func (tx *Tx) endTemporary(ctx context.Context) error {
	before := tx.Savepoint()
	for _, key := range tx.temporaries() {
		t, ok := tx.State().Lookup(key).(*Table)
		switch {
		case ok && t.def.Of != nil: // what becomes of the table that has its rows becomes of it
		case ok && t.def.OnCommit == DropTable:
			if err := tx.Drop(ctx, KindTable, []string{key}, true); err != nil {
				return err
			}
		case ok && t.def.OnCommit == DeleteRows && t.rows > 0:
			if err := tx.alikeOnCommit(key); err != nil {
				return err
			}
			if err := tx.Truncate(ctx, key); err != nil {
				return err
			}
		}
	}
	return tx.Follow(ctx, before, nil)
}
