package cubeloom

import (
	"context"
	"slices"

	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/govern"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/access"
)

// Role is a user or group of a database. The caller must not change one that a DB
// gives.
type Role = access.Role

// BootstrapRole is the number of the superuser that every database has: embedded
// sessions are its, and it owns what nobody else does.
const BootstrapRole = uint32(access.Bootstrap)

// Role finds a role by its name, nil where there is none.
func (db *DB) Role(name string) *Role { return db.core.Tables.State().Access().Named(name) }

// Roles are the roles of the database by their numbers, the predefined ones among
// them. Role.Predefined says which those are.
func (db *DB) Roles() []*Role { return db.core.Tables.State().Access().All() }

// HasUsers reports whether there are users: roles that can log in with a password.
func (db *DB) HasUsers() bool { return db.core.Tables.State().Access().HasPassword() }

// CountRoles is the number of roles, the predefined ones among them.
func (db *DB) CountRoles() int { return db.core.Tables.State().Access().Count() }

// IsMember reports whether a role is another or a member of it, directly or through
// others, as pg_has_role(…, 'MEMBER') does. Superusers are members of every role.
// Names that are no roles are members of nothing.
func (db *DB) IsMember(member, role string) bool {
	state := db.core.Tables.State().Access()
	m, r := state.Named(member), state.Named(role)
	return m != nil && r != nil && state.IsMember(m.OID, r.OID)
}

// MayConnect reports whether a role has the privilege to connect to the database.
func (db *DB) MayConnect(role *Role) bool {
	return db.core.Tables.State().Access().Can(role.OID, access.TheDatabase, access.Connect)
}

// CreateRole adds a role; its OID is given by the database. It fails with 42710 where
// there is one of that name and with 42939 for a name that is reserved. A role that
// was created so has no privileges but those of everyone.
func (db *DB) CreateRole(ctx context.Context, role Role) error {
	return db.changeRoles(ctx, func(state *access.State) (*access.Roles, error) {
		if err := govern.CheckNewRole(state, role.Name); err != nil {
			return nil, err
		}
		role.OID = 0
		return state.Roles.With(&role), nil
	})
}

// ChangeRole lets change change a copy of a role: its password, its name, its
// attributes. It fails with 42704 where there is no such role, and as CreateRole does
// for its new name.
func (db *DB) ChangeRole(ctx context.Context, name string, change func(*Role) error) error {
	return db.changeRoles(ctx, func(state *access.State) (*access.Roles, error) {
		old := state.Named(name)
		if old == nil {
			return nil, pgcatalog.ErrNoRole(name)
		}
		next := *old
		next.Settings = slices.Clone(old.Settings)
		if err := change(&next); err != nil {
			return nil, err
		}
		if next.OID = old.OID; next.Name != old.Name {
			if err := govern.CheckNewRole(state, next.Name); err != nil {
				return nil, err
			}
		}
		return state.Roles.With(&next), nil
	})
}

// AdmitRole makes an ordinary role that may log in and create tables in the schema
// public, unless there is a role of that name. It is for servers that let in every
// user.
func (db *DB) AdmitRole(ctx context.Context, name string) error {
	if db.Role(name) != nil {
		return nil
	}
	return db.changeAccess(ctx, func(tx *store.Tx) error {
		var oid access.OID
		err := tx.ChangeRoles(ctx, func(state *access.State) (*access.Roles, error) {
			if state.Named(name) != nil { // made meanwhile
				return state.Roles, nil
			}
			if err := govern.CheckNewRole(state, name); err != nil {
				return nil, err
			}
			role := &Role{Name: name, Inherit: true, Login: true, ConnectionLimit: -1}
			next := state.Roles.With(role)
			oid = role.OID
			return next, nil
		})
		if err != nil || oid == 0 {
			return err
		}
		return tx.ChangeGrants(ctx, access.PublicSchema, func(state *access.State, g *access.Grants) (*access.Grants, error) {
			next := *g
			var err error
			next.ACL, err = state.Grant(g.Effective(access.Schema), g.Owner,
				access.Item{Grantee: oid, Grantor: g.Owner, Rights: access.Usage | access.Create})
			return &next, err
		})
	})
}

// changeRoles changes the roles in a transaction of its own.
func (db *DB) changeRoles(ctx context.Context, change func(*access.State) (*access.Roles, error)) error {
	return db.changeAccess(ctx, func(tx *store.Tx) error { return tx.ChangeRoles(ctx, change) })
}

// changeAccess changes roles or grants in a transaction of its own.
func (db *DB) changeAccess(ctx context.Context, change func(*store.Tx) error) error {
	tx := db.core.Tables.Begin()
	defer tx.Rollback()
	if err := change(tx); err != nil {
		return session.UserError(ctx, err)
	}
	return tx.Commit()
}
