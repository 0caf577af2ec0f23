package cubeloom

import (
	"context"
	"maps"
	"slices"

	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/access"
	"github.com/cubeloom/cubeloom/sql"
)

// comment runs COMMENT ON.
func (s *Session) comment(ctx context.Context, stmt *sql.Comment) (*Result, error) {
	return s.govern(ctx, "COMMENT", func(g *governing) error {
		o, column, err := g.commented(stmt)
		if err != nil {
			return withoutPos(err)
		}
		return g.tx.ChangeGrants(ctx, o, func(_ *access.State, old *access.Grants) (*access.Grants, error) {
			next := *old
			if column == "" {
				next.Comment = stmt.Text
				return &next, nil
			}
			next.ColumnComments = maps.Clone(old.ColumnComments)
			if next.ColumnComments == nil {
				next.ColumnComments = map[string]string{}
			}
			if next.ColumnComments[column] = stmt.Text; stmt.Text == "" {
				delete(next.ColumnComments, column)
			}
			return &next, nil
		})
	})
}

// commented finds what a comment is about: an object, and a column of it or "".
func (g *governing) commented(stmt *sql.Comment) (o access.Object, column string, err error) {
	last := stmt.Name[len(stmt.Name)-1].Name
	kind := store.Kind(stmt.Kind)
	switch stmt.Kind {
	case "database":
		o = access.TheDatabase
	case "schema":
		o = access.Object{Kind: access.Schema, Name: last}
	case "column":
		if column, err = g.commentedColumn(stmt.Name); err != nil {
			return o, "", err
		}
		fallthrough
	default:
		name := stmt.Name
		if column != "" {
			name = name[:len(name)-1]
		}
		key, err := g.targetName(name)
		if err != nil {
			return o, "", err
		}
		last = name[len(name)-1].Name
		found := g.tx.State().Lookup(key)
		switch {
		case found == nil:
			return o, "", value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", last)
		case column == "" && store.KindOf(found) != kind:
			return o, "", value.Errorf(value.CodeWrongObjectType, "%q is not a %s", last, kind)
		}
		o, kind = relationObject(key), store.KindOf(found)
	}
	if o.Kind != access.Relation {
		if err := g.checkObject(o, last); err != nil {
			return o, "", err
		}
	}
	return o, column, g.mustOwn(g.state(), o, kind, last)
}

// commentedColumn is the column that the last part of a name names.
func (g *governing) commentedColumn(name sql.Name) (string, error) {
	key, err := g.targetName(name[:len(name)-1])
	if err != nil {
		return "", err
	}
	table, column := name[len(name)-2].Name, name[len(name)-1].Name
	v := g.sysView(g.tx.State())
	i := slices.IndexFunc(v.objects, func(o sysObject) bool { return o.kind != "i" && o.relation() == relationObject(key) })
	switch {
	case i < 0:
		return "", value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", table)
	case !slices.ContainsFunc(v.objects[i].columns, func(c store.Column) bool { return c.Name == column }):
		return "", value.Errorf(value.CodeUndefinedColumn, "column %q of relation %q does not exist", column, table)
	}
	return column, nil
}
