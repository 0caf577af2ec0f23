package store

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Create adds a table or view. It fails with 42P07 where the name is taken,
// unless replace allows to replace an object of the same kind (else 42809).
func (tx *Tx) Create(ctx context.Context, o Object, replace bool) error {
	key := KeyOf(o)
	if err := tx.lockSchema(ctx, SchemaOf(key)); err != nil {
		return err
	}
	if err := tx.Lock(ctx, key); err != nil {
		return err
	}
	kind := KindOf(o)
	if IsKind(o, KindView) {
		kind = KindView
	}
	switch old := tx.State().Lookup(key); {
	case old == nil:
	case !replace:
		return value.Errorf(value.CodeDuplicateTable, "relation %q already exists", o.Name())
	case !IsKind(old, kind):
		return value.Errorf(value.CodeWrongObjectType, "%q is not a %s", o.Name(), kind)
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

// Drop removes tables or views. It fails with 42P01 where a name is not there,
// with 42809 where it is of another kind, and with 2BP01 where views or FOREIGN KEY constraints that
// are not removed as well depend on it, which cascade removes too. Nothing is
// removed then.
func (tx *Tx) Drop(ctx context.Context, kind Kind, names []string, cascade bool) error {
	gone := map[string]bool{}
	for _, name := range names {
		if err := tx.mustBe(ctx, kind, name); err != nil {
			return err
		}
		gone[name] = true
	}
	if lines := append(tx.Dependents(names, maps.Clone(gone)), append(tx.takers(gone), tx.leftReferences(gone)...)...); len(lines) > 0 && !cascade {
		what := severalObjects
		if len(names) == 1 {
			what = fmt.Sprintf("%s %s", kind, tx.written(tx.State().Lookup(names[0])))
		}
		return StillRead(what, lines)
	}
	for _, name := range names {
		if err := tx.dropDependents(ctx, name, gone); err != nil {
			return err
		}
	}
	if err := tx.DropReferences(ctx, tx.referrers(gone)); err != nil {
		return err
	}
	if err := tx.dropSequences(ctx, gone); err != nil {
		return err
	}
	for name := range gone {
		if o := tx.State().Lookup(name); o != nil {
			if err := tx.disown(ctx, AccessTo(KindOf(o), name)); err != nil {
				return err
			}
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

// dropDependents adds the views that read name to gone.
func (tx *Tx) dropDependents(ctx context.Context, name string, gone map[string]bool) error {
	for _, v := range tx.State().Dependents(name) {
		key := KeyOf(v)
		if gone[key] {
			continue
		}
		if err := tx.LockToDefine(ctx, key); err != nil {
			return err
		}
		gone[key] = true
		if err := tx.dropDependents(ctx, key, gone); err != nil {
			return err
		}
	}
	return nil
}

// Redefine replaces a view, or the query of a materialized one, by one with another query of the
// same columns. Its definition is locked.
func (tx *Tx) Redefine(v *View) {
	if t, ok := tx.State().Lookup(KeyOf(v)).(*Table); ok {
		tx.Update(t.Requeried(v))
		return
	}
	tx.set(KeyOf(v), v)
}

// Rename gives a table or view, which from names by its key, another key.
func (tx *Tx) Rename(ctx context.Context, kind Kind, from, key string) error {
	if err := tx.mustBe(ctx, kind, from); err != nil {
		return err
	}
	if err := tx.lockSchema(ctx, SchemaOf(key)); err != nil {
		return err
	}
	if err := tx.Lock(ctx, key); err != nil {
		return err
	}
	if tx.State().Lookup(key) != nil {
		return value.Errorf(value.CodeDuplicateTable, "relation %q already exists", NameOf(key))
	}
	of := KindOf(tx.State().Lookup(from))
	if err := tx.moveGrants(ctx, AccessTo(of, from), AccessTo(of, key)); err != nil {
		return err
	}
	tx.renameInSequences(from, key)
	switch o := tx.State().Lookup(from).(type) {
	case *Table:
		tx.set(key, o.Renamed(key))
	case *View:
		renamed := *o
		renamed.key = key
		tx.set(key, &renamed)
	case *Sequence:
		renamed := *o
		renamed.key = key
		tx.set(key, &renamed)
	}
	tx.set(from, nil)
	return tx.editReferences(ctx, from, func(k *algebra.ForeignKey) { k.Table = key })
}
