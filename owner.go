package cubeloom

import (
	"context"

	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// relationObject is a table or view as package access knows it.
func relationObject(name string) access.Object {
	return access.Object{Kind: access.Relation, Name: name}
}

// mustOwn fails where the session's role does not have the rights of an object's owner.
func (s *Session) mustOwn(state *access.State, o access.Object, kind store.Kind, name string) error {
	if state.Owns(s.user(), o) {
		return nil
	}
	return denied("must be owner of %s %s", kind, name)
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
	if !g.state().IsMember(g.user(), to.OID) {
		return denied("must be member of role %q", to.Name)
	}
	return nil
}

// changeOwner runs OWNER TO of ALTER TABLE and ALTER VIEW, whose owner has been looked
// at.
func (s *Session) changeOwner(ctx context.Context, tx *store.Tx, res *answer, name string, owner sql.RoleRef) error {
	g := &governing{Session: s, ctx: ctx, tx: tx, res: res}
	to, err := g.roleOf(owner)
	if err != nil {
		return err
	}
	o := relationObject(name)
	if g.state().Grants(o).Owner == to.OID {
		return nil
	}
	if !g.superuser() {
		if err := g.mayGiveTo(to); err != nil {
			return err
		}
		if !g.state().Can(to.OID, access.PublicSchema, access.Create) {
			return denied("permission denied for schema %s", access.PublicSchema.Name)
		}
	}
	return g.giveTo(o, to.OID)
}

// alterOwner runs ALTER SCHEMA and ALTER DATABASE OWNER TO.
func (s *Session) alterOwner(ctx context.Context, stmt *sql.AlterOwner) (*answer, error) {
	tag, o := "ALTER SCHEMA", access.Object{Kind: access.Schema, Name: stmt.Name.Name}
	if stmt.Kind == "database" {
		tag, o = "ALTER DATABASE", access.TheDatabase
	}
	return s.govern(ctx, tag, func(g *governing) error {
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
		if !state.Owns(g.user(), o) {
			return denied("must be owner of %s %s", o.Kind, stmt.Name.Name)
		}
		if err := g.mayGiveTo(to); err != nil {
			return err
		}
		role := state.Role(g.user())
		switch {
		case o.Kind == access.Schema && !state.Can(g.user(), access.TheDatabase, access.Create):
			return denied("permission denied for database %s", g.identity.Database)
		case o.Kind == access.Database && !role.CreateDB && !role.Superuser:
			return denied("permission denied to change owner of database")
		}
		return g.giveTo(o, to.OID)
	})
}

// checkObject fails for a schema or database that there is not.
func (g *governing) checkObject(o access.Object, name string) error {
	if o.Kind == access.Database {
		return g.checkDatabase(name)
	}
	if name != store.Schema && name != pgcatalog.Schema && name != pgcatalog.InformationSchema {
		return value.Errorf(value.CodeUndefinedSchema, "schema %q does not exist", name)
	}
	return nil
}
