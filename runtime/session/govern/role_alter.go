package govern

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// AlterRole runs ALTER ROLE with options, and ALTER GROUP.
func AlterRole(ctx context.Context, s *session.Session, stmt *sql.AlterRole) *result.Result {
	return govern(ctx, s, "ALTER ROLE", func(g *governing) {
		checkOptions(stmt.Options)
		role := g.alterable(stmt.Role)
		g.mayAlter(role, stmt.Options)
		if stmt.Group {
			g.alterGroup(role, &stmt.Options[0])
			return
		}
		next := *role
		g.applyOptions(&next, stmt.Options)
		g.replaceRole(role, func(r *access.Role) { settings := r.Settings; *r = next; r.Settings = settings })
	})
}

// replaceRole changes a role as it is now.
func (g *governing) replaceRole(role *access.Role, change func(*access.Role)) {
	g.roles(func(state *access.State) *access.Roles {
		old := state.Role(role.OID)
		if old == nil {
			panic(pgcatalog.ErrNoRole(role.Name))
		}
		next := *old
		next.Settings = slices.Clone(old.Settings)
		change(&next)
		return state.Roles.With(&next)
	})
}

// alterable is a role that a statement names and that can be altered.
func (g *governing) alterable(ref sql.RoleRef) *access.Role {
	if access.Reserved(ref.Name) {
		panic(&value.Error{Code: value.CodeReservedName, Pos: value.NoPos, Message: fmt.Sprintf("role name %q is reserved", ref.Name),
			Detail: "Cannot alter reserved roles."})
	}
	return g.roleOf(ref)
}

// mayAlter fails where the session's role may not change a role so. A role may change
// its own password.
func (g *governing) mayAlter(role *access.Role, options []sql.RoleOption) {
	super := g.Superuser()
	switch {
	case (role.Superuser || roleOption(options, "superuser") != nil) && !super:
		panic(session.Denied("must be superuser to alter superuser roles or change superuser attribute"))
	case (role.Replication || roleOption(options, "replication") != nil) && !super:
		panic(session.Denied("must be superuser to alter replication roles or change replication attribute"))
	case roleOption(options, "bypassrls") != nil && !super:
		panic(session.Denied("must be superuser to change bypassrls attribute"))
	case !g.mayCreateRoles() && !(role.OID == g.User() && len(options) == 1 && options[0].Name == "password"):
		panic(session.Denied("permission denied"))
	}
}

// alterGroup runs ALTER GROUP ADD and DROP USER.
func (g *governing) alterGroup(group *access.Role, o *sql.RoleOption) {
	members := g.rolesOf(o.Roles)
	if o.On {
		g.addMembers(group, members, g.User(), false)
		return
	}
	g.removeMembers(group, members, false)
}

// RenameRole runs ALTER ROLE RENAME.
func RenameRole(ctx context.Context, s *session.Session, stmt *sql.RenameRole) *result.Result {
	return govern(ctx, s, "ALTER ROLE", func(g *governing) {
		role := g.state().Named(stmt.From.Name)
		switch {
		case role == nil:
			panic(pgcatalog.ErrNoRole(stmt.From.Name))
		case role.OID == g.Settings.SessionRole:
			panic(value.Errorf(value.CodeFeatureNotSupported, "session user cannot be renamed"))
		case role.OID == g.User():
			panic(value.Errorf(value.CodeFeatureNotSupported, "current user cannot be renamed"))
		case access.Reserved(role.Name):
			panic(errReserved(role.Name))
		case access.Reserved(stmt.To.Name):
			panic(errReserved(stmt.To.Name))
		case g.state().Named(stmt.To.Name) != nil:
			panic(value.Errorf(value.CodeDuplicateObject, "role %q already exists", stmt.To.Name))
		case role.Superuser && !g.Superuser():
			panic(session.Denied("must be superuser to rename superusers"))
		case !g.mayCreateRoles():
			panic(session.Denied("permission denied to rename role"))
		}
		g.replaceRole(role, func(r *access.Role) { r.Name = stmt.To.Name })
	})
}

