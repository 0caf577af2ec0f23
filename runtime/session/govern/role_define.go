package govern

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// checkOptions fails where an option stands twice.
func checkOptions(list []sql.RoleOption) {
	for i, o := range list {
		if slices.ContainsFunc(list[:i], func(before sql.RoleOption) bool { return before.Name == o.Name }) {
			panic(value.ErrorAt(int(o.Pos), value.CodeSyntax, "conflicting or redundant options"))
		}
	}
}

// roleOption finds an option by its name.
func roleOption(list []sql.RoleOption, name string) *sql.RoleOption {
	at := slices.IndexFunc(list, func(o sql.RoleOption) bool { return o.Name == name })
	if at < 0 {
		return nil
	}
	return &list[at]
}

// CreateRole runs CREATE ROLE.
func CreateRole(ctx context.Context, s *session.Session, stmt *sql.CreateRole) *result.Result {
	return govern(ctx, s, "CREATE ROLE", func(g *governing) {
		checkOptions(stmt.Options)
		g.mayCreate(stmt.Options)
		if access.Reserved(stmt.Name.Name) {
			panic(errReserved(stmt.Name.Name))
		}
		role := &access.Role{Name: stmt.Name.Name, Inherit: true, Login: stmt.Kind == "user", ConnectionLimit: -1}
		g.applyOptions(role, stmt.Options)
		g.roles(func(state *access.State) *access.Roles {
			sqlstate.Check(CheckNewRole(state, role.Name))
			return state.Roles.With(role)
		})
		g.firstMembers(role, stmt.Options)
	})
}

// mayCreate fails where the session's role may not create a role with such options.
func (g *governing) mayCreate(options []sql.RoleOption) {
	on := func(name string) bool { o := roleOption(options, name); return o != nil && o.On }
	switch super := g.Superuser(); {
	case on("superuser") && !super:
		panic(session.Denied("must be superuser to create superusers"))
	case on("replication") && !super:
		panic(session.Denied("must be superuser to create replication users"))
	case on("bypassrls") && !super:
		panic(session.Denied("must be superuser to create bypassrls users"))
	case !g.mayCreateRoles():
		panic(session.Denied("permission denied to create role"))
	}
}

// firstMembers makes a new role a member of others, and others members of it.
func (g *governing) firstMembers(role *access.Role, options []sql.RoleOption) {
	if o := roleOption(options, "in role"); o != nil {
		groups := g.rolesOf(o.Roles)
		for _, group := range groups {
			g.addMembers(group, []*access.Role{role}, g.User(), false)
		}
	}
	for _, name := range []string{"admin", "role"} {
		o := roleOption(options, name)
		if o == nil {
			continue
		}
		members := g.rolesOf(o.Roles)
		g.addMembers(role, members, g.User(), name == "admin")
	}
}

// applyOptions applies the options of CREATE or ALTER ROLE to a role.
func (g *governing) applyOptions(role *access.Role, options []sql.RoleOption) {
	flags := map[string]*bool{
		"superuser": &role.Superuser, "inherit": &role.Inherit, "createrole": &role.CreateRole, "createdb": &role.CreateDB,
		"login": &role.Login, "replication": &role.Replication, "bypassrls": &role.BypassRLS,
	}
	for i := range options {
		o := &options[i]
		switch o.Name {
		case "password":
			g.applyPassword(role, o)
		case "connection limit":
			role.ConnectionLimit = connectionLimit(o.Text)
		case "valid until":
			role.ValidUntil = g.validUntil(o.Text)
		default:
			if flag := flags[o.Name]; flag != nil {
				*flag = o.On
			}
		}
	}
}

// connectionLimit reads a CONNECTION LIMIT.
func connectionLimit(text string) int {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < -1 {
		panic(value.Errorf(value.CodeInvalidParameter, "invalid connection limit: %s", text))
	}
	return int(n)
}

// validUntil reads a VALID UNTIL.
func (g *governing) validUntil(text string) *int64 {
	until := int64(access.Forever)
	if !strings.EqualFold(strings.TrimSpace(text), "infinity") {
		until = sqlstate.Must(value.ParseTimestampTZ(text, g.Settings.Location()))
	}
	return &until
}

