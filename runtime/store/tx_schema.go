package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/sql/access"
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
// removes too, with what depends on that. Written is what messages call an object.
func (tx *Tx) DropSchema(ctx context.Context, name string, cascade bool, written func(Object) string) error {
	if err := tx.lock(ctx, schemaLock+name, false); err != nil {
		return err
	}
	within := map[Kind][]string{}
	var lines []string
	for _, o := range overlay(tx.cat.State(), &tx.changes).Objects() {
		if o.Schema() == name {
			within[KindOf(o)] = append(within[KindOf(o)], KeyOf(o))
			lines = append(lines, fmt.Sprintf("%s %s depends on schema %s", KindOf(o), written(o), name))
		}
	}
	if len(lines) > 0 && !cascade {
		return &value.Error{
			Code: value.CodeDependentObjects, Pos: value.NoPos,
			Message: fmt.Sprintf("cannot drop schema %s because other objects depend on it", name),
			Detail:  strings.Join(lines, "\n"),
			Hint:    "Use DROP ... CASCADE to drop the dependent objects too.",
		}
	}
	for _, kind := range []Kind{KindTable, KindView, KindHierarchy, KindSequence} {
		keys := slices.DeleteFunc(within[kind], func(key string) bool { return tx.State().Lookup(key) == nil })
		if err := tx.Drop(ctx, kind, keys, true); err != nil {
			return err
		}
	}
	return tx.disown(ctx, access.SchemaObject(name))
}
