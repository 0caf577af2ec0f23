package define

import (
	"context"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// setSchema runs SET SCHEMA. The sequences of a table go with it.
func (a *alteration) setSchema(ctx context.Context, kind store.Kind, to sql.Ident) error {
	if !a.Access().HasSchema(to.Name) {
		return session.NoSchema(to.Name)
	}
	if store.IsTemporary(a.key) {
		return value.Errorf(value.CodeFeatureNotSupported, "cannot move objects into or out of temporary schemas")
	}
	if store.SchemaOf(a.key) == to.Name {
		return nil
	}
	key := store.KeyIn(to.Name, a.name)
	if catalog.IsTaken(a.tx.State(), key) {
		return value.Errorf(value.CodeDuplicateTable, "relation %q already exists in schema %q", a.name, to.Name)
	}
	if err := a.rename(ctx, kind, key); err != nil {
		return err
	}
	for _, q := range a.tx.State().OwnedBy(key, "") {
		if err := a.tx.Rename(ctx, store.KindSequence, store.KeyOf(q), store.KeyIn(to.Name, q.Name())); err != nil {
			return err
		}
	}
	return nil
}

// following are the views that read column i of the table, with queries that give it its old name
// when it has another one.
func (a *alteration) following(ctx context.Context, table *store.Table, i int, to string, refusal error) ([]*store.View, error) {
	views, err := a.readers(i)
	if err != nil {
		return nil, err
	}
	for n, v := range views {
		if v.Hierarchy != nil {
			return nil, refusal
		}
		if err := a.tx.LockToDefine(ctx, store.KeyOf(v)); err != nil {
			return nil, err
		}
		plan, err := a.planView(v)
		if err != nil {
			return nil, err
		}
		var items []string
		for k, c := range table.Columns() {
			item := pgcatalog.QuoteName(c.Name)
			if k == i {
				item = pgcatalog.QuoteName(to) + " AS " + item
			}
			if plan.Reads(table, k) {
				items = append(items, item)
			}
		}
		next := *v
		next.Text = catalog.Replaced(a.Session, a.tx.State(), v, a.key, "(SELECT "+strings.Join(items, ", ")+" FROM "+schemaName(table)+")")
		views[n] = &next
	}
	return views, nil
}

// rename gives the table or view another key. The views that read it are given queries that
// have its new name.
func (a *alteration) rename(ctx context.Context, kind store.Kind, key string) error {
	views := a.tx.State().Dependents(a.key)
	renamed := make([]*store.View, len(views))
	for i, v := range views {
		if v.Hierarchy != nil {
			return value.Errorf(value.CodeFeatureNotSupported, "renaming a %s that a hierarchy reads is not supported", kind)
		}
		if err := a.tx.LockToDefine(ctx, store.KeyOf(v)); err != nil {
			return err
		}
		next := *v
		next.Text = catalog.Renamed(a.Session, a.tx.State(), v, a.key, key)
		next.Depends = slices.Clone(v.Depends)
		for j, read := range next.Depends {
			if read == a.key {
				next.Depends[j] = key
			}
		}
		renamed[i] = &next
	}
	if table, ok := a.tx.State().Lookup(a.key).(*store.Table); ok && len(table.Keys()) > 0 {
		keys := slices.Clone(table.Keys())
		for i := range keys {
			keys[i].Name = catalog.KeyName(table, i) // which the table's name does not change any more
		}
		a.tx.Update(table.Rekeyed(table.Columns(), keys))
	}
	if err := a.tx.Rename(ctx, kind, a.key, key); err != nil {
		return err
	}
	for _, v := range renamed {
		a.tx.Redefine(v)
	}
	return nil
}