// applyPassword sets the password of a role, as what it is checked by. A verifier is taken
// as it is.
func (g *governing) applyPassword(role *access.Role, o *sql.RoleOption) {
	text := o.Text
	if !o.Null && text == "" {
		g.res.Notices = append(g.res.Notices, result.NewNotice(value.CodeSuccess, "empty string is not a valid password, clearing password"))
	}
	if o.Null || text == "" {
		role.Verifier = ""
		return
	}
	if strings.HasPrefix(text, verifierMechanism+"$") {
		if _, err := ParseVerifier(text); err == nil {
			role.Verifier = text
			return
		}
	}
	if len(text) == 35 && strings.HasPrefix(text, "md5") && strings.Trim(text[3:], "0123456789abcdef") == "" {
		panic(value.Errorf(value.CodeFeatureNotSupported, "passwords hashed with MD5 are not supported: give the password or a SCRAM-SHA-256 verifier"))
	}
	sqlstate.Check(CheckPassword(text, g.DB.MinPassword))
	verifier, err := PasswordVerifier(text)
	role.Verifier = verifier
	sqlstate.Check(err)
}

// addMembers makes roles members of another one.
func (g *governing) addMembers(group *access.Role, members []*access.Role, grantor access.OID, admin bool) {
	if len(members) == 0 {
		return
	}
	g.mayGrantRole(group)
	if group.OID == access.DatabaseOwner {
		panic(refused("role %q cannot have explicit members", group.Name))
	}
	if grantor != g.User() && !g.Superuser() {
		panic(session.Denied("must be superuser to set grantor"))
	}
	g.roles(func(state *access.State) *access.Roles {
		next := *state
		for _, m := range members {
			if m.OID == access.DatabaseOwner {
				panic(refused("role %q cannot be a member of any role", m.Name))
			}
			if next.IsGrantedMember(group.OID, m.OID) {
				panic(value.Errorf(value.CodeInvalidGrant, "role %q is a member of role %q", group.Name, m.Name))
			}
			if had, ok := next.Membership(group.OID, m.OID); ok && (had.Admin || !admin) {
				g.res.Notices = append(g.res.Notices, result.NewNotice(value.CodeSuccess, "role %q is already a member of role %q", m.Name, group.Name))
				continue
			}
			next.Roles = next.Roles.WithMember(access.Membership{Role: group.OID, Member: m.OID, Grantor: grantor, Admin: admin})
		}
		return next.Roles
	})
}

// mayGrantRole fails where the session's role may not decide who is a member of another.
func (g *governing) mayGrantRole(group *access.Role) {
	switch {
	case group.Superuser && !g.Superuser():
		panic(session.Denied("must be superuser to alter superusers"))
	case !group.Superuser && !g.mayCreateRoles() && !g.state().IsAdmin(g.User(), group.OID):
		panic(session.Denied("must have admin option on role %q", group.Name))
	}
}

// removeMembers takes memberships back, or with admin only the option to grant them.
func (g *governing) removeMembers(group *access.Role, members []*access.Role, admin bool) {
	if len(members) == 0 {
		return
	}
	g.mayGrantRole(group)
	g.roles(func(state *access.State) *access.Roles {
		next := state.Roles
		for _, m := range members {
			had, ok := next.Membership(group.OID, m.OID)
			switch {
			case !ok:
				g.res.Notices = append(g.res.Notices, result.NewWarning(value.CodeWarning, fmt.Sprintf("role %q is not a member of role %q", m.Name, group.Name)))
			case admin:
				had.Admin = false
				next = next.WithMember(had)
			default:
				next = next.WithoutMember(group.OID, m.OID)
			}
		}
		return next
	})
}

// GrantRole runs GRANT and REVOKE of roles.
func GrantRole(ctx context.Context, s *session.Session, stmt *sql.GrantRole) *result.Result {
	tag := "GRANT ROLE"
	if stmt.Revoke {
		tag = "REVOKE ROLE"
	}
	return govern(ctx, s, tag, func(g *governing) {
		grantor := g.User()
		if stmt.GrantedBy != nil {
			by := g.roleOf(*stmt.GrantedBy)
			grantor = by.OID
		}
		members := g.rolesOf(stmt.Members)
		for _, id := range stmt.Roles {
			group := g.state().Named(id.Name)
			if group == nil {
				panic(pgcatalog.ErrNoRole(id.Name))
			}
			if stmt.Revoke {
				g.removeMembers(group, members, stmt.Admin)
			} else {
				g.addMembers(group, members, grantor, stmt.Admin)
			}
		}
	})
}
