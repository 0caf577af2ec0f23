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
	"github.com/cubeloom/cubeloom/sql/value"
)

// AlterRole runs ALTER ROLE with options, and ALTER GROUP.
func AlterRole(ctx context.Context, s *session.Session, stmt *sql.AlterRole) (*result.Result, error) {
	return govern(ctx, s, "ALTER ROLE", func(g *governing) error {
		if err := checkOptions(stmt.Options); err != nil {
			return err
		}
		role, err := g.alterable(stmt.Role)
		if err != nil {
			return err
		}
		if err := g.mayAlter(role, stmt.Options); err != nil {
			return err
		}
		if stmt.Group {
			return g.alterGroup(role, &stmt.Options[0])
		}
		next := *role
		if err := g.applyOptions(&next, stmt.Options); err != nil {
			return err
		}
		return g.replaceRole(role, func(r *access.Role) error { settings := r.Settings; *r = next; r.Settings = settings; return nil })
	})
}

// replaceRole changes a role as it is now.
func (g *governing) replaceRole(role *access.Role, change func(*access.Role) error) error {
	return g.roles(func(state *access.State) (*access.Roles, error) {
		old := state.Role(role.OID)
		if old == nil {
			return nil, pgcatalog.ErrNoRole(role.Name)
		}
		next := *old
		next.Settings = slices.Clone(old.Settings)
		if err := change(&next); err != nil {
			return nil, err
		}
		return state.Roles.With(&next), nil
	})
}

// alterable is a role that a statement names and that can be altered.
func (g *governing) alterable(ref sql.RoleRef) (*access.Role, error) {
	if access.Reserved(ref.Name) {
		return nil, &value.Error{Code: value.CodeReservedName, Pos: value.NoPos, Message: fmt.Sprintf("role name %q is reserved", ref.Name),
			Detail: "Cannot alter reserved roles."}
	}
	return g.roleOf(ref)
}

// mayAlter fails where the session's role may not change a role so. A role may change
// its own password.
func (g *governing) mayAlter(role *access.Role, options []sql.RoleOption) error {
	super := g.Superuser()
	switch {
	case (role.Superuser || roleOption(options, "superuser") != nil) && !super:
		return session.Denied("must be superuser to alter superuser roles or change superuser attribute")
	case (role.Replication || roleOption(options, "replication") != nil) && !super:
		return session.Denied("must be superuser to alter replication roles or change replication attribute")
	case roleOption(options, "bypassrls") != nil && !super:
		return session.Denied("must be superuser to change bypassrls attribute")
	case !g.mayCreateRoles() && !(role.OID == g.User() && len(options) == 1 && options[0].Name == "password"):
		return session.Denied("permission denied")
	}
	return nil
}

// alterGroup runs ALTER GROUP ADD and DROP USER.
func (g *governing) alterGroup(group *access.Role, o *sql.RoleOption) error {
	members, err := g.rolesOf(o.Roles)
	if err != nil {
		return err
	}
	if o.On {
		return g.addMembers(group, members, g.User(), false)
	}
	return g.removeMembers(group, members, false)
}

// RenameRole runs ALTER ROLE RENAME.
func RenameRole(ctx context.Context, s *session.Session, stmt *sql.RenameRole) (*result.Result, error) {
	return govern(ctx, s, "ALTER ROLE", func(g *governing) error {
		role := g.state().Named(stmt.From.Name)
		switch {
		case role == nil:
			return pgcatalog.ErrNoRole(stmt.From.Name)
		case role.OID == g.Settings.SessionRole:
			return value.Errorf(value.CodeFeatureNotSupported, "session user cannot be renamed")
		case role.OID == g.User():
			return value.Errorf(value.CodeFeatureNotSupported, "current user cannot be renamed")
		case access.Reserved(role.Name):
			return errReserved(role.Name)
		case access.Reserved(stmt.To.Name):
			return errReserved(stmt.To.Name)
		case g.state().Named(stmt.To.Name) != nil:
			return value.Errorf(value.CodeDuplicateObject, "role %q already exists", stmt.To.Name)
		case role.Superuser && !g.Superuser():
			return session.Denied("must be superuser to rename superusers")
		case !g.mayCreateRoles():
			return session.Denied("permission denied to rename role")
		}
		return g.replaceRole(role, func(r *access.Role) error { r.Name = stmt.To.Name; return nil })
	})
}