// AlterRoleSet runs ALTER ROLE SET and RESET.
func AlterRoleSet(ctx context.Context, s *session.Session, stmt *sql.AlterRoleSet) *result.Result {
	if stmt.Role == nil {
		return alterEveryone(ctx, s, stmt)
	}
	return govern(ctx, s, "ALTER ROLE", func(g *governing) {
		role := g.alterable(*stmt.Role)
		switch {
		case role.Superuser && !g.Superuser():
			panic(session.Denied("must be superuser to alter superusers"))
		case !role.Superuser && !g.mayCreateRoles() && role.OID != g.User():
			panic(session.Denied("permission denied"))
		case stmt.Limit && !g.Superuser():
			panic(session.Denied("must be superuser to bound the settings of a role"))
		}
		g.checkDatabase(stmt.Database.Name)
		g.replaceRole(role, func(r *access.Role) { g.changeSettings(r, stmt) })
	})
}

// alterEveryone runs ALTER ROLE ALL and ALTER DATABASE, with SET and RESET: superusers
// change what all sessions start with, and the owner of a database what those in it do.
func alterEveryone(ctx context.Context, s *session.Session, stmt *sql.AlterRoleSet) *result.Result {
	tag := "ALTER ROLE"
	if stmt.Owner {
		tag = "ALTER DATABASE"
	}
	return govern(ctx, s, tag, func(g *governing) {
		g.checkDatabase(stmt.Database.Name)
		switch {
		case stmt.Owner && !g.state().Owns(g.User(), access.TheDatabase):
			panic(session.Denied("must be owner of database %s", stmt.Database.Name))
		case !stmt.Owner && !g.Superuser():
			panic(session.Denied("must be superuser to alter settings globally"))
		case stmt.Limit && !g.Superuser():
			panic(session.Denied("must be superuser to bound the settings of a role"))
		}
		g.roles(func(state *access.State) *access.Roles {
			next := &access.Role{Settings: slices.Clone(state.Everyone().Settings)}
			g.changeSettings(next, stmt)
			return state.Roles.WithEveryone(next.Settings)
		})
	})
}

// changeSettings changes the settings of a role. Only superusers take bounds away.
func (g *governing) changeSettings(role *access.Role, stmt *sql.AlterRoleSet) {
	all := stmt.Set.Default && stmt.Set.Name == "all"
	name := strings.ToLower(stmt.Set.Name)
	if !all && !settings.IsRole(name) {
		setting := sqlstate.Must(settings.Find(name))
		name = setting.Name
	}
	text := stmt.Set.Value
	if stmt.Set.Name == name && name == "is_superuser" {
		panic(value.Errorf(value.CodeCannotChangeParameter, "parameter %q cannot be changed", name))
	}
	if !stmt.Set.Default {
		g.checkSetting(name, stmt)
	}
	role.Settings = slices.DeleteFunc(role.Settings, func(s access.Setting) bool {
		mine := s.Database == stmt.Database.Name && (all || s.Name == name)
		if stmt.Set.Default {
			return mine && (!s.Limit || g.Superuser())
		}
		return mine && s.Limit == stmt.Limit
	})
	if !stmt.Set.Default {
		role.Settings = append(role.Settings, access.Setting{Database: stmt.Database.Name, Name: name, Value: text, Limit: stmt.Limit})
	}
}

// checkSetting fails for a value that a setting cannot have, and for a bound of a
// setting that cannot have any.
func (g *governing) checkSetting(name string, stmt *sql.AlterRoleSet) {
	if _, ok := settings.Bounded[name]; stmt.Limit && !ok {
		panic(value.Errorf(value.CodeInvalidParameter, "parameter %q cannot have a bound", name))
	}
	if settings.IsRole(name) {
		return // PostgreSQL too looks at it when the role logs in
	}
	setting := sqlstate.Must(settings.Find(name))
	sqlstate.Check(g.MaySet(setting))
	trial := g.Settings
	sqlstate.Check(setting.Set(&trial, stmt.Set.Value))
}
