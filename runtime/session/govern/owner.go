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
func (g *governing) giveTo(o access.Object, owner access.OID) {
	g.grants(o, func(_ *access.State, old *access.Grants) *access.Grants {
		next := *old
		next.Owner, next.ACL = owner, old.ACL.NewOwner(old.Owner, owner)
		if old.Columns != nil {
			next.Columns = map[string]access.ACL{}
		}
		for c, acl := range old.Columns {
			next.Columns[c] = acl.NewOwner(old.Owner, owner)
		}
		return &next
	})
}

// mayGiveTo fails where the session's role may not make another one an owner.
func (g *governing) mayGiveTo(to *access.Role) {
	if !g.state().IsMember(g.User(), to.OID) {
		panic(session.Denied("must be member of role %q", to.Name))
	}
}

// ChangeOwner runs OWNER TO of ALTER TABLE, ALTER VIEW and ALTER SEQUENCE, whose owner has been
// looked at. The sequences of a table go with it.
func ChangeOwner(ctx context.Context, s *session.Session, tx *store.Tx, res *result.Result, key string, owner sql.RoleRef) {
	g := &governing{Session: s, ctx: ctx, tx: tx, res: res}
	to := g.roleOf(owner)
	o := store.AccessTo(store.KindOf(tx.State().Lookup(key)), key)
	if g.state().Grants(o).Owner == to.OID {
		return
	}
	if !g.Superuser() {
		g.mayGiveTo(to)
		if schema := access.SchemaObject(store.SchemaOf(key)); !g.state().Can(to.OID, schema, access.Create) {
			panic(session.Denied("permission denied for schema %s", schema.Name))
		}
	}
	for _, q := range tx.State().OwnedBy(key, "") {
		g.giveTo(store.AccessTo(store.KindSequence, store.KeyOf(q)), to.OID)
	}
	g.giveTo(o, to.OID)
}

// SchemaOwner is the role that owns a schema which the session creates: itself, unless another
// one is named. It fails where the session's role may not create the schema.
func SchemaOwner(ctx context.Context, s *session.Session, tx *store.Tx, named *sql.RoleRef) access.OID {
	g := &governing{Session: s, ctx: ctx, tx: tx}
	owner := g.User()
	if named != nil {
		role := g.roleOf(*named)
		g.mayGiveTo(role)
		owner = role.OID
	}
	if !g.state().Can(g.User(), access.TheDatabase, access.Create) {
		panic(session.Denied("permission denied for database %s", g.Identity.Database))
	}
	return owner
}

// AlterOwner runs ALTER SCHEMA and ALTER DATABASE OWNER TO.
func AlterOwner(ctx context.Context, s *session.Session, stmt *sql.AlterOwner) *result.Result {
	tag, o := "ALTER SCHEMA", access.Object{Kind: access.Schema, Name: stmt.Name.Name}
	if stmt.Kind == "database" {
		tag, o = "ALTER DATABASE", access.TheDatabase
	}
	return govern(ctx, s, tag, func(g *governing) {
		to := g.roleOf(stmt.To)
		g.checkObject(o, stmt.Name.Name)
		state := g.state()
		if state.Grants(o).Owner == to.OID {
			return
		}
		if !state.Owns(g.User(), o) {
			panic(session.Denied("must be owner of %s %s", o.Kind, stmt.Name.Name))
		}
		g.mayGiveTo(to)
		role := state.Role(g.User())
		switch {
		case o.Kind == access.Schema && !state.Can(g.User(), access.TheDatabase, access.Create):
			panic(session.Denied("permission denied for database %s", g.Identity.Database))
		case o.Kind == access.Database && !role.CreateDB && !role.Superuser:
			panic(session.Denied("permission denied to change owner of database"))
		}
		g.giveTo(o, to.OID)
	})
}