// AlterRoleSet runs ALTER ROLE SET and RESET.
func AlterRoleSet(ctx context.Context, s *session.Session, stmt *sql.AlterRoleSet) (*result.Result, error) {
	if stmt.Role == nil {
		return alterEveryone(ctx, s, stmt)
	}
	return govern(ctx, s, "ALTER ROLE", func(g *governing) error {
		role, err := g.alterable(*stmt.Role)
		switch {
		case err != nil:
			return err
		case role.Superuser && !g.Superuser():
			return session.Denied("must be superuser to alter superusers")
		case !role.Superuser && !g.mayCreateRoles() && role.OID != g.User():
			return session.Denied("permission denied")
		case stmt.Limit && !g.Superuser():
			return session.Denied("must be superuser to bound the settings of a role")
		}
		if err := g.checkDatabase(stmt.Database.Name); err != nil {
			return err
		}
		return g.replaceRole(role, func(r *access.Role) error { return g.changeSettings(r, stmt) })
	})
}

// alterEveryone runs ALTER ROLE ALL and ALTER DATABASE, with SET and RESET: superusers
// change what all sessions start with, and the owner of a database what those in it do.
func alterEveryone(ctx context.Context, s *session.Session, stmt *sql.AlterRoleSet) (*result.Result, error) {
	tag := "ALTER ROLE"
	if stmt.Owner {
		tag = "ALTER DATABASE"
	}
	return govern(ctx, s, tag, func(g *governing) error {
		if err := g.checkDatabase(stmt.Database.Name); err != nil {
			return err
		}
		switch {
		case stmt.Owner && !g.state().Owns(g.User(), access.TheDatabase):
			return session.Denied("must be owner of database %s", stmt.Database.Name)
		case !stmt.Owner && !g.Superuser():
			return session.Denied("must be superuser to alter settings globally")
		case stmt.Limit && !g.Superuser():
			return session.Denied("must be superuser to bound the settings of a role")
		}
		return g.roles(func(state *access.State) (*access.Roles, error) {
			next := &access.Role{Settings: slices.Clone(state.Everyone().Settings)}
			err := g.changeSettings(next, stmt)
			return state.Roles.WithEveryone(next.Settings), err
		})
	})
}

// changeSettings changes the settings of a role. Only superusers take bounds away.
func (g *governing) changeSettings(role *access.Role, stmt *sql.AlterRoleSet) error {
	all := stmt.Set.Default && stmt.Set.Name == "all"
	name := strings.ToLower(stmt.Set.Name)
	if !all && !settings.IsRole(name) {
		setting, err := settings.Find(name)
		if err != nil {
			return err
		}
		name = setting.Name
	}
	text := stmt.Set.Value
	if stmt.Set.Name == name && name == "is_superuser" {
		return value.Errorf(value.CodeCannotChangeParameter, "parameter %q cannot be changed", name)
	}
	if !stmt.Set.Default {
		if err := g.checkSetting(name, stmt); err != nil {
			return err
		}
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
	return nil
}

// checkSetting fails for a value that a setting cannot have, and for a bound of a
// setting that cannot have any.
func (g *governing) checkSetting(name string, stmt *sql.AlterRoleSet) error {
	if _, ok := settings.Bounded[name]; stmt.Limit && !ok {
		return value.Errorf(value.CodeInvalidParameter, "parameter %q cannot have a bound", name)
	}
	if settings.IsRole(name) {
		return nil // PostgreSQL too looks at it when the role logs in
	}
	setting, err := settings.Find(name)
	if err != nil {
		return err
	}
	if err := g.MaySet(setting); err != nil {
		return err
	}
	trial := g.Settings
	return setting.Set(&trial, stmt.Set.Value)
}
