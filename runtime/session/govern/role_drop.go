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
	"github.com/cubeloom/cubeloom/sql/value"
)

// DropRole runs DROP ROLE.
func DropRole(ctx context.Context, s *session.Session, stmt *sql.DropRole) (*result.Result, error) {
	return govern(ctx, s, "DROP ROLE", func(g *governing) error {
		if !g.mayCreateRoles() {
			return session.Denied("permission denied to drop role")
		}
		for _, ref := range stmt.Roles {
			if ref.Word != "" {
				return value.Errorf(value.CodeInvalidParameter, "cannot use special role specifier in DROP ROLE")
			}
			if err := g.drop(ref.Name, stmt.IfExists); err != nil {
				return err
			}
		}
		return nil
	})
}

// drop drops one role.
func (g *governing) drop(name string, ifExists bool) error {
	role := g.state().Named(name)
	switch {
	case role == nil && ifExists:
		g.res.Notices = append(g.res.Notices, result.NewNotice(value.CodeSuccess, "role %q does not exist, skipping", name))
		return nil
	case role == nil:
		return pgcatalog.ErrNoRole(name)
	case role.OID == g.User():
		return value.Errorf(value.CodeObjectInUse, "current user cannot be dropped")
	case role.OID == g.Settings.SessionRole:
		return value.Errorf(value.CodeObjectInUse, "session user cannot be dropped")
	case role.Superuser && !g.Superuser():
		return session.Denied("must be superuser to drop superusers")
	case role.Predefined() || role.OID == access.Bootstrap:
		return value.Errorf(value.CodeDependentObjects, "cannot drop role %s because it is required by the database system", name)
	}
	return g.roles(func(state *access.State) (*access.Roles, error) {
		if lines := g.dependents(state, role.OID); len(lines) > 0 {
			return nil, &value.Error{Code: value.CodeDependentObjects, Pos: value.NoPos, Detail: strings.Join(lines, "\n"),
				Message: fmt.Sprintf("role %q cannot be dropped because some objects depend on it", name)}
		}
		return state.Roles.Without(role.OID), nil
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
	case access.Database:
		return "database " + g.Identity.Database
	case access.Function:
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
func (g *governing) owned(refs []sql.RoleRef, verb, noun string, do func(*access.Role) error) error {
	list, err := g.rolesOf(refs)
	if err != nil {
		return err
	}
	for _, role := range list {
		if !g.state().Has(g.User(), role.OID) {
			return session.Denied("permission denied to %s objects", verb)
		}
	}
	for _, role := range list {
		if role.Predefined() || role.OID == access.Bootstrap {
			return value.Errorf(value.CodeDependentObjects, "cannot %s owned by role %s because they are required by the database system", noun, role.Name)
		}
		if err := do(role); err != nil {
			return err
		}
	}
	return nil
}

// DropOwned runs DROP OWNED: the objects of the roles go, and what is granted to them.
func DropOwned(ctx context.Context, s *session.Session, stmt *sql.DropOwned) (*result.Result, error) {
	return govern(ctx, s, "DROP OWNED", func(g *governing) error {
		return g.owned(stmt.Roles, "drop", "drop objects", func(role *access.Role) error {
			if err := g.dropRelations(role.OID, stmt.Cascade); err != nil {
				return err
			}
			for _, o := range g.state().Objects() {
				if err := g.forget(o, role.OID); err != nil {
					return err
				}
			}
			return g.forgetDefaults(role.OID)
		})
	})
}

// dropRelations drops the tables, views, sequences and schemas of a role.
func (g *governing) dropRelations(role access.OID, cascade bool) error {
	names := map[store.Kind][]string{}
	for _, o := range g.state().Objects() {
		if (o.Kind == access.Relation || o.Kind == access.Sequence) && g.state().Grants(o).Owner == role {
			kind := store.KindOf(g.tx.State().Lookup(o.Name))
			names[kind] = append(names[kind], o.Name)
		}
	}
	for _, kind := range []store.Kind{store.KindHierarchy, store.KindView, store.KindTable} {
		if err := g.tx.Drop(g.ctx, kind, names[kind], cascade); err != nil {
			return err
		}
	}
	sequences := slices.DeleteFunc(names[store.KindSequence], func(name string) bool { return g.tx.State().Lookup(name) == nil })
	if err := g.tx.Drop(g.ctx, store.KindSequence, sequences, cascade); err != nil {
		return err
	}
	for _, name := range g.state().Schemas() {
		if name == store.Schema || g.state().Grants(access.SchemaObject(name)).Owner != role {
			continue
		}
		if err := g.tx.DropSchema(g.ctx, name, cascade, g.Written); err != nil {
			return err
		}
	}
	return nil
}

// forget revokes all that is granted to a role on an object.
func (g *governing) forget(o access.Object, role access.OID) error {
	return g.tx.ChangeGrants(g.ctx, o, func(state *access.State, old *access.Grants) (*access.Grants, error) {
		next := *old
		if next.Owner == role {
			return &next, nil // the schema public or the database, which cannot be dropped
		}
		var err error
		if next.ACL, err = revokeAll(state, old.ACL, old.Owner, role); err != nil {
			return nil, err
		}
		next.Columns = map[string]access.ACL{}
		for c, acl := range old.Columns {
			if acl, err = revokeAll(state, acl, old.Owner, role); err != nil {
				return nil, err
			}
			if len(acl) > 0 {
				next.Columns[c] = acl
			}
		}
		return &next, nil
	})
}

// revokeAll takes away all that a list grants to a role, and what it has granted by it.
func revokeAll(state *access.State, acl access.ACL, owner, role access.OID) (access.ACL, error) {
	for _, item := range acl {
		if item.Grantee != role {
			continue
		}
		var err error
		if acl, err = state.Revoke(acl, owner, item, true); err != nil {
			return nil, err
		}
	}
	return acl, nil
}

// forgetDefaults takes away the default privileges of a role, and those for it.
func (g *governing) forgetDefaults(role access.OID) error {
	return g.roles(func(state *access.State) (*access.Roles, error) {
		next := state.Roles
		for _, d := range state.Defaults() {
			acl, err := revokeAll(state, d.ACL, d.Role, role)
			if err != nil {
				return nil, err
			}
			if d.Role == role || len(acl) == 0 {
				acl = nil
			}
			d.ACL = acl
			next = next.WithDefault(d)
		}
		return next, nil
	})
}

// ReassignOwned runs REASSIGN OWNED.
func ReassignOwned(ctx context.Context, s *session.Session, stmt *sql.ReassignOwned) (*result.Result, error) {
	return govern(ctx, s, "REASSIGN OWNED", func(g *governing) error {
		var to *access.Role
		return g.owned(stmt.Roles, "reassign", "reassign ownership of objects", func(role *access.Role) error {
			if to == nil {
				var err error
				if to, err = g.roleOf(stmt.To); err != nil {
					return err
				}
				if !g.state().Has(g.User(), to.OID) {
					return session.Denied("permission denied to reassign objects")
				}
			}
			for _, o := range g.state().Objects() {
				if g.state().Grants(o).Owner != role.OID {
					continue
				}
				if err := g.giveTo(o, to.OID); err != nil {
					return err
				}
			}
			return nil
		})
	})
}
