package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Create adds an object. It fails with 42P07 where the name is taken, of a type and by a type with 42710,
// unless replace allows to replace an object of the same kind (else 42809).
func (tx *Tx) Create(ctx context.Context, o Object, replace bool) (err error) {
	defer sqlstate.Catch(&err)
	key := KeyOf(o)
	sqlstate.Check(tx.lockSchema(ctx, SchemaOf(key)))
	sqlstate.Check(tx.Lock(ctx, key))
	kind := KindOf(o)
	if IsKind(o, KindView) {
		kind = KindView
	}
	switch old := tx.State().Lookup(key); {
	case old == nil:
		sqlstate.Check(tx.State().typeTaken(o))
	case kind == KindType:
		return errTypeTaken(o.Name())
	case kind == KindFunction && !replace:
		return value.Errorf(value.CodeDuplicateFunction, "function %q already exists with same argument types", o.Name())
	case !replace:
		return value.Errorf(value.CodeDuplicateTable, "relation %q already exists", o.Name())
	case !IsKind(old, kind):
		return value.Errorf(value.CodeWrongObjectType, "%q is not a %s", o.Name(), kind)
	}
	sqlstate.Check(tx.LockDefinition(ctx, key, false))
	if t, ok := o.(*Table); ok {
		sqlstate.Check(tx.LockTypes(ctx, t.def.Columns))
	}
	tx.own(ctx, o, replace)
	tx.set(key, o)
	return nil
}

// Drop removes objects of a kind. It fails with 42P01 where a name is not there, of a type with 42704,
// with 42809 where it is of another kind, and with 2BP01 where views or FOREIGN KEY constraints that
// are not removed as well depend on it, which cascade removes too, or columns of tables that are not
// are of such a type. Nothing is removed then.
func (tx *Tx) Drop(ctx context.Context, kind Kind, names []string, cascade bool) (err error) {
	defer sqlstate.Catch(&err)
	gone := map[string]bool{}
	named := names
	names = tx.State().WithBelow(names)
	for _, name := range names {
		tx.mustBe(ctx, kind, name)
		gone[name] = true
	}
	tx.leaveNoRows(names, gone)
	typed := tx.typed(gone)
	called := tx.namers(gone)
	lines := slices.Concat(typed, called, tx.Dependents(names, maps.Clone(gone)), tx.takers(gone), tx.leftReferences(gone))
	if len(lines) > 0 && !cascade || len(typed) > 0 || len(called) > 0 {
		what := severalObjects
		if len(named) == 1 {
			what = fmt.Sprintf("%s %s", kind, tx.written(tx.State().Lookup(named[0])))
		}
		return StillRead(what, lines)
	}
	for _, name := range names {
		tx.dropDependents(ctx, name, gone)
	}
	sqlstate.Check(tx.DropReferences(ctx, tx.referrers(gone)))
	tx.dropSequences(ctx, gone)
	for name := range gone {
		if o := tx.State().Lookup(name); o != nil {
			tx.disown(ctx, AccessTo(KindOf(o), name))
		}
	}
	for name := range gone {
		tx.set(name, nil)
	}
	return nil
}

// leaveNoRows fails where partitions go whose rows would stay, as the table that has them does.
func (tx *Tx) leaveNoRows(names []string, gone map[string]bool) {
	state := tx.State()
	for _, name := range names {
		if t, ok := state.Lookup(name).(*Table); ok && !gone[KeyOf(state.Root(t))] {
			e := value.Errorf(value.CodeFeatureNotSupported, "dropping the partition %q otherwise than by DROP TABLE is not supported", t.Name())
			e.Hint = "Drop or detach the partition first."
			panic(e)
		}
	}
}

// mustBe locks a name and checks that it stands for an object of a kind, for
// DROP and ALTER.
func (tx *Tx) mustBe(ctx context.Context, kind Kind, name string) {
	sqlstate.Check(tx.LockToDefine(ctx, name))
	switch o := tx.State().Lookup(name); {
	case o == nil && kind == KindType:
		panic(value.Errorf(value.CodeUndefinedObject, "type %q does not exist", NameOf(name)))
	case o == nil:
		panic(value.Errorf(value.CodeUndefinedTable, "%s %q does not exist", kind, NameOf(name)))
	case !IsKind(o, kind):
		panic(&value.Error{
			Code: value.CodeWrongObjectType, Pos: value.NoPos,
			Message: fmt.Sprintf("%q is not a %s", NameOf(name), kind),
			Hint:    fmt.Sprintf("Use DROP %s to remove a %s.", strings.ToUpper(string(KindOf(o))), KindOf(o)),
		})
	}
}

// dropDependents adds the views that read name, or call it, and the functions that depend on it to gone.
func (tx *Tx) dropDependents(ctx context.Context, name string, gone map[string]bool) {
	for _, v := range tx.State().Dependents(name) {
		key := KeyOf(v)
		if gone[key] {
			continue
		}
		sqlstate.Check(tx.LockToDefine(ctx, key))
		gone[key] = true
		tx.dropDependents(ctx, key, gone)
	}
	for _, f := range tx.State().functionsOn(name) {
		if !gone[f.key] {
			sqlstate.Check(tx.LockToDefine(ctx, f.key))
			gone[f.key] = true
			tx.dropDependents(ctx, f.key, gone)
		}
	}
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
func (tx *Tx) Rename(ctx context.Context, kind Kind, from, key string) (err error) {
	defer sqlstate.Catch(&err)
	tx.mustBe(ctx, kind, from)
	sqlstate.Check(tx.lockSchema(ctx, SchemaOf(key)))
	sqlstate.Check(tx.Lock(ctx, key))
	if tx.State().Lookup(key) != nil {
		return value.Errorf(value.CodeDuplicateTable, "relation %q already exists", NameOf(key))
	}
	if kind != KindSequence && tx.State().Lookup(TypeKey(SchemaOf(key), NameOf(key))) != nil {
		return errTypeTaken(NameOf(key))
	}
	if fs := tx.State().functionsOn(from); len(fs) > 0 {
		e := value.Errorf(value.CodeFeatureNotSupported, "renaming %s %s, on which a function depends, is not supported", kind, tx.written(tx.State().Lookup(from)))
		e.Detail = fmt.Sprintf("%s %s depends on it", KindFunction, tx.written(fs[0]))
		return e
	}
	of := KindOf(tx.State().Lookup(from))
	tx.moveGrants(ctx, AccessTo(of, from), AccessTo(of, key))
	tx.renameInSequences(from, key)
	switch o := tx.State().Lookup(from).(type) {
	case *Table:
		for _, p := range tx.State().Partitions(o) {
			tx.Update(p.WithOf(&PartitionOf{key, p.def.Of.Bound}))
		}
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
