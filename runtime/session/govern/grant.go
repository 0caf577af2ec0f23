package govern

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// granting is a GRANT or REVOKE while it runs.
type granting struct {
	*governing
	stmt     *sql.Grant
	grantees []access.OID
	whole    access.Privileges // on the objects as a whole
	columns  []columnPrivileges
	all      bool // ALL PRIVILEGES
}

// columnPrivileges are what is granted on single columns.
type columnPrivileges struct {
	columns    []sql.Ident
	privileges access.Privileges
	all        bool
}

// Grant runs GRANT and REVOKE of privileges.
func Grant(ctx context.Context, s *session.Session, stmt *sql.Grant) *result.Result {
	tag := "GRANT"
	if stmt.Revoke {
		tag = "REVOKE"
	}
	return govern(ctx, s, tag, func(g *governing) {
		g.checkGrantor(stmt.GrantedBy)
		grantees := g.grantees(stmt.Grantees)
		gr := &granting{governing: g, stmt: stmt, grantees: grantees}
		objects := gr.objects()
		gr.privileges()
		for _, o := range objects {
			gr.object(o)
		}
	})
}

// checkGrantor fails where GRANTED BY names another role than that of the session.
func (g *governing) checkGrantor(by *sql.RoleRef) {
	if by == nil {
		return
	}
	role := g.roleOf(*by)
	if role.OID != g.User() {
		panic(value.Errorf(value.CodeFeatureNotSupported, "grantor must be current user"))
	}
}

// grantees are the roles that get or lose privileges.
func (g *governing) grantees(refs []sql.RoleRef) []access.OID {
	var list []access.OID
	for _, ref := range refs {
		oid := access.Public
		if ref.Word != "public" {
			role := g.roleOf(ref)
			oid = role.OID
		}
		list = append(list, oid)
	}
	return list
}

// grantKinds are the kinds of objects by the words of the statements.
var grantKinds = map[string]access.Kind{
	"table": access.Relation, "sequence": access.Sequence, "schema": access.Schema, "database": access.Database,
	"function": access.Function, "routine": access.Function, "type": access.Type, "domain": access.Type,
}

// objects are those that the statement names.
func (g *granting) objects() []access.Object {
	kind := grantKinds[g.stmt.On]
	if g.stmt.All {
		return g.allIn(kind)
	}
	var list []access.Object
	for i, name := range g.stmt.Names {
		if kind == access.Function {
			if f := g.madeFunction(name, g.stmt.Args[i]); f != nil {
				list = append(list, store.AccessTo(store.KindFunction, f.Key()))
				continue
			}
			g.checkFunction(name, g.stmt.Args[i])
		}
		o := g.named(kind, name)
		list = append(list, o)
	}
	return list
}

// allIn are the objects of a kind in the schemas that the statement names.
func (g *granting) allIn(kind access.Kind) []access.Object {
	var list []access.Object
	for _, name := range g.stmt.Names {
		g.checkObject(access.Object{Kind: access.Schema}, name[0].Name)
		for _, o := range g.tx.State().Objects() {
			if to := store.AccessTo(store.KindOf(o), store.KeyOf(o)); to.Kind == kind && o.Schema() == name[0].Name {
				list = append(list, to)
			}
		}
	}
	return list
}

// named is an object of a kind that the statement names.
func (g *granting) named(kind access.Kind, name sql.Name) access.Object {
	last := name[len(name)-1].Name
	o := access.Object{Kind: kind, Name: last}
	switch kind {
	case access.Relation, access.Sequence:
		parts := sqlstate.Must(g.LocalName(name.Parts()))
		found := g.tx.State().Resolve(parts, g.SearchPath())
		if found == nil {
			panic(g.noRelation(parts))
		}
		if _, ok := found.(*store.Sequence); ok {
			return store.AccessTo(store.KindSequence, store.KeyOf(found))
		}
		if kind == access.Sequence {
			panic(value.Errorf(value.CodeWrongObjectType, "%q is not a sequence", last))
		}
		return store.AccessTo(store.KindOf(found), store.KeyOf(found))
	case access.Type:
		o.Name = sqlstate.Must(g.TypeName(name))
		switch state := g.tx.State(); {
		case state.Lookup(o.Name) == nil:
			panic(value.Errorf(value.CodeUndefinedObject, "type %q does not exist", name.Dotted()))
		case g.stmt.On == "domain" && state.Domain(o.Name) == nil:
			panic(value.Errorf(value.CodeWrongObjectType, "%q is not a domain", last))
		}
	case access.Database:
		o = access.TheDatabase
		g.checkDatabase(last)
	case access.Schema:
		g.checkObject(o, last)
	}
	return o
}

