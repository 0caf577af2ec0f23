package govern

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// commentIndex runs COMMENT ON INDEX. Comments on indexes and constraints are part of their tables, so that
// they go and are renamed with them.
func (g *governing) commentIndex(stmt *sql.Comment) {
	found, i := catalog.IndexNamed(g.Session, g.tx.State(), stmt.Name)
	last := stmt.Name[len(stmt.Name)-1].Name
	switch {
	case found == nil && g.tx.State().Lookup(sqlstate.Must(g.TargetName(stmt.Name))) != nil:
		panic(value.Errorf(value.CodeWrongObjectType, "%q is not an index", last))
	case found == nil:
		panic(value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", stmt.Name.Dotted()))
	case !g.ownsTable(store.KeyOf(found)):
		panic(session.Denied("must be owner of index %s", last))
	}
	table := sqlstate.Must(g.tx.Table(g.ctx, store.KeyOf(found)))
	if i >= len(table.Keys()) || catalog.KeyName(table, i) != last { // others have changed it meanwhile
		panic(value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", stmt.Name.Dotted()))
	}
	keys := slices.Clone(table.Keys())
	keys[i].IndexComment = stmt.Text
	g.tx.Update(table.Rekeyed(table.Columns(), keys))
}

// commentConstraint runs COMMENT ON CONSTRAINT.
func (g *governing) commentConstraint(stmt *sql.Comment) {
	if stmt.OfDomain {
		g.commentDomainConstraint(stmt)
		return
	}
	name, key := stmt.Name[0].Name, sqlstate.Must(g.TargetName(stmt.Table))
	found := g.tx.State().Lookup(key)
	if found == nil {
		panic(value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", stmt.Table.Dotted()))
	}
	table, ok := found.(*store.Table)
	if !ok || !catalog.HasConstraint(table, name) {
		panic(value.Errorf(value.CodeUndefinedObject, "constraint %q for table %q does not exist", name, found.Name()))
	}
	if !g.ownsTable(key) {
		panic(session.Denied("must be owner of relation %s", table.Name()))
	}
	g.tx.Update(withComment(sqlstate.Must(g.tx.Table(g.ctx, key)), name, stmt.Text))
}

// commentDomainConstraint comments on a CHECK constraint of a domain.
func (g *governing) commentDomainConstraint(stmt *sql.Comment) {
	name, key := stmt.Name[0].Name, sqlstate.Must(g.TypeName(stmt.Table))
	state := g.tx.State()
	switch {
	case state.Lookup(key) == nil:
		panic(value.Errorf(value.CodeUndefinedObject, "type %q does not exist", stmt.Table.Dotted()))
	case state.Domain(key) == nil:
		panic(value.Errorf(value.CodeWrongObjectType, "%q is not a domain", stmt.Table.Dotted()))
	}
	sqlstate.Check(catalog.MustOwn(g.Session, key))
	sqlstate.Check(g.tx.LockDomain(g.ctx, key))
	d := g.tx.State().Domain(key)
	next := *d
	next.Checks = slices.Clone(d.Checks)
	i := slices.IndexFunc(next.Checks, func(c algebra.DomainCheck) bool { return c.Name == name })
	if i < 0 {
		panic(value.Errorf(value.CodeUndefinedObject, "constraint %q for domain %s does not exist", name, g.Written(&store.UserType{Of: d})))
	}
	next.Checks[i].Comment = stmt.Text
	sqlstate.Check(g.tx.ReplaceDomain(g.ctx, d, &next))
}

// withComment is a table with a comment on the constraint of a name.
func withComment(table *store.Table, name, text string) *store.Table {
	keys, checks, references := slices.Clone(table.Keys()), slices.Clone(table.Checks()), slices.Clone(table.ForeignKeys())
	for i := range keys {
		if keys[i].Index == nil && catalog.KeyName(table, i) == name {
			keys[i].Comment = text
		}
	}
	for i := range checks {
		if checks[i].Name == name {
			checks[i].Comment = text
		}
	}
	for i := range references {
		if references[i].Name == name {
			references[i].Comment = text
		}
	}
	return table.Rekeyed(table.Columns(), keys).Rechecked(checks).WithForeignKeys(references)
}

// ownsTable reports whether the session's role has the rights of the owner of a table.
func (g *governing) ownsTable(key string) bool {
	return store.IsTemporary(key) || g.state().Owns(g.User(), session.RelationObject(key))
}
