package define

import (
	"context"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/govern"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// DropFunction runs DROP FUNCTION.
func DropFunction(ctx context.Context, s *session.Session, stmt *sql.DropFunction) *result.Result {
	res := &result.Result{Tag: "DROP FUNCTION"}
	var keys []string
	for _, ref := range stmt.Functions {
		f, err := sqlstate.Try(func() *store.Function { return catalog.FindFunction(s, ref) })
		if e, ok := err.(*value.Error); ok && stmt.IfExists && slices.Contains([]string{value.CodeUndefinedFunction, value.CodeUndefinedSchema, value.CodeUndefinedObject}, e.Code) {
			message := e.Message
			if ref.Params == nil && e.Code == value.CodeUndefinedFunction {
				message = "function " + ref.Name.Dotted() + "() does not exist"
			}
			res.Notices = append(res.Notices, result.NewNotice(value.CodeSuccess, "%s, skipping", message))
			continue
		}
		sqlstate.Check(err)
		sqlstate.Check(catalog.MayDrop(s, store.KindFunction, f.Key()))
		keys = append(keys, f.Key())
	}
	if len(keys) == 0 {
		return res
	}
	before, path := s.State(), s.SearchPath()
	s.Change(res.Tag, func(tx *store.Tx) { sqlstate.Check(tx.Drop(ctx, store.KindFunction, keys, stmt.Cascade)) })
	if n := cascade(before, s.State(), path, keys, nil); n != nil {
		res.Notices = append(res.Notices, *n)
	}
	return res
}

// AlterFunction runs ALTER FUNCTION.
func AlterFunction(ctx context.Context, s *session.Session, stmt *sql.AlterFunction) *result.Result {
	res := &result.Result{Tag: "ALTER FUNCTION"}
	f := catalog.FindFunction(s, stmt.Function)
	sqlstate.Check(catalog.MustOwn(s, f.Key()))
	s.Change(res.Tag, func(tx *store.Tx) {
		schema, name := f.Schema(), f.Name()
		switch {
		case stmt.Owner != nil:
			govern.ChangeOwner(ctx, s, tx, res, f.Key(), *stmt.Owner)
			return
		case stmt.Schema.Name != "":
			if schema = stmt.Schema.Name; !s.Access().HasSchema(schema) {
				panic(session.NoSchema(schema))
			}
		default:
			name = stmt.Rename.Name
		}
		sqlstate.Check(catalog.MayCreateIn(s, schema))
		moveFunction(ctx, s, tx, f, schema, name)
	})
	return res
}

// moveFunction gives a function another name or schema. Others must not depend on it, as their texts name it.
func moveFunction(ctx context.Context, s *session.Session, tx *store.Tx, f *store.Function, schema, name string) {
	key := store.FunctionKey(schema, name, f.Params)
	if key == f.Key() {
		return
	}
	if tx.State().Lookup(key) != nil {
		panic(value.Errorf(value.CodeDuplicateFunction, "function %s%s already exists in schema %q", name, s.ArgumentTypes(f), schema))
	}
	if lines := tx.UsersOf(f.Key()); len(lines) > 0 {
		e := value.Errorf(value.CodeFeatureNotSupported, "renaming function %s, on which other objects depend, is not supported", s.Written(f))
		e.Detail = strings.Join(lines, "\n")
		panic(e)
	}
	sqlstate.Check(tx.MoveFunction(ctx, f.Key(), key))
}
