package govern

import (
	"context"
	"maps"
	"slices"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Comment runs COMMENT ON.
func Comment(ctx context.Context, s *session.Session, stmt *sql.Comment) *result.Result {
	return govern(ctx, s, "COMMENT", func(g *governing) {
		switch stmt.Kind {
		case "index":
			sqlstate.Check(value.WithoutPos(sqlstate.Run(func() { g.commentIndex(stmt) })))
			return
		case "constraint":
			sqlstate.Check(value.WithoutPos(sqlstate.Run(func() { g.commentConstraint(stmt) })))
			return
		}
		o, column, err := g.commented(stmt)
		sqlstate.Check(value.WithoutPos(err))
		g.grants(o, func(_ *access.State, old *access.Grants) *access.Grants {
			next := *old
			if column == "" {
				next.Comment = stmt.Text
				return &next
			}
			next.ColumnComments = maps.Clone(old.ColumnComments)
			if next.ColumnComments == nil {
				next.ColumnComments = map[string]string{}
			}
			if next.ColumnComments[column] = stmt.Text; stmt.Text == "" {
				delete(next.ColumnComments, column)
			}
			return &next
		})
	})
}

// commented finds what a comment is about: an object, and a column of it or "".
func (g *governing) commented(stmt *sql.Comment) (o access.Object, column string, err error) {
	defer sqlstate.Catch(&err)
	name := stmt.Name[len(stmt.Name)-1].Name
	switch stmt.Kind {
	case "database":
		o = access.TheDatabase
	case "schema":
		o = access.Object{Kind: access.Schema, Name: name}
	case "function":
		f := catalog.FindFunction(g.Session, stmt.Function)
		o = store.AccessTo(store.KindFunction, f.Key())
		return o, "", mustOwn(g.Session, g.state(), o, store.KindFunction, name)
	default:
		return g.commentedRelation(stmt)
	}
	g.checkObject(o, name)
	return o, "", mustOwn(g.Session, g.state(), o, store.Kind(stmt.Kind), name)
}

// commentedRelation is commented of a table or view, or of a column of one.
func (g *governing) commentedRelation(stmt *sql.Comment) (o access.Object, column string, err error) {
	name := stmt.Name
	if stmt.Kind == "column" {
		name, column = name[:len(name)-1], name[len(name)-1].Name
	}
	keyed := g.TargetName
	ofType := stmt.Kind == "type" || stmt.Kind == "domain"
	if ofType {
		keyed = g.TypeName
	}
	key, err := keyed(name)
	if err != nil {
		return o, "", err
	}
	o = session.RelationObject(key)
	found, last := g.tx.State().Lookup(key), name[len(name)-1].Name
	if found != nil {
		o = store.AccessTo(store.KindOf(found), key)
	}
	switch {
	case found == nil && ofType:
		return o, "", value.Errorf(value.CodeUndefinedObject, "type %q does not exist", last)
	case found == nil:
		return o, "", value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", last)
	case stmt.Kind == "domain" && g.tx.State().Domain(key) == nil:
		return o, "", value.Errorf(value.CodeWrongObjectType, "%q is not a domain", last)
	case column == "" && !ofType && !store.IsKind(found, store.Kind(stmt.Kind)):
		return o, "", value.Errorf(value.CodeWrongObjectType, "%q is not a %s", last, stmt.Kind)
	case column != "" && !g.hasColumn(o, column):
		return o, "", value.Errorf(value.CodeUndefinedColumn, "column %q of relation %q does not exist", column, last)
	}
	return o, column, mustOwn(g.Session, g.state(), o, store.KindOf(found), last)
}

// hasColumn reports whether a table or view has a column of a name.
func (g *governing) hasColumn(relation access.Object, column string) bool {
	return slices.ContainsFunc(catalog.SysView(g.Session, g.tx.State()).Objects(), func(o pgcatalog.Object) bool {
		return o.Kind != "i" && o.Relation() == relation &&
			slices.ContainsFunc(o.Columns, func(c planner.CatalogColumn) bool { return c.Name == column })
	})
}