// madeFunction is a function that CREATE FUNCTION has made; nil where there is none.
func (g *granting) madeFunction(name sql.Name, args []sql.TypeName) *store.Function {
	ref := sql.FunctionRef{Name: name}
	if args != nil {
		ref.Params = lists.Map(args, func(t sql.TypeName) sql.FunctionParam { return sql.FunctionParam{Mode: "i", Type: t} })
	}
	f, err := sqlstate.Try(func() *store.Function { return catalog.FindFunction(g.Session, ref) })
	if e, ok := err.(*value.Error); ok && e.Code != value.CodeUndefinedFunction {
		panic(err)
	}
	return f
}

// checkFunction fails for a function that there is not. Privileges are those of all
// functions of a name.
func (g *granting) checkFunction(name sql.Name, args []sql.TypeName) {
	last := name[len(name)-1].Name
	if pgcatalog.HasFunction(last) {
		return
	}
	text := name.Dotted()
	if args == nil {
		panic(value.Errorf(value.CodeUndefinedFunction, "could not find a function named %q", text))
	}
	types := sqlstate.Must(planner.ParamTypes(args, catalog.Of(g.Session)))
	words := lists.Map(types, func(p planner.Parameter) string {
		if p.Domain != nil {
			return p.Domain.String()
		}
		return p.Type.String()
	})
	panic(value.Errorf(value.CodeUndefinedFunction, "function %s(%s) does not exist", text, strings.Join(words, ", ")))
}

// noRelation is the error of a relation that GRANT cannot change.
func (g *granting) noRelation(name []string) error {
	if pgcatalog.Find(name) != nil {
		return value.Errorf(value.CodeFeatureNotSupported, "changing the privileges of system relation %q is not supported", name[len(name)-1])
	}
	if len(name) == 2 && !g.state().HasSchema(name[0]) {
		return session.NoSchema(name[0])
	}
	return value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", strings.Join(name, "."))
}

// privileges reads the privileges of the statement.
func (g *granting) privileges() {
	kind := grantKinds[g.stmt.On]
	for _, p := range g.stmt.Privileges {
		bits := privilegesOf(p, kind)
		if p.Columns != nil {
			g.columns = append(g.columns, columnPrivileges{p.Columns, bits, p.Name == "all"})
			continue
		}
		g.whole |= bits
		g.all = g.all || p.Name == "all"
	}
}

// privilegesOf are the privileges that an item of the statement names.
func privilegesOf(p sql.Privilege, kind access.Kind) access.Privileges {
	if p.Columns != nil && kind != access.Relation {
		panic(value.Errorf(value.CodeInvalidGrant, "column privileges are only valid for relations"))
	}
	can, word := kind.All(), string(kind)
	switch {
	case p.Columns != nil:
		can, word = access.OnColumns, "column"
	case kind == access.Relation && p.Name != "all":
		can, word = can|access.Usage, "relation" // it may be that of a sequence
	}
	if p.Name == "all" {
		return can
	}
	bit := access.ParsePrivilege(p.Name)
	switch {
	case bit == 0:
		panic(value.Errorf(value.CodeSyntax, "unrecognized privilege type %q", p.Name))
	case bit&can == 0:
		panic(errPrivilege(bit, word))
	}
	return bit
}

// errPrivilege is the error of a privilege that objects of a kind have not.
func errPrivilege(p access.Privileges, word string) error {
	return value.Errorf(value.CodeInvalidGrant, "invalid privilege type %s for %s", p.Name(), word)
}

// object changes what is granted on an object.
func (g *granting) object(o access.Object) {
	if g.whole&access.Usage != 0 && o.Kind == access.Relation {
		panic(errPrivilege(access.Usage, "table"))
	}
	columns := g.ofColumns(o)
	g.grants(o, func(state *access.State, old *access.Grants) *access.Grants {
		next := *old
		if g.whole != 0 {
			acl := old.Effective(o.Kind)
			grantor, can := state.Grantor(g.User(), old, acl, g.whole)
			can = g.grantable(state, o, "", grantor, can, g.whole, g.all)
			next.ACL = g.update(state, acl, old.Owner, grantor, can)
		}
		if len(columns) == 0 {
			return &next
		}
		next.Columns = maps.Clone(old.Columns)
		if next.Columns == nil {
			next.Columns = map[string]access.ACL{}
		}
		for _, c := range g.columnsOf(o) {
			if _, ok := columns[c]; !ok {
				continue
			}
			g.column(state, o, old, &next, c, columns[c])
		}
		return &next
	})
}

