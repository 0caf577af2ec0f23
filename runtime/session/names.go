package session

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// RelationObject is a table or view as package access knows it.
func RelationObject(name string) access.Object {
	return access.Object{Kind: access.Relation, Name: name}
}

// TemporarySchema is the schema of the session's temporary tables and views, by which
// catalogs show them and others could name it.
func (s *Session) TemporarySchema() string {
	return fmt.Sprintf("%s_%d", store.TemporarySchema, s.number)
}

// SearchPath is the schemas in which names without one are looked up, in order: those of the
// setting that there are and that the session's role may use, and before them that of its
// temporary tables.
func (s *Session) SearchPath() []string {
	path := make([]string, 0, 3)
	for _, name := range settings.Names(s.Settings.Client["search_path"]) {
		if name == "$user" {
			name = s.Access().NameOf(s.User())
		}
		if name == s.TemporarySchema() || name == store.TemporarySchema {
			path = append(path, store.TemporarySchema)
		} else if !slices.Contains(path, name) && s.Access().HasSchema(name) && s.mayUse(name) {
			path = append(path, name)
		}
	}
	if !slices.Contains(path, store.TemporarySchema) {
		path = slices.Insert(path, 0, store.TemporarySchema)
	}
	return path
}

// mayUse reports whether the session's role may look names up in a schema.
func (s *Session) mayUse(schema string) bool {
	return s.Access().Can(s.User(), access.SchemaObject(schema), access.Usage)
}

// LocalName is a name with at most a schema before it: the database may stand before that, and
// the session's temporary schema is pg_temp.
func (s *Session) LocalName(name []string) ([]string, error) {
	if len(name) == 3 {
		if name[0] != s.Identity.Database {
			return nil, value.Errorf(value.CodeFeatureNotSupported, "cross-database references are not implemented: %q", strings.Join(name, "."))
		}
		name = name[1:]
	}
	if len(name) == 2 && name[0] == s.TemporarySchema() {
		return []string{store.TemporarySchema, name[1]}, nil
	}
	return name, nil
}

// TargetName returns the key of the table or view that a statement names. Where there is
// none, it is what the name would stand for. Errors have the name's place.
func (s *Session) TargetName(name sql.Name) (string, error) {
	parts, err := s.LocalName(name.Parts())
	switch {
	case err != nil:
		return "", At(err, name[0].Pos)
	case len(parts) == 1:
		if o := s.State().Resolve(parts, s.SearchPath()); o != nil {
			return store.KeyOf(o), nil
		}
		return store.KeyIn(cmp.Or(s.creationSchema(), pgcatalog.Schema), parts[0]), nil
	case parts[0] != store.TemporarySchema && !s.Access().HasSchema(parts[0]):
		return "", NoSchema(parts[0])
	case parts[0] != store.TemporarySchema && !s.mayUse(parts[0]):
		err = Denied("permission denied for schema %s", parts[0])
	}
	return store.KeyIn(parts[0], parts[1]), At(err, name[0].Pos)
}

// TypeName returns the key of the type that a statement names, as TargetName does that of a relation.
func (s *Session) TypeName(name sql.Name) (string, error) {
	parts, err := s.LocalName(name.Parts())
	if err != nil {
		return "", At(err, name[0].Pos)
	}
	if t := s.State().ResolveType(parts, s.SearchPath()); t != nil {
		return store.UserTypeKey(t), nil
	}
	schema, last := store.Schema, parts[len(parts)-1]
	if len(parts) > 1 {
		schema = parts[0]
	}
	if !s.Access().HasSchema(schema) {
		return "", NoSchema(schema)
	}
	return store.TypeKey(schema, last), nil
}

// NoSchema is the error of a schema that there is not.
func NoSchema(name string) error {
	return value.Errorf(value.CodeUndefinedSchema, "schema %q does not exist", name)
}

// IsNoSchema reports whether an error is that of a schema that there is not.
func IsNoSchema(err error) bool {
	var e *value.Error
	return errors.As(err, &e) && e.Code == value.CodeUndefinedSchema
}

// ChangedName is TargetName of a table whose rows are to be changed: without its schema it is
// not there either.
func (s *Session) ChangedName(name sql.Name) (string, error) {
	key, err := s.TargetName(name)
	if IsNoSchema(err) {
		err = value.ErrorAt(int(name[0].Pos), value.CodeUndefinedTable, "relation %q does not exist", name.Dotted())
	}
	return key, err
}

