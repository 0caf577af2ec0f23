package session

import (
	"fmt"

	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// PlainSchema is a name in which a session's temporary schema, of a name, stands as pg_temp.
func PlainSchema(name []string, temporary string) []string {
	if len(name) == 2 && name[0] == temporary {
		return []string{store.TemporarySchema, name[1]}
	}
	return name
}

// RelationObject is a table or view as package access knows it.
func RelationObject(name string) access.Object {
	return access.Object{Kind: access.Relation, Name: name}
}

// TableName returns the name within the schema that a possibly qualified name
// stands for.
func TableName(name []string) (string, error) {
	switch {
	case len(name) == 1:
		return name[0], nil
	case len(name) == 2 && name[0] == store.Schema:
		return name[1], nil
	case len(name) == 2:
		return "", value.Errorf(value.CodeUndefinedSchema, "schema %q does not exist", name[0])
	}
	return "", value.Errorf(value.CodeFeatureNotSupported, "cross-database references are not implemented: %q", name)
}

// NameParts are the identifiers of a name, without their positions.
func NameParts(name sql.Name) []string {
	parts := make([]string, len(name))
	for i, id := range name {
		parts[i] = id.Name
	}
	return parts
}

// TemporarySchema is the schema of the session's temporary tables and views, by which
// catalogs show them and others could name it.
func (s *Session) TemporarySchema() string {
	return fmt.Sprintf("%s_%d", store.TemporarySchema, s.number)
}

// TargetName returns the key of the table or view that a statement names; a temporary
// one hides another one of its name. Where there is none, it is what the name would
// stand for. Errors have the name's place.
func (s *Session) TargetName(name sql.Name) (string, error) {
	parts := PlainSchema(NameParts(name), s.TemporarySchema())
	switch {
	case len(parts) == 2 && parts[0] == store.TemporarySchema:
		return store.TemporaryKey(parts[1]), nil
	case len(parts) == 1:
		if key := store.TemporaryKey(parts[0]); s.State().Lookup(key) != nil {
			return key, nil
		}
	}
	text, err := TableName(parts)
	if err == nil && !s.Access().Can(s.User(), access.PublicSchema, access.Usage) {
		if err = Denied("permission denied for schema %s", access.PublicSchema.Name); len(parts) == 1 {
			err = value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", text)
		}
	}
	return text, At(err, name[0].Pos)
}

// CreatedName returns the key of a table or view that a statement creates.
func (s *Session) CreatedName(name sql.Name, temporary bool) (string, error) {
	parts := PlainSchema(NameParts(name), s.TemporarySchema())
	switch {
	case len(parts) == 2 && parts[0] == store.TemporarySchema:
		return store.TemporaryKey(parts[1]), nil
	case temporary && len(parts) == 1:
		return store.TemporaryKey(parts[0]), nil
	case temporary && len(parts) == 2:
		return "", value.ErrorAt(int(name[0].Pos), value.CodeInvalidTable, "cannot create temporary relation in non-temporary schema")
	}
	text, err := TableName(parts)
	return text, At(err, name[0].Pos)
}

// CheckOnCommit refuses ON COMMIT of a table that is not temporary.
func CheckOnCommit(key string, onCommit store.OnCommit) error {
	if onCommit != store.PreserveRows && !store.IsTemporary(key) {
		return value.Errorf(value.CodeInvalidTable, "ON COMMIT can only be used on temporary tables")
	}
	return nil
}

// SchemaOf is the schema of the object of a key.
func (s *Session) SchemaOf(key string) string {
	if store.IsTemporary(key) {
		return s.TemporarySchema()
	}
	return store.Schema
}