// ofColumns are the privileges on single columns of a relation. What is revoked from
// all of it is revoked from every column.
func (g *granting) ofColumns(o access.Object) map[string]columnPrivileges {
	if o.Kind != access.Relation {
		return nil
	}
	out := map[string]columnPrivileges{}
	add := func(name string, p access.Privileges, all bool) {
		c := out[name]
		out[name] = columnPrivileges{privileges: c.privileges | p, all: c.all || all}
	}
	if whole := g.whole & access.OnColumns; g.stmt.Revoke && whole != 0 {
		for _, name := range g.columnsOf(o) {
			add(name, whole, whole == access.OnColumns)
		}
	}
	if len(g.columns) == 0 {
		return out
	}
	names := g.columnsOf(o)
	for _, c := range g.columns {
		for _, id := range c.columns {
			if !slices.Contains(names, id.Name) {
				panic(value.Errorf(value.CodeUndefinedColumn, "column %q of relation %q does not exist", id.Name, store.NameOf(o.Name)))
			}
			add(id.Name, c.privileges, c.all)
		}
	}
	return out
}

// column changes what is granted on a column.
func (g *granting) column(state *access.State, o access.Object, old, next *access.Grants, name string, p columnPrivileges) {
	acl := old.Columns[name]
	merged := old.Effective(o.Kind).Merge(acl)
	grantor, can := state.Grantor(g.User(), old, merged, p.privileges)
	can = g.grantable(state, o, name, grantor, can, p.privileges, p.all)
	acl = g.update(state, acl, old.Owner, grantor, can)
	if next.Columns[name] = acl; len(acl) == 0 {
		delete(next.Columns, name)
	}
}

// grantable are those of the privileges that the grantor may grant, with a warning where
// that is not all. It fails where the grantor has no privilege on the object at all.
func (g *granting) grantable(state *access.State, o access.Object, column string, grantor access.OID, can, want access.Privileges, all bool) access.Privileges {
	name := store.NameOf(o.Name)
	if o.Kind == access.Database {
		name = g.Identity.Database
	}
	if can == 0 {
		rights, options := state.Rights(grantor, o)
		if column != "" {
			more, opts := state.ColumnRights(grantor, o, column)
			rights, options = (rights|more)&access.OnColumns, (options|opts)&access.OnColumns
		}
		switch {
		case rights|options != 0:
		case column != "":
			panic(session.Denied("permission denied for column %q of relation %q", column, name))
		default:
			panic(session.Denied("permission denied for %s %s", o.Kind, name))
		}
	}
	if can == 0 || !all && can != want {
		g.warn(can == 0, name, column)
	}
	return can
}

// warn says that not all privileges were granted or revoked, or none.
func (g *granting) warn(none bool, name, column string) {
	code, verb := value.CodePrivilegeNotGranted, "were granted"
	if g.stmt.Revoke {
		code, verb = value.CodePrivilegeNotRevoked, "could be revoked"
	}
	amount := map[bool]string{true: "no", false: "not all"}[none]
	where := fmt.Sprintf("%q", name)
	if column != "" {
		where = fmt.Sprintf("column %q of relation %q", column, name)
	}
	g.res.Notices = append(g.res.Notices, result.NewWarning(code, fmt.Sprintf("%s privileges %s for %s", amount, verb, where)))
}

// update is a list with what the statement grants, or without what it revokes.
func (g *granting) update(state *access.State, acl access.ACL, owner, grantor access.OID, p access.Privileges) access.ACL {
	for _, grantee := range g.grantees {
		item := access.Item{Grantee: grantee, Grantor: grantor, Rights: p}
		var err error
		switch {
		case !g.stmt.Revoke:
			if g.stmt.Option {
				item.Options = p
			}
			acl, err = state.Grant(acl, owner, item)
		case g.stmt.Option:
			item.Rights, item.Options = 0, p
			acl, err = state.Revoke(acl, owner, item, g.stmt.Cascade)
		default:
			item.Options = p
			acl, err = state.Revoke(acl, owner, item, g.stmt.Cascade)
		}
		sqlstate.Check(err)
	}
	return acl
}
