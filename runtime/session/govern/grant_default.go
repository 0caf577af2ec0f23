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
func DefaultPrivileges(ctx context.Context, s *session.Session, stmt *sql.DefaultPrivileges) *result.Result {
	return govern(ctx, s, "ALTER DEFAULT PRIVILEGES", func(g *governing) {
		gr := &granting{governing: g, stmt: stmt.Grant}
		gr.grantees = g.grantees(stmt.Grant.Grantees)
		kind := grantKinds[stmt.Grant.On]
		gr.defaults(kind)
		owners := g.defaultOwners(stmt.Roles)
		for _, owner := range owners {
			gr.defaultsOf(owner, kind, stmt.Schemas)
		}
	})
}

// defaults reads the privileges of the statement.
func (g *granting) defaults(kind access.Kind) {
	for _, p := range g.stmt.Privileges {
		if p.Columns != nil {
			panic(value.Errorf(value.CodeInvalidGrant, "default privileges cannot be set for columns"))
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
			panic(value.Errorf(value.CodeSyntax, "unrecognized privilege type %q", p.Name))
		case bit&kind.All() == 0:
			panic(errPrivilege(bit, word))
		}
		g.whole |= bit
	}
}

// defaultOwners are the roles whose default privileges are changed.
func (g *governing) defaultOwners(refs []sql.RoleRef) []access.OID {
	if refs == nil {
		return []access.OID{g.User()}
	}
	var list []access.OID
	for _, ref := range refs {
		role := g.roleOf(ref)
		g.mayGiveTo(role)
		list = append(list, role.OID)
	}
	return list
}

// defaultsOf changes the default privileges of a role, in all schemas or in some.
func (g *granting) defaultsOf(owner access.OID, kind access.Kind, schemas []sql.Ident) {
	names := []string{""}
	if schemas != nil {
		if names = nil; kind == access.Schema {
			panic(value.Errorf(value.CodeInvalidGrant, "cannot use IN SCHEMA clause when using GRANT/REVOKE ON SCHEMAS"))
		}
	}
	for _, id := range schemas {
		g.checkObject(access.Object{Kind: access.Schema}, id.Name)
		names = append(names, id.Name)
	}
	g.roles(func(state *access.State) *access.Roles {
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
			acl = g.update(state, acl, owner, owner, g.whole)
			if acl.Same(usual) || len(acl) == 0 && schema != "" {
				acl = nil
			}
			next = next.WithDefault(access.Default{Role: owner, Schema: schema, Kind: kind, ACL: acl})
		}
		return next
	})
}
