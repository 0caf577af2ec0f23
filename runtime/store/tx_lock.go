package store

import (
	"context"
	"slices"

	"github.com/cubeloom/cubeloom/sql/value"
)

// LockToDefine is Lock for those who drop what the name stands for or change how it is
// defined: nobody makes a view of it either.
func (tx *Tx) LockToDefine(ctx context.Context, name string) error {
	if err := tx.Lock(ctx, name); err != nil {
		return err
	}
	return tx.LockDefinition(ctx, name, false)
}

// LockDefinition keeps other transactions from changing how a relation is defined, and
// from dropping it, until this one ends. With shared others may do the same, and not
// without: then none may make a view of it either. It fails with 40001 where another
// has changed the definition, or made or dropped a view of it, after Pin, and, unless shared, with 55006
// where checks of the relation's rows wait for the end of the transaction.
func (tx *Tx) LockDefinition(ctx context.Context, name string, shared bool) error {
	if err := tx.deferral.free(name, tx.Command); err != nil && !shared {
		return err
	}
	if IsTemporary(name) {
		return nil // there are no others
	}
	if err := tx.lock(ctx, definitionLock+name, shared); err != nil {
		return err
	}
	if tx.pinned == nil {
		return nil
	}
	before, now := tx.pinned, tx.cat.State()
	was, is := before.Lookup(name), now.Lookup(name)
	if was != is && !sameDefinition(was, is) || !slices.Equal(before.Dependents(name), now.Dependents(name)) {
		return value.Errorf(value.CodeSerializationFailure, "could not serialize access due to concurrent update")
	}
	return nil
}

// definitionLock stands before the name of a relation where its definition is locked:
// by those who change it, each alone, and by those who make views of it.
const definitionLock = "\x00definition\x00"

// schemaLock stands before the name of a schema where that is locked: by those who create
// or drop it, each alone, and by those who put something into it.
const schemaLock = "\x00schema\x00"

// lockSchema keeps others from dropping a schema until the transaction ends. It fails with
// 3F000 where there is none of the name.
func (tx *Tx) lockSchema(ctx context.Context, name string) error {
	if name == TemporarySchema || name == Schema {
		return nil
	}
	if err := tx.lock(ctx, schemaLock+name, true); err != nil {
		return err
	}
	if !tx.Access().HasSchema(name) {
		return value.Errorf(value.CodeUndefinedSchema, "schema %q does not exist", name)
	}
	return nil
}
