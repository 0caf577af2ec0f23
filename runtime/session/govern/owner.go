package govern

import (
	"context"

	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
)

// mustOwn fails where the session's role does not have the rights of an object's owner.
func mustOwn(s *session.Session, state *access.State, o access.Object, kind store.Kind, name string) error {
	if state.Owns(s.User(), o) {
		return nil
	}
	return session.Denied("must be owner of %s %s", kind, name)
}

// giveTo makes a role the owner of an object.
func (g *governing) giveTo(o access.Object, owner access.OID) error {
	return g.tx.ChangeGrants(g.ctx, o, func(_ *access.State, old *access.Grants) (*access.Grants, error) {
		next := *old
		next.Owner, next.ACL = owner, old.ACL.NewOwner(old.Owner, owner)
		if old.Columns != nil {
			next.Columns = map[string]access.ACL{}
		}
		for c, acl := range old.Columns {
			next.Columns[c] = acl.NewOwner(old.Owner, owner)
		}
		return &next, nil
	})
}

// mayGiveTo fails where the session's role may not make another one an owner.
func (g *governing) mayGiveTo(to *access.Role) error {
	if !g.state().IsMember(g.User(), to.OID) {
		return session.Denied("must be member of role %q", to.Name)
	}
	return nil
}

// ChangeOwner runs OWNER TO of ALTER TABLE, ALTER VIEW and ALTER SEQUENCE, whose owner has been
// looked at. The sequences of a table go with it.
func ChangeOwner(ctx context.Context, s *session.Session, tx *store.Tx, res *result.Result, key string, owner sql.RoleRef) error {
	g := &governing{Session: s, ctx: ctx, tx: tx, res: res}
	to, err := g.roleOf(owner)
	if err != nil {
		return err
	}
	o := store.AccessTo(store.KindOf(tx.State().Lookup(key)), key)
	if g.state().Grants(o).Owner == to.OID {
		return nil
	}
	if !g.Superuser() {
		if err := g.mayGiveTo(to); err != nil {
			return err
		}
		if schema := access.SchemaObject(store.SchemaOf(key)); !g.state().Can(to.OID, schema, access.Create) {
			return session.Denied("permission denied for schema %s", schema.Name)
		}
	}
	for _, q := range tx.State().OwnedBy(key, "") {
		if err := g.giveTo(store.AccessTo(store.KindSequence, store.KeyOf(q)), to.OID); err != nil {
			return err
		}
	}
	return g.giveTo(o, to.OID)
}

// SchemaOwner is the role that owns a schema which the session creates: itself, unless another
// one is named. It fails where the session's role may not create the schema.
func SchemaOwner(ctx context.Context, s *session.Session, tx *store.Tx, named *sql.RoleRef) (access.OID, error) {
	g := &governing{Session: s, ctx: ctx, tx: tx}
	owner := g.User()
	if named != nil {
		role, err := g.roleOf(*named)
		if err == nil {
			err = g.mayGiveTo(role)
		}
		if err != nil {
			return 0, err
		}
		owner = role.OID
	}
	if !g.state().Can(g.User(), access.TheDatabase, access.Create) {
		return 0, session.Denied("permission denied for database %s", g.Identity.Database)
	}
	return owner, nil
}

// AlterOwner runs ALTER SCHEMA and ALTER DATABASE OWNER TO.
func AlterOwner(ctx context.Context, s *session.Session, stmt *sql.AlterOwner) (*result.Result, error) {
	tag, o := "ALTER SCHEMA", access.Object{Kind: access.Schema, Name: stmt.Name.Name}
	if stmt.Kind == "database" {
		tag, o = "ALTER DATABASE", access.TheDatabase
	}
	return govern(ctx, s, tag, func(g *governing) error {
		to, err := g.roleOf(stmt.To)
		if err != nil {
			return err
		}
		if err := g.checkObject(o, stmt.Name.Name); err != nil {
			return err
		}
		state := g.state()
		if state.Grants(o).Owner == to.OID {
			return nil
		}
		if !state.Owns(g.User(), o) {
			return session.Denied("must be owner of %s %s", o.Kind, stmt.Name.Name)
		}
		if err := g.mayGiveTo(to); err != nil {
			return err
		}
		role := state.Role(g.User())
		switch {
		case o.Kind == access.Schema && !state.Can(g.User(), access.TheDatabase, access.Create):
			return session.Denied("permission denied for database %s", g.Identity.Database)
		case o.Kind == access.Database && !role.CreateDB && !role.Superuser:
			return session.Denied("permission denied to change owner of database")
		}
		return g.giveTo(o, to.OID)
	})
}
