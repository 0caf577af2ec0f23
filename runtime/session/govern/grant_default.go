package govern

import (
	"context"

	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// DefaultPrivileges runs ALTER DEFAULT PRIVILEGES.
func DefaultPrivileges(ctx context.Context, s *session.Session, stmt *sql.DefaultPrivileges) (*result.Result, error) {
	return govern(ctx, s, "ALTER DEFAULT PRIVILEGES", func(g *governing) error {
		gr := &granting{governing: g, stmt: stmt.Grant}
		var err error
		if gr.grantees, err = g.grantees(stmt.Grant.Grantees); err != nil {
			return err
		}
		kind := grantKinds[stmt.Grant.On]
		if err := gr.defaults(kind); err != nil {
			return err
		}
		owners, err := g.defaultOwners(stmt.Roles)
		if err != nil {
			return err
		}
		for _, owner := range owners {
			if err := gr.defaultsOf(owner, kind, stmt.Schemas); err != nil {
				return err
			}
		}
		return nil
	})
}

// defaults reads the privileges of the statement.
func (g *granting) defaults(kind access.Kind) error {
	for _, p := range g.stmt.Privileges {
		if p.Columns != nil {
			return value.Errorf(value.CodeInvalidGrant, "default privileges cannot be set for columns")
		}
		if p.Name == "all" {
			g.whole |= kind.All()
			continue
		}
		word := string(kind)
		if kind == access.Relation {
			word = "relation"
		}
		bit := access.ParsePrivilege(p.Name)
		switch {
		case bit == 0:
			return value.Errorf(value.CodeSyntax, "unrecognized privilege type %q", p.Name)
		case bit&kind.All() == 0:
			return errPrivilege(bit, word)
		}
		g.whole |= bit
	}
	return nil
}

// defaultOwners are the roles whose default privileges are changed.
func (g *governing) defaultOwners(refs []sql.RoleRef) ([]access.OID, error) {
	if refs == nil {
		return []access.OID{g.User()}, nil
	}
	var list []access.OID
	for _, ref := range refs {
		role, err := g.roleOf(ref)
		if err != nil {
			return nil, err
		}
		if err := g.mayGiveTo(role); err != nil {
			return nil, err
		}
		list = append(list, role.OID)
	}
	return list, nil
}

// defaultsOf changes the default privileges of a role, in all schemas or in some.
func (g *granting) defaultsOf(owner access.OID, kind access.Kind, schemas []sql.Ident) error {
	names := []string{""}
	if schemas != nil {
		if names = nil; kind == access.Schema {
			return value.Errorf(value.CodeInvalidGrant, "cannot use IN SCHEMA clause when using GRANT/REVOKE ON SCHEMAS")
		}
	}
	for _, id := range schemas {
		if err := g.checkObject(access.Object{Kind: access.Schema}, id.Name); err != nil {
			return err
		}
		names = append(names, id.Name)
	}
	return g.roles(func(state *access.State) (*access.Roles, error) {
		next := state.Roles
		for _, schema := range names {
			usual := access.ACL{} // of a schema: nothing beyond that of all
			if schema == "" {
				usual = access.DefaultACL(kind, owner)
			}
			acl, ok := next.Default(owner, schema, kind)
			if !ok {
				acl = usual
			}
			acl, err := g.update(state, acl, owner, owner, g.whole)
			if err != nil {
				return nil, err
			}
			if acl.Same(usual) || len(acl) == 0 && schema != "" {
				acl = nil
			}
			next = next.WithDefault(access.Default{Role: owner, Schema: schema, Kind: kind, ACL: acl})
		}
		return next, nil
	})
}
