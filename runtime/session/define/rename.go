package define

import (
	"context"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// setSchema runs SET SCHEMA. The sequences of a table go with it.
func (a *alteration) setSchema(ctx context.Context, kind store.Kind, to sql.Ident) {
	if !a.Access().HasSchema(to.Name) {
		panic(session.NoSchema(to.Name))
	}
	if store.IsTemporary(a.key) {
		panic(value.Errorf(value.CodeFeatureNotSupported, "cannot move objects into or out of temporary schemas"))
	}
	if store.SchemaOf(a.key) == to.Name {
		return
	}
	key := store.KeyIn(to.Name, a.name)
	if catalog.IsTaken(a.tx.State(), key) {
		panic(value.Errorf(value.CodeDuplicateTable, "relation %q already exists in schema %q", a.name, to.Name))
	}
	a.rename(ctx, kind, key)
	for _, q := range a.tx.State().OwnedBy(key, "") {
		sqlstate.Check(a.tx.Rename(ctx, store.KindSequence, store.KeyOf(q), store.KeyIn(to.Name, q.Name())))
	}
}

// following are the views that read column i of the table, with queries that give it its old name
// when it has another one.
func (a *alteration) following(ctx context.Context, table *store.Table, i int, to string, refusal error) []*store.View {
	views := a.readers(i)
	for n, v := range views {
		if v.Hierarchy != nil || slices.ContainsFunc(a.tx.State().Below(table), func(p *store.Table) bool { return slices.Contains(v.Depends, store.KeyOf(p)) }) {
			panic(refusal)
		}
		sqlstate.Check(a.tx.LockToDefine(ctx, store.KeyOf(v)))
		plan := sqlstate.Must(a.planView(v))
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
		if sql.NamesColumn(sqlstate.Must(catalog.ParseView(v)), scope.TableOID) {
			items = append(items, scope.TableOID)
		}
		next := *v
		next.Text = catalog.Replaced(a.Session, a.tx.State(), v, a.key, "(SELECT "+strings.Join(items, ", ")+" FROM "+schemaName(table)+")")
		views[n] = &next
	}
	return views
}

// rename gives the table or view another key. The views that read it are given queries that
// have its new name.
func (a *alteration) rename(ctx context.Context, kind store.Kind, key string) {
	views := a.tx.State().Dependents(a.key)
	renamed := make([]*store.View, len(views))
	for i, v := range views {
		if v.Hierarchy != nil {
			panic(value.Errorf(value.CodeFeatureNotSupported, "renaming a %s that a hierarchy reads is not supported", kind))
		}
		sqlstate.Check(a.tx.LockToDefine(ctx, store.KeyOf(v)))
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
	sqlstate.Check(a.tx.Rename(ctx, kind, a.key, key))
	for _, v := range renamed {
		a.tx.Redefine(v)
	}
}
