package define

import (
	"context"
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/session/write"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// addKey runs ADD PRIMARY KEY and ADD UNIQUE.
func (a *alteration) addKey(ctx context.Context, table *store.Table, action *sql.AddKey) {
	checkStorage(action.Key.Storage, indexStorage)
	key := a.newKey(table, action)
	checkPartitionedKey(table, &key)
	columns := slices.Clone(table.Columns())
	for _, i := range key.Columns {
		if !key.Primary {
			break
		}
		if a.hasNulls(ctx, table, i) {
			panic(table.ContainsNulls(columns[i].Name))
		}
		columns[i].NotNull = true
	}
	next := table.Rekeyed(columns, append(slices.Clip(table.Keys()), key))
	last := len(next.Keys()) - 1
	checkUnique(ctx, a.Session, a.tx, table, &key, catalog.KeyName(next, last))
	a.tx.Update(next)
}

// newKey is the key that an action adds, with a name that no other key has.
func (a *alteration) newKey(table *store.Table, action *sql.AddKey) store.Key {
	key := store.Key{Name: action.Key.Name.Name, Primary: action.Primary}
	pos, kind := int(action.Key.Pos), "unique"
	if action.Primary {
		kind = "primary key"
		if slices.ContainsFunc(table.Keys(), func(k store.Key) bool { return k.Primary }) {
			panic(value.Errorf(value.CodeInvalidTable, "multiple primary keys for table %q are not allowed", a.name))
		}
	}
	for _, id := range action.Key.Columns {
		i := table.Ordinal(id.Name)
		switch {
		case i < 0:
			panic(value.ErrorAt(pos, value.CodeUndefinedColumn, "column %q named in key does not exist", id.Name))
		case slices.Contains(key.Columns, i):
			panic(value.ErrorAt(pos, value.CodeDuplicateColumn, "column %q appears twice in %s constraint", id.Name, kind))
		}
		key.Columns = append(key.Columns, i)
	}
	next := table.Rekeyed(table.Columns(), append(slices.Clip(table.Keys()), key))
	name := catalog.KeyName(next, len(next.Keys())-1)
	for n := 1; ; n++ {
		switch {
		case findKey(table, name) < 0:
			if n > 1 {
				key.Name = name
			}
			return key
		case key.Name != "":
			panic(value.Errorf(value.CodeDuplicateTable, "relation %q already exists", name))
		}
		name = fmt.Sprintf("%s%d", catalog.KeyName(next, len(next.Keys())-1), n)
	}
}

// findKey finds a key by its constraint's name; -1 for none.
func findKey(table *store.Table, name string) int {
	for i := range table.Keys() {
		if table.Keys()[i].Index == nil && catalog.KeyName(table, i) == name {
			return i
		}
	}
	return -1
}

// renameConstraint runs RENAME CONSTRAINT.
func (a *alteration) renameConstraint(table *store.Table, action *sql.RenameConstraint) {
	i, n, f := findKey(table, action.From.Name), findCheck(table, action.From.Name), findForeignKey(table, action.From.Name)
	switch {
	case max(n, f) >= 0 && catalog.HasConstraint(table, action.To.Name):
		panic(value.Errorf(value.CodeDuplicateObject, "constraint %q for relation %q already exists", action.To.Name, a.name))
	case n >= 0:
		checks := slices.Clone(table.Checks())
		checks[n].Name = action.To.Name
		a.tx.Update(table.Rechecked(checks))
		return
	case f >= 0:
		a.editForeignKey(table, f, func(k *algebra.ForeignKey) { k.Name = action.To.Name })
		return
	case i < 0:
		panic(value.Errorf(value.CodeUndefinedObject, "constraint %q for table %q does not exist", action.From.Name, a.name))
	case a.taken(action.To.Name):
		panic(value.Errorf(value.CodeDuplicateTable, "relation %q already exists", action.To.Name))
	}
	keys := slices.Clone(table.Keys())
	keys[i].Name = action.To.Name
	a.tx.Update(table.Rekeyed(table.Columns(), keys))
}

// dropConstraint runs DROP CONSTRAINT. The columns of a primary key stay NOT NULL.
func (a *alteration) dropConstraint(ctx context.Context, table *store.Table, action *sql.DropConstraint) {
	i, n, f := findKey(table, action.Name.Name), findCheck(table, action.Name.Name), findForeignKey(table, action.Name.Name)
	switch {
	case f >= 0:
		a.tx.Update(table.WithForeignKeys(slices.Delete(slices.Clone(table.ForeignKeys()), f, f+1)))
		return
	case n >= 0:
		a.tx.Update(table.Rechecked(slices.Delete(slices.Clone(table.Checks()), n, n+1)))
		return
	case i < 0 && action.IfExists:
		a.res.Notices = append(a.res.Notices,
			result.NewNotice(value.CodeSuccess, "constraint %q of relation %q does not exist, skipping", action.Name.Name, a.name))
		return
	case i < 0:
		panic(value.Errorf(value.CodeUndefinedObject, "constraint %q of relation %q does not exist", action.Name.Name, a.name))
	}
	what := "constraint " + action.Name.Name + " on table " + a.written(table)
	a.freeKey(ctx, table, i, what, action.Cascade)
	table = a.tx.State().Lookup(a.key).(*store.Table) // which may have referred to itself
	next := table.Rekeyed(table.Columns(), slices.Delete(slices.Clone(table.Keys()), i, i+1))
	a.replace(next, "dropping a key that a view's GROUP BY rests on is not supported")
}

// alterConstraint runs ALTER CONSTRAINT.
func (a *alteration) alterConstraint(table *store.Table, action *sql.AlterConstraint) {
	f := findForeignKey(table, action.Name.Name)
	switch {
	case f >= 0:
		a.editForeignKey(table, f, func(k *algebra.ForeignKey) {
			k.Deferrable, k.Deferred = action.Timing.Deferrable, action.Timing.Deferred
		})
	case catalog.HasConstraint(table, action.Name.Name):
		panic(value.Errorf(value.CodeWrongObjectType, "constraint %q of relation %q is not a foreign key constraint", action.Name.Name, a.name))
	default:
		panic(value.Errorf(value.CodeUndefinedObject, "constraint %q of relation %q does not exist", action.Name.Name, a.name))
	}
}

// validateConstraint runs VALIDATE CONSTRAINT.
func (a *alteration) validateConstraint(ctx context.Context, table *store.Table, action *sql.ValidateConstraint) {
	n, f := findCheck(table, action.Name.Name), findForeignKey(table, action.Name.Name)
	switch {
	case f >= 0:
		sqlstate.Check(write.CheckReferences(ctx, a.Session, a.tx.Latest(), table, &table.ForeignKeys()[f]))
		a.editForeignKey(table, f, func(k *algebra.ForeignKey) { k.NotValid = false })
		return
	case n < 0 && findKey(table, action.Name.Name) >= 0:
		panic(value.Errorf(value.CodeWrongObjectType, "constraint %q of relation %q is not a foreign key or check constraint", action.Name.Name, a.name))
	case n < 0:
		panic(value.Errorf(value.CodeUndefinedObject, "constraint %q of relation %q does not exist", action.Name.Name, a.name))
	}
	checks := slices.Clone(table.Checks())
	a.keepsTo(ctx, table, checks[n:n+1])
	checks[n].NotValid = false
	a.tx.Update(table.Rechecked(checks))
}
