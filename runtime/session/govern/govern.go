// Package govern runs the statements about roles, owners and privileges, and COMMENT, which
// is kept beside the privileges. govern.go is what they share, password.go what a role holds
// of its password, and each other file one statement or a few of a kind.
package govern

import (
	"context"

	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// checkObject fails for a schema or database that there is not.
func (g *governing) checkObject(o access.Object, name string) {
	if o.Kind == access.Database {
		g.checkDatabase(name)
		return
	}
	if !g.state().HasSchema(name) && name != pgcatalog.Schema && name != pgcatalog.InformationSchema {
		panic(session.NoSchema(name))
	}
}

// checkDatabase fails for a database that is not the session's; "" stands for all.
func (g *governing) checkDatabase(name string) {
	if name != "" && name != g.Identity.Database {
		panic(value.Errorf(pgcatalog.CodeUndefinedDatabase, "database %q does not exist", name))
	}
}

// governing is a statement about roles, owners or privileges while it runs.
type governing struct {
	*session.Session
	ctx context.Context
	tx  *store.Tx
	res *result.Result
}

// govern runs a statement about roles, owners or privileges. What it calls panics with the error
// of the statement, which govern returns.
func govern(ctx context.Context, s *session.Session, tag string, do func(*governing)) *result.Result {
	g := &governing{Session: s, ctx: ctx, res: &result.Result{Tag: tag}}
	s.Change(tag, func(tx *store.Tx) {
		g.tx = tx
		do(g)
	})
	return g.res
}

// state is who may do what, with what the statement has changed so far.
func (g *governing) state() *access.State { return g.tx.Access() }

// roles changes the roles.
func (g *governing) roles(change func(*access.State) *access.Roles) {
	sqlstate.Check(g.tx.ChangeRoles(g.ctx, func(state *access.State) (*access.Roles, error) {
		return sqlstate.Try(func() *access.Roles { return change(state) })
	}))
}

// grants changes what is granted on an object.
func (g *governing) grants(o access.Object, change func(state *access.State, old *access.Grants) *access.Grants) {
	sqlstate.Check(g.tx.ChangeGrants(g.ctx, o, func(state *access.State, old *access.Grants) (*access.Grants, error) {
		return sqlstate.Try(func() *access.Grants { return change(state, old) })
	}))
}

// roleOf is the role that a statement names.
func (g *governing) roleOf(ref sql.RoleRef) *access.Role {
	state := g.state()
	name := ref.Name
	switch ref.Word {
	case "current_user", "current_role":
		return g.present(g.User())
	case "session_user":
		return g.present(g.Settings.SessionRole)
	case "public":
		name = "public"
	}
	if role := state.Named(name); role != nil {
		return role
	}
	panic(pgcatalog.ErrNoRole(name))
}

// present is the role of the session, which another one may have dropped.
func (g *governing) present(oid access.OID) *access.Role {
	if role := g.state().Role(oid); role != nil {
		return role
	}
	panic(pgcatalog.ErrNoRole(g.state().NameOf(oid)))
}

// rolesOf are the roles that a statement names.
func (g *governing) rolesOf(refs []sql.RoleRef) []*access.Role {
	return lists.Map(refs, g.roleOf)
}

// mayCreateRoles reports whether the session's role has CREATEROLE or is a superuser.
func (g *governing) mayCreateRoles() bool {
	role := g.state().Role(g.User())
	return role != nil && (role.Superuser || role.CreateRole)
}

// refused is an error of a user that PostgreSQL has no SQLSTATE for.
func refused(format string, args ...any) error {
	e := value.Errorf(value.CodeInternal, format, args...)
	e.Expected = true
	return e
}
