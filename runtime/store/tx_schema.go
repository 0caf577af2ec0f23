package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// CreateSchema makes a schema of a role. It fails with 42P06 where there is one of the name.
func (tx *Tx) CreateSchema(ctx context.Context, name string, owner access.OID) error {
	if err := tx.lock(ctx, schemaLock+name, false); err != nil {
		return err
	}
	if tx.Access().HasSchema(name) {
		return value.Errorf(value.CodeDuplicateSchema, "schema %q already exists", name)
	}
	return tx.regrant(ctx, access.SchemaObject(name), func(state *access.State, _ *access.Grants) (*access.Grants, error) {
		if g := state.Created(access.Schema, "", owner); g != nil {
			return g, nil
		}
		return &access.Grants{Owner: owner}, nil
	})
}

// DropSchema removes a schema. It fails with 2BP01 where something is in it, which cascade
// removes too, with what depends on that.
func (tx *Tx) DropSchema(ctx context.Context, name string, cascade bool) (err error) {
	defer sqlstate.Catch(&err)
	sqlstate.Check(tx.lock(ctx, schemaLock+name, false))
	within, seen := map[Kind][]string{}, map[string]bool{}
	objects := slices.DeleteFunc(overlay(tx.cat.State(), &tx.changes).Objects(), func(o Object) bool { return o.Schema() != name })
	for _, o := range objects {
		within[KindOf(o)] = append(within[KindOf(o)], KeyOf(o))
		seen[KeyOf(o)] = true
	}
	var lines []string
	for _, o := range objects {
		lines = append(lines, fmt.Sprintf("%s %s depends on schema %s", KindOf(o), tx.written(o), name))
		lines = append(lines, tx.Dependents([]string{KeyOf(o)}, seen)...)
	}
	if lines = slices.Concat(lines, tx.typed(seen), tx.leftReferences(seen)); len(lines) > 0 && !cascade {
		return StillRead("schema "+name, lines)
	}
	for _, kind := range []Kind{KindTable, KindView, KindMaterialized, KindHierarchy, KindSequence, KindFunction, KindType} {
		keys := slices.DeleteFunc(within[kind], func(key string) bool { return tx.State().Lookup(key) == nil })
		sqlstate.Check(tx.Drop(ctx, kind, keys, true))
	}
	tx.forgetSchema(ctx, name, "")
	return nil
}

// RenameSchema gives a schema another name. Move gives what is in it other keys. It fails with
// 42P06 where there is a schema of the name.
func (tx *Tx) RenameSchema(ctx context.Context, from, to string, move func(keys []string)) (err error) {
	defer sqlstate.Catch(&err)
	for _, name := range []string{from, to} {
		sqlstate.Check(tx.lock(ctx, schemaLock+name, false))
	}
	if tx.Access().HasSchema(to) {
		return value.Errorf(value.CodeDuplicateSchema, "schema %q already exists", to)
	}
	grants := tx.Access().Grants(access.SchemaObject(from))
	sqlstate.Check(tx.regrant(ctx, access.SchemaObject(to), func(*access.State, *access.Grants) (*access.Grants, error) { return grants, nil }))
	var keys []string
	for _, o := range tx.State().Objects() {
		if o.Schema() == from {
			keys = append(keys, KeyOf(o))
		}
	}
	move(keys)
	tx.forgetSchema(ctx, from, to)
	return nil
}

// forgetSchema removes what there is of an empty schema. Default privileges in it are from now on
// those in the schema to; "" for none.
func (tx *Tx) forgetSchema(ctx context.Context, name, to string) {
	if tx.Access().HasDefaultsIn(name) {
		sqlstate.Check(tx.ChangeRoles(ctx, func(s *access.State) (*access.Roles, error) { return s.WithSchema(name, to), nil }))
	}
	tx.disown(ctx, access.SchemaObject(name))
}
