package define

import (
	"context"

	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/govern"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// CreateSchema runs CREATE SCHEMA.
func CreateSchema(ctx context.Context, s *session.Session, stmt *sql.CreateSchema) *result.Result {
	res := &result.Result{Tag: "CREATE SCHEMA"}
	s.Change(res.Tag, func(tx *store.Tx) {
		owner := govern.SchemaOwner(ctx, s, tx, stmt.Owner)
		name := stmt.Name.Name
		if name == "" {
			name = s.Access().NameOf(owner)
		}
		isFree(name)
		if stmt.IfNotExists && s.Access().HasSchema(name) {
			res.Notices = append(res.Notices, result.NewNotice(value.CodeDuplicateSchema, "schema %q already exists, skipping", name))
			return
		}
		sqlstate.Check(tx.CreateSchema(ctx, name, owner))
	})
	return res
}

// isFree fails where a schema cannot have a name because it is one of the system.
func isFree(name string) {
	switch {
	case name == "information_schema":
		panic(value.Errorf(value.CodeDuplicateSchema, "schema %q already exists", name))
	case access.IsSystemSchema(name):
		e := value.Errorf(value.CodeReservedName, "unacceptable schema name %q", name)
		e.Detail = `The prefix "pg_" is reserved for system schemas.`
		panic(e)
	}
}

// RenameSchema runs ALTER SCHEMA RENAME TO. Views that read what is in the schema are given
// queries that have its new name.
func RenameSchema(ctx context.Context, s *session.Session, stmt *sql.RenameSchema) *result.Result {
	res := &result.Result{Tag: "ALTER SCHEMA"}
	from, to := stmt.From.Name, stmt.To.Name
	s.Change(res.Tag, func(tx *store.Tx) {
		switch state := s.Access(); {
		case !state.HasSchema(from) && !access.IsSystemSchema(from):
			panic(session.NoSchema(from))
		case state.HasSchema(to):
			panic(value.Errorf(value.CodeDuplicateSchema, "schema %q already exists", to))
		case !state.Owns(s.User(), access.SchemaObject(from)):
			panic(session.Denied("must be owner of schema %s", from))
		case !state.Can(s.User(), access.TheDatabase, access.Create):
			panic(session.Denied("permission denied for database %s", s.Identity.Database))
		case from == store.Schema, access.IsSystemSchema(from):
			panic(value.Errorf(value.CodeFeatureNotSupported, "renaming the schema %s is not supported", from))
		}
		isFree(to)
		sqlstate.Check(tx.RenameSchema(ctx, from, to, func(keys []string) {
			for _, key := range keys {
				switch o := tx.State().Lookup(key).(type) {
				case *store.Function:
					moveFunction(ctx, s, tx, o, to, o.Name())
				case *store.UserType:
					moveType(ctx, s, tx, key, to)
				default:
					a := &alteration{Session: s, tx: tx, key: key, name: store.NameOf(key), res: res}
					a.rename(ctx, store.KindOf(o), store.KeyIn(to, store.NameOf(key)))
				}
			}
		}))
	})
	return res
}

// moveType gives a type another schema.
func moveType(ctx context.Context, s *session.Session, tx *store.Tx, key, schema string) {
	if tx.State().Domain(key) == nil {
		a := alterEnum(ctx, s, tx, key)
		a.rename(ctx, schema, a.old.Name)
		return
	}
	sqlstate.Check(tx.LockDomain(ctx, key))
	d := tx.State().Domain(key)
	renameDomain(ctx, s, tx, d, schema, d.Name)
}

// dropSchemas runs DROP SCHEMA.
func dropSchemas(ctx context.Context, s *session.Session, stmt *sql.Drop) *result.Result {
	res := &result.Result{Tag: "DROP SCHEMA"}
	before, path := s.State(), s.SearchPath()
	var columns []string
	s.Change(res.Tag, func(tx *store.Tx) {
		for _, n := range stmt.Names {
			name := n[len(n)-1].Name
			switch system := access.IsSystemSchema(name); {
			case len(n) > 1:
				panic(value.ErrorAt(int(n[1].Pos), value.CodeSyntax, "a schema has no schema"))
			case name == store.Schema:
				panic(value.Errorf(value.CodeFeatureNotSupported, "dropping the schema public is not supported"))
			case system && stmt.IfExists, !system && !s.Access().HasSchema(name) && stmt.IfExists:
				res.Notices = append(res.Notices, result.NewNotice(value.CodeSuccess, "schema %q does not exist, skipping", name))
				continue
			case !s.Access().HasSchema(name):
				panic(session.NoSchema(name))
			case !s.Access().Owns(s.User(), access.SchemaObject(name)):
				panic(session.Denied("must be owner of schema %s", name))
			}
			if stmt.Cascade {
				columns = append(columns, dropTyped(ctx, s, tx, name)...)
			}
			sqlstate.Check(tx.DropSchema(ctx, name, stmt.Cascade))
		}
	})
	if n := cascade(before, s.State(), path, nil, columns); n != nil {
		res.Notices = append(res.Notices, *n)
	}
	return res
}