// Written is the name of an object as messages have it: with its schema where the session
// does not find it without.
func (s *Session) Written(o store.Object) string { return Written(s.State(), s.SearchPath(), o) }

// Written is the name of an object of a state for who looks names up in a path.
func Written(state *store.State, path []string, o store.Object) string {
	name := pgcatalog.QuoteName(o.Name())
	if f, ok := o.(*store.Function); ok {
		name += argumentTypes(state, f)
	}
	if Finds(state, path, o) {
		return name
	}
	return pgcatalog.QuoteName(o.Schema()) + "." + name
}

// Finds reports whether a path finds an object of a state by its name without a schema.
func Finds(state *store.State, path []string, o store.Object) bool {
	switch o := o.(type) {
	case *store.Function:
		return slices.Contains(path, o.Schema())
	case *store.UserType:
		return state.ResolveType([]string{o.Name()}, path) == o.Of
	}
	found := state.Resolve([]string{o.Name()}, path)
	return found != nil && store.KeyOf(found) == store.KeyOf(o)
}

// creationSchema is the schema in which a name without one is created; "" for none.
func (s *Session) creationSchema() string {
	path := s.SearchPath()
	if path[0] == store.TemporarySchema && !slices.Contains(settings.Names(s.Settings.Client["search_path"]), store.TemporarySchema) {
		path = path[1:]
	}
	if len(path) == 0 {
		return ""
	}
	return path[0]
}

// CreatedName returns the key of a table or view that a statement creates.
func (s *Session) CreatedName(name sql.Name, temporary bool) (string, error) {
	parts, err := s.LocalName(name.Parts())
	schema := parts[0]
	if len(parts) == 1 {
		if schema = store.TemporarySchema; !temporary {
			schema = s.creationSchema()
		}
	}
	switch {
	case err != nil:
	case schema == "":
		err = value.Errorf(value.CodeUndefinedSchema, "no schema has been selected to create in")
	case schema == store.TemporarySchema:
	case temporary:
		err = value.Errorf(value.CodeInvalidTable, "cannot create temporary relation in non-temporary schema")
	case !s.Access().HasSchema(schema):
		err = NoSchema(schema)
	}
	return store.KeyIn(schema, parts[len(parts)-1]), At(err, name[0].Pos)
}

// CheckOnCommit refuses ON COMMIT of a table that is not temporary.
func CheckOnCommit(key string, onCommit store.OnCommit) error {
	if onCommit != store.PreserveRows && !store.IsTemporary(key) {
		return value.Errorf(value.CodeInvalidTable, "ON COMMIT can only be used on temporary tables")
	}
	return nil
}

// SchemaName is the schema of the object of a key, as the catalogs show it.
func (s *Session) SchemaName(key string) string {
	if store.IsTemporary(key) {
		return s.TemporarySchema()
	}
	return store.SchemaOf(key)
}

// argumentTypes are the types of a function's arguments in parentheses, as messages have them.
func argumentTypes(state *store.State, f *store.Function) string {
	types := lists.Map(f.Inputs(), func(p store.FunctionParam) string { return TypeText(state, &p.Type) })
	return "(" + strings.Join(types, ",") + ")"
}

// ArgumentTypes are the types of a function's arguments in parentheses, as messages have them.
func (s *Session) ArgumentTypes(f *store.Function) string { return argumentTypes(s.State(), f) }

// TypeText is a type of a function as messages have it.
func TypeText(state *store.State, t *store.FunctionType) string {
	return t.Text(func(oid uint32) string {
		if made := state.UserTypeOf(oid); made != nil {
			return pgcatalog.QuoteName(made.ID().Name)
		}
		return "???"
	})
}

// Names reports whether the text of an expression calls a function, or names a type, by its name with its schema.
func Names(text string, o store.Object) bool {
	e, err := sql.ParseExpr(text)
	if err != nil {
		return false
	}
	if _, ok := o.(*store.UserType); ok {
		return slices.ContainsFunc(sql.TypesIn(e), func(t sql.TypeName) bool { return slices.Equal(t.Path, []string{o.Schema(), o.Name()}) })
	}
	_, called := sql.NamesIn(e)
	return slices.ContainsFunc(called, func(n sql.Name) bool { return slices.Equal(n.Parts(), []string{o.Schema(), o.Name()}) })
}
