package govern

import (
	"context"
	"fmt"
	"slices"
	"strings"

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

// DropRole runs DROP ROLE.
func DropRole(ctx context.Context, s *session.Session, stmt *sql.DropRole) *result.Result {
	return govern(ctx, s, "DROP ROLE", func(g *governing) {
		if !g.mayCreateRoles() {
			panic(session.Denied("permission denied to drop role"))
		}
		for _, ref := range stmt.Roles {
			if ref.Word != "" {
				panic(value.Errorf(value.CodeInvalidParameter, "cannot use special role specifier in DROP ROLE"))
			}
			g.drop(ref.Name, stmt.IfExists)
		}
	})
}

// drop drops one role.
func (g *governing) drop(name string, ifExists bool) {
	role := g.state().Named(name)
	switch {
	case role == nil && ifExists:
		g.res.Notices = append(g.res.Notices, result.NewNotice(value.CodeSuccess, "role %q does not exist, skipping", name))
		return
	case role == nil:
		panic(pgcatalog.ErrNoRole(name))
	case role.OID == g.User():
		panic(value.Errorf(value.CodeObjectInUse, "current user cannot be dropped"))
	case role.OID == g.Settings.SessionRole:
		panic(value.Errorf(value.CodeObjectInUse, "session user cannot be dropped"))
	case role.Superuser && !g.Superuser():
		panic(session.Denied("must be superuser to drop superusers"))
	case role.Predefined() || role.OID == access.Bootstrap:
		panic(value.Errorf(value.CodeDependentObjects, "cannot drop role %s because it is required by the database system", name))
	}
	g.roles(func(state *access.State) *access.Roles {
		if lines := g.dependents(state, role.OID); len(lines) > 0 {
			panic(&value.Error{Code: value.CodeDependentObjects, Pos: value.NoPos, Detail: strings.Join(lines, "\n"),
				Message: fmt.Sprintf("role %q cannot be dropped because some objects depend on it", name)})
		}
		return state.Roles.Without(role.OID)
	})
}

// describe names an object for a message.
func (g *governing) describe(o access.Object) string {
	switch o.Kind {
	case access.Relation:
		if object := g.tx.State().Lookup(o.Name); object != nil {
			return fmt.Sprintf("%s %s", store.KindOf(object), g.Written(object))
		}
		return "table " + pgcatalog.QuoteName(store.NameOf(o.Name))
	case access.Type:
		return "type " + g.Written(g.tx.State().Lookup(o.Name))
	case access.Database:
		return "database " + g.Identity.Database
	case access.Function:
		if made := g.tx.State().Lookup(o.Name); made != nil {
			return "function " + g.Written(made)
		}
		return "function " + o.Name
	}
	return "schema " + o.Name
}

// dependents are what a role owns or is named by, a line each.
func (g *governing) dependents(state *access.State, role access.OID) []string {
	var lines []string
	for _, o := range state.Objects() {
		grants := state.Grants(o)
		switch {
		case grants.Owner == role:
			lines = append(lines, "owner of "+g.describe(o))
		case grants.ACL.Mentions(role):
			lines = append(lines, "privileges for "+g.describe(o))
		}
		for _, column := range g.columnsOf(o) {
			if grants.Owner != role && grants.Columns[column].Mentions(role) {
				lines = append(lines, fmt.Sprintf("privileges for column %s of %s", column, g.describe(o)))
			}
		}
	}
	for _, d := range state.Defaults() {
		word := map[bool]string{true: "owner of", false: "privileges for"}[d.Role == role]
		if d.Role != role && !d.ACL.Mentions(role) {
			continue
		}
		line := fmt.Sprintf("%s default privileges on new %s belonging to role %s", word, defaultWords[d.Kind], state.NameOf(d.Role))
		if d.Schema != "" {
			line += " in schema " + d.Schema
		}
		lines = append(lines, line)
	}
	return lines
}

// defaultWords name the kinds of objects that have default privileges.
var defaultWords = map[access.Kind]string{
	access.Relation: "relations", access.Sequence: "sequences", access.Function: "functions", access.Type: "types", access.Schema: "schemas",
}

// columnsOf are the columns of a relation.
func (g *governing) columnsOf(o access.Object) []string {
	if o.Kind != access.Relation {
		return nil
	}
	var names []string
	switch object := g.tx.State().Lookup(o.Name).(type) {
	case *store.Table:
		for _, c := range object.Columns() {
			names = append(names, c.Name)
		}
	case *store.View:
		for _, c := range catalog.ViewColumns(g.Session, g.tx.State(), object) {
			names = append(names, c.Name)
		}
	}
	return names
}

// owned runs do for each of the roles of DROP OWNED or REASSIGN OWNED.
func (g *governing) owned(refs []sql.RoleRef, verb, noun string, do func(*access.Role)) {
	list := g.rolesOf(refs)
	for _, role := range list {
		if !g.state().Has(g.User(), role.OID) {
			panic(session.Denied("permission denied to %s objects", verb))
		}
	}
	for _, role := range list {
		if role.Predefined() || role.OID == access.Bootstrap {
			panic(value.Errorf(value.CodeDependentObjects, "cannot %s owned by role %s because they are required by the database system", noun, role.Name))
		}
		do(role)
	}
}

// DropOwned runs DROP OWNED: the objects of the roles go, and what is granted to them.
func DropOwned(ctx context.Context, s *session.Session, stmt *sql.DropOwned) *result.Result {
	return govern(ctx, s, "DROP OWNED", func(g *governing) {
		g.owned(stmt.Roles, "drop", "drop objects", func(role *access.Role) {
			g.dropRelations(role.OID, stmt.Cascade)
			for _, o := range g.state().Objects() {
				g.forget(o, role.OID)
			}
			g.forgetDefaults(role.OID)
		})
	})
}

// dropRelations drops the tables, views, sequences, types and schemas of a role.
func (g *governing) dropRelations(role access.OID, cascade bool) {
	names := map[store.Kind][]string{}
	for _, o := range g.state().Objects() {
		if (o.Kind == access.Relation || o.Kind == access.Sequence || o.Kind == access.Type || o.Kind == access.Function) && g.state().Grants(o).Owner == role {
			kind := store.KindOf(g.tx.State().Lookup(o.Name))
			names[kind] = append(names[kind], o.Name)
		}
	}
	for _, kind := range []store.Kind{store.KindHierarchy, store.KindMaterialized, store.KindView, store.KindTable} {
		sqlstate.Check(g.tx.Drop(g.ctx, kind, names[kind], cascade))
	}
	sequences := slices.DeleteFunc(names[store.KindSequence], func(name string) bool { return g.tx.State().Lookup(name) == nil })
	sqlstate.Check(g.tx.Drop(g.ctx, store.KindSequence, sequences, cascade))
	functions := slices.DeleteFunc(names[store.KindFunction], func(name string) bool { return g.tx.State().Lookup(name) == nil })
	sqlstate.Check(g.tx.Drop(g.ctx, store.KindFunction, functions, cascade))
	sqlstate.Check(g.tx.Drop(g.ctx, store.KindType, names[store.KindType], cascade))
	for _, name := range g.state().Schemas() {
		if name == store.Schema || g.state().Grants(access.SchemaObject(name)).Owner != role {
			continue
		}
		sqlstate.Check(g.tx.DropSchema(g.ctx, name, cascade))
	}
}

// forget revokes all that is granted to a role on an object.
func (g *governing) forget(o access.Object, role access.OID) {
	g.grants(o, func(state *access.State, old *access.Grants) *access.Grants {
		next := *old
		if next.Owner == role {
			return &next // the schema public or the database, which cannot be dropped
		}
		next.ACL = revokeAll(state, old.ACL, old.Owner, role)
		next.Columns = map[string]access.ACL{}
		for c, acl := range old.Columns {
			acl = revokeAll(state, acl, old.Owner, role)
			if len(acl) > 0 {
				next.Columns[c] = acl
			}
		}
		return &next
	})
}

// revokeAll takes away all that a list grants to a role, and what it has granted by it.
func revokeAll(state *access.State, acl access.ACL, owner, role access.OID) access.ACL {
	for _, item := range acl {
		if item.Grantee != role {
			continue
		}
		acl = sqlstate.Must(state.Revoke(acl, owner, item, true))
	}
	return acl
}

// forgetDefaults takes away the default privileges of a role, and those for it.
func (g *governing) forgetDefaults(role access.OID) {
	g.roles(func(state *access.State) *access.Roles {
		next := state.Roles
		for _, d := range state.Defaults() {
			acl := revokeAll(state, d.ACL, d.Role, role)
			if d.Role == role || len(acl) == 0 {
				acl = nil
			}
			d.ACL = acl
			next = next.WithDefault(d)
		}
		return next
	})
}

// ReassignOwned runs REASSIGN OWNED.
func ReassignOwned(ctx context.Context, s *session.Session, stmt *sql.ReassignOwned) *result.Result {
	return govern(ctx, s, "REASSIGN OWNED", func(g *governing) {
		var to *access.Role
		g.owned(stmt.Roles, "reassign", "reassign ownership of objects", func(role *access.Role) {
			if to == nil {
				to = g.roleOf(stmt.To)
				if !g.state().Has(g.User(), to.OID) {
					panic(session.Denied("permission denied to reassign objects"))
				}
			}
			for _, o := range g.state().Objects() {
				if g.state().Grants(o).Owner != role.OID {
					continue
				}
				g.giveTo(o, to.OID)
			}
		})
	})
}
