package cubeloom

import (
	"fmt"

	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// temporarySchema is the schema of the session's temporary tables and views, by which
// catalogs show them and others could name it.
func (s *Session) temporarySchema() string {
	return fmt.Sprintf("%s_%d", store.TemporarySchema, s.number)
}

// targetName gives the key of the table or view that a statement names; a temporary
// one hides another one of its name. Where there is none, it is what the name would
// stand for. Errors have the name's place.
func (s *Session) targetName(name sql.Name) (string, error) {
	parts := plainSchema(nameParts(name), s.temporarySchema())
	switch {
	case len(parts) == 2 && parts[0] == store.TemporarySchema:
		return store.TemporaryKey(parts[1]), nil
	case len(parts) == 1:
		if key := store.TemporaryKey(parts[0]); s.state().Lookup(key) != nil {
			return key, nil
		}
	}
	text, err := tableName(parts)
	if err == nil && !s.access().Can(s.user(), access.PublicSchema, access.Usage) {
		if err = denied("permission denied for schema %s", access.PublicSchema.Name); len(parts) == 1 {
			err = value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", text)
		}
	}
	return text, at(err, name[0].Pos)
}

// createdName gives the key of a table or view that a statement creates.
func (s *Session) createdName(name sql.Name, temporary bool) (string, error) {
	parts := plainSchema(nameParts(name), s.temporarySchema())
	switch {
	case len(parts) == 2 && parts[0] == store.TemporarySchema:
		return store.TemporaryKey(parts[1]), nil
	case temporary && len(parts) == 1:
		return store.TemporaryKey(parts[0]), nil
	case temporary && len(parts) == 2:
		return "", value.ErrorAt(int(name[0].Pos), codeInvalidTable, "cannot create temporary relation in non-temporary schema")
	}
	text, err := tableName(parts)
	return text, at(err, name[0].Pos)
}

// checkOnCommit refuses ON COMMIT of a table that is not temporary.
func checkOnCommit(key string, onCommit store.OnCommit) error {
	if onCommit != store.PreserveRows && !store.IsTemporary(key) {
		return value.Errorf(codeInvalidTable, "ON COMMIT can only be used on temporary tables")
	}
	return nil
}

// schemaOf is the schema of the object of a key.
func (s *Session) schemaOf(key string) string {
	if store.IsTemporary(key) {
		return s.temporarySchema()
	}
	return store.Schema
}
