package define

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// CreateIndex runs CREATE INDEX. A unique index is enforced as a UNIQUE constraint is; any
// other is known to the catalog alone.
func CreateIndex(ctx context.Context, s *session.Session, stmt *sql.CreateIndex) *result.Result {
	const tag = "CREATE INDEX"
	concurrently(s, tag, stmt.Concurrently)
	key := sqlstate.Must(s.TargetName(stmt.Table))
	a := &alteration{Session: s, key: key, stmt: stmt.Table, name: store.NameOf(key), res: &result.Result{Tag: tag}}
	s.Change(tag, func(tx *store.Tx) {
		a.tx = tx
		switch o := tx.State().Lookup(key).(type) {
		case nil:
			panic(value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", a.name))
		case *store.View:
			e := value.Errorf(value.CodeWrongObjectType, "cannot create index on relation %q", a.name)
			e.Detail = "This operation is not supported for views."
			panic(e)
		default:
			sqlstate.Check(catalog.MustOwn(s, key))
			sqlstate.Check(catalog.MayCreateIn(s, store.SchemaOf(key)))
			a.createIndex(ctx, o.(*store.Table), stmt)
		}
	})
	return a.res
}

// concurrently refuses to run a command CONCURRENTLY within a transaction block.
func concurrently(s *session.Session, command string, asked bool) {
	if asked && !s.RunsAlone() {
		panic(value.Errorf(value.CodeActiveTransaction, "%s CONCURRENTLY cannot run inside a transaction block", command))
	}
}

func (a *alteration) createIndex(ctx context.Context, table *store.Table, stmt *sql.CreateIndex) {
	checkStorage(stmt.Storage, indexStorage)
	key := a.indexOf(table, stmt)
	name := stmt.Name.Name
	switch taken := name != "" && a.taken(name); {
	case taken && stmt.IfNotExists:
		a.res.Notices = append(a.res.Notices, alreadyExists(name))
		return
	case taken:
		panic(value.Errorf(value.CodeDuplicateTable, "relation %q already exists", name))
	case name == "":
		name = catalog.NameOfColumns(table, catalog.WordsOf(table, &key), "_idx", a.taken)
	}
	sqlstate.Check(a.tx.LockToDefine(ctx, a.key))
	table = sqlstate.Must(a.tx.Table(ctx, a.key))
	checkPartitionedKey(table, &key)
	if key.Name = name; key.Index.Unique {
		checkUnique(ctx, a.Session, a.tx, table, &key, name)
	}
	next := table.Rekeyed(table.Columns(), append(slices.Clip(table.Keys()), key))
	a.tx.Update(next)
	if !stmt.Only {
		a.follow(table, next)
	}
}

// taken reports whether a relation has a name beside the table, or an index does.
func (a *alteration) taken(name string) bool {
	return catalog.IsTaken(a.tx.State(), store.KeyIn(store.SchemaOf(a.key), name))
}

// dropIndexes runs DROP INDEX.
func dropIndexes(ctx context.Context, s *session.Session, stmt *sql.Drop) *result.Result {
	const tag = "DROP INDEX"
	concurrently(s, tag, stmt.Concurrently)
	if stmt.Concurrently && len(stmt.Names) > 1 {
		panic(value.Errorf(value.CodeFeatureNotSupported, "DROP INDEX CONCURRENTLY does not support dropping multiple objects"))
	}
	res := &result.Result{Tag: tag}
	s.Change(tag, func(tx *store.Tx) {
		for _, name := range stmt.Names {
			a, i := findIndexOf(ctx, s, tx, name)
			switch index := name[len(name)-1].Name; {
			case a == nil && !stmt.IfExists:
				panic(value.Errorf(value.CodeUndefinedObject, "index %q does not exist", index))
			case a == nil:
				res.Notices = append(res.Notices, result.NewNotice(value.CodeSuccess, "index %q does not exist, skipping", index))
				continue
			}
			table := a.tx.State().Lookup(a.key).(*store.Table)
			if constraint := catalog.KeyName(table, i); table.Keys()[i].Index == nil {
				e := value.Errorf(value.CodeDependentObjects, "cannot drop index %s because constraint %s on table %s requires it", constraint, constraint, a.name)
				e.Hint = fmt.Sprintf("You can drop constraint %s on table %s instead.", constraint, a.name)
				panic(e)
			}
			a.freeKey(ctx, table, i, "index "+catalog.KeyName(table, i), stmt.Cascade)
			res.Notices = append(res.Notices, a.res.Notices...)
			table = a.tx.State().Lookup(a.key).(*store.Table) // which may have referred to itself
			if table.Keys()[i].Inherited {
				panic(a.inheritedIndex(table, i))
			}
			next := table.Rekeyed(table.Columns(), slices.Delete(slices.Clone(table.Keys()), i, i+1))
			a.replace(next, "dropping an index that a hierarchy rests on is not supported")
			a.follow(table, next)
		}
	})
	return res
}

// findIndexOf finds and locks the table of an index, which the session's role must own,
// and the number of its key; nil where there is none.
func findIndexOf(ctx context.Context, s *session.Session, tx *store.Tx, name sql.Name) (*alteration, int) {
	index := nameOf(name)
	table, i := catalog.IndexNamed(s, tx.State(), name)
	if table == nil {
		if o := tx.State().Lookup(sqlstate.Must(s.TargetName(name))); o != nil {
			kind := store.KindOf(o)
			e := value.Errorf(value.CodeWrongObjectType, "%q is not an index", index)
			e.Hint = fmt.Sprintf("Use DROP %s to remove a %s.", strings.ToUpper(string(kind)), kind)
			panic(e)
		}
		return nil, 0
	}
	key := store.KeyOf(table)
	if !store.IsTemporary(key) && !s.Access().Owns(s.User(), session.RelationObject(key)) && !s.Access().Owns(s.User(), access.SchemaObject(table.Schema())) {
		panic(session.Denied("must be owner of index %s", index))
	}
	sqlstate.Check(tx.LockToDefine(ctx, key))
	return &alteration{Session: s, tx: tx, key: key, name: table.Name(), res: &result.Result{}}, i
}

// inheritedIndex is the error of dropping an index of a partition that the partitioned table has.
func (a *alteration) inheritedIndex(table *store.Table, i int) error {
	name, above := catalog.KeyName(table, i), catalog.KeyAbove(a.tx.State(), table, &table.Keys()[i])
	e := value.Errorf(value.CodeDependentObjects, "cannot drop index %s because index %s requires it", name, above)
	e.Hint = fmt.Sprintf("You can drop index %s instead.", above)
	return e
}

// AttachIndex runs ALTER INDEX … ATTACH PARTITION: an index of a partition is the one that it inherits.
func AttachIndex(ctx context.Context, s *session.Session, stmt *sql.AttachIndex) *result.Result {
	res := &result.Result{Tag: "ALTER INDEX"}
	s.Change(res.Tag, func(tx *store.Tx) {
		var found [2]*alteration
		var numbers [2]int
		for n, name := range []sql.Name{stmt.Name, stmt.Part} {
			if found[n], numbers[n] = findIndexOf(ctx, s, tx, name); found[n] == nil {
				panic(value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", name.Dotted()))
			}
		}
		of, p := tx.State().Lookup(found[0].key).(*store.Table), tx.State().Lookup(found[1].key).(*store.Table)
		keys := slices.Clone(p.Keys())
		key := &keys[numbers[1]]
		if p.Of() == nil || p.Of().Parent != found[0].key || !key.Same(&of.Keys()[numbers[0]]) {
			e := value.Errorf(value.CodeNotInState, "cannot attach index %q as a partition of index %q", stmt.Part[len(stmt.Part)-1].Name, stmt.Name[len(stmt.Name)-1].Name)
			e.Detail = fmt.Sprintf("Index %q is not an index on any partition of table %q.", stmt.Part[len(stmt.Part)-1].Name, of.Name())
			panic(e)
		}
		key.Inherited = true
		tx.Update(p.Rekeyed(p.Columns(), keys))
	})
	return res
}

// RenameIndex runs ALTER INDEX … RENAME TO. The index of a constraint has its name.
func RenameIndex(ctx context.Context, s *session.Session, stmt *sql.RenameIndex) *result.Result {
	res := &result.Result{Tag: "ALTER INDEX"}
	s.Change(res.Tag, func(tx *store.Tx) {
		a, i := findIndexOf(ctx, s, tx, stmt.Name)
		switch last := stmt.Name[len(stmt.Name)-1].Name; {
		case a == nil && !stmt.IfExists:
			panic(value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", last))
		case a == nil:
			res.Notices = append(res.Notices, result.NewNotice(value.CodeSuccess, "relation %q does not exist, skipping", last))
			return
		case a.taken(stmt.To.Name):
			panic(value.Errorf(value.CodeDuplicateTable, "relation %q already exists", stmt.To.Name))
		}
		table := tx.State().Lookup(a.key).(*store.Table)
		keys := slices.Clone(table.Keys())
		keys[i].Name = stmt.To.Name
		tx.Update(table.Rekeyed(table.Columns(), keys))
	})
	return res
}

// Reindex runs REINDEX, after which there is nothing to do: keys are checked against the
// rows themselves.
func Reindex(ctx context.Context, s *session.Session, stmt *sql.Reindex) *result.Result {
	tag := "REINDEX " + strings.ToUpper(stmt.Kind)
	last := stmt.Name[len(stmt.Name)-1].Name
	concurrently(s, "REINDEX", stmt.Concurrently)
	s.Change("REINDEX", func(tx *store.Tx) {
		switch {
		case stmt.Kind == "index":
			if a, _ := findIndexOf(ctx, s, tx, stmt.Name); a == nil {
				panic(value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", last))
			}
		case stmt.Kind == "table":
			key := sqlstate.Must(s.TargetName(stmt.Name))
			sqlstate.Must(tx.Table(ctx, key))
			sqlstate.Check(catalog.MustOwn(s, key))
		case !s.RunsAlone():
			panic(value.Errorf(value.CodeActiveTransaction, "%s cannot run inside a transaction block", tag))
		case stmt.Kind != "schema" && last != s.Identity.Database:
			panic(value.Errorf(value.CodeFeatureNotSupported, "can only reindex the currently open database"))
		case stmt.Kind == "schema" && !s.Access().HasSchema(last):
			panic(value.Errorf(value.CodeUndefinedSchema, "schema %q does not exist", last))
		}
	})
	return &result.Result{Tag: "REINDEX"}
}
