package store

import (
	"context"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// MoveFunction gives a function another key, which is free.
func (tx *Tx) MoveFunction(ctx context.Context, from, to string) (err error) {
	defer sqlstate.Catch(&err)
	tx.mustBe(ctx, KindFunction, from)
	sqlstate.Check(tx.lockSchema(ctx, SchemaOf(to)))
	sqlstate.Check(tx.Lock(ctx, to))
	tx.moveGrants(ctx, AccessTo(KindFunction, from), AccessTo(KindFunction, to))
	f := tx.State().Lookup(from).(*Function)
	tx.set(to, NewFunction(to, f.FunctionDef))
	tx.set(from, nil)
	return nil
}

// UsersOf says of all objects that depend on a function that they do.
func (tx *Tx) UsersOf(key string) []string {
	gone := map[string]bool{key: true}
	return append(tx.Dependents([]string{key}, map[string]bool{key: true}), tx.namers(gone)...)
}
