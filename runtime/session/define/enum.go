package define

import (
	"context"
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/govern"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// CreateType runs CREATE TYPE AS ENUM.
func CreateType(ctx context.Context, s *session.Session, stmt *sql.CreateType) *result.Result {
	res := &result.Result{Tag: "CREATE TYPE"}
	key := newTypeKey(s, stmt.Name)
	e := &algebra.EnumType{TypeID: algebra.TypeID{Schema: store.SchemaOf(key), Name: store.NameOf(key)}}
	for _, label := range stmt.Labels {
		checkLabel(label)
		if slices.Contains(e.Labels, label) {
			panic(value.Errorf(value.CodeUniqueViolation, "duplicate key value violates unique constraint %q", "pg_enum_typid_label_index"))
		}
		e.Labels = append(e.Labels, label)
	}
	s.Change(res.Tag, func(tx *store.Tx) {
		e.OID = tx.State().NewTypeOID(store.UserTypeKey(e))
		sqlstate.Check(tx.Create(ctx, &store.UserType{Of: e}, false))
	})
	return res
}

// newTypeKey is the key of a type that a statement makes of a name.
func newTypeKey(s *session.Session, name sql.Name) string {
	key, err := s.CreatedName(name, false)
	sqlstate.Check(value.WithoutPos(err))
	if err := catalog.MayCreate(s, key, false); err != nil {
		panic(session.At(err, name[0].Pos))
	}
	if store.IsTemporary(key) {
		panic(value.Errorf(value.CodeFeatureNotSupported, "a type of the temporary schema is not supported"))
	}
	return key
}

// maxLabel is PostgreSQL's limit on the length of a label, in bytes.
const maxLabel = 63

func checkLabel(label string) {
	if len(label) > maxLabel {
		e := value.Errorf(value.CodeInvalidName, "invalid enum label \"%s\"", label)
		e.Detail = "Labels must be 63 bytes or less."
		panic(e)
	}
}

// AlterType runs ALTER TYPE.
func AlterType(ctx context.Context, s *session.Session, stmt *sql.AlterType) *result.Result {
	res := &result.Result{Tag: "ALTER TYPE"}
	key := sqlstate.Must(s.TypeName(stmt.Name))
	s.Change(res.Tag, func(tx *store.Tx) {
		if tx.State().Enum(key) == nil {
			panic(noEnum(s, stmt.Name))
		}
		sqlstate.Check(catalog.MustOwn(s, key))
		if stmt.Owner != nil {
			govern.ChangeOwner(ctx, s, tx, res, key, *stmt.Owner)
			return
		}
		a := alterEnum(ctx, s, tx, key)
		switch {
		case stmt.Add != nil:
			a.addValue(ctx, res, stmt.Add)
		case stmt.From != nil:
			a.renameValue(ctx, *stmt.From, *stmt.To)
		case stmt.Schema.Name != "":
			a.setSchema(ctx, stmt.Schema.Name)
		default:
			a.rename(ctx, a.old.Schema, stmt.Rename.Name)
		}
	})
	return res
}

// alterEnum locks an enum to alter it, and the tables with columns of it.
func alterEnum(ctx context.Context, s *session.Session, tx *store.Tx, key string) *enumAlteration {
	_, tables, err := tx.LockType(ctx, key)
	sqlstate.Check(err)
	e := tx.State().Enum(key)
	return &enumAlteration{typeAlteration: typeAlteration{Session: s, tx: tx, old: e, tables: tables}, old: e}
}

// noEnum is the error of a name that stands for no enum.
func noEnum(s *session.Session, name sql.Name) error {
	if key, err := s.TargetName(name); err == nil && s.State().Lookup(key) != nil {
		return value.Errorf(value.CodeWrongObjectType, "%s is not an enum", name.Dotted())
	}
	return value.Errorf(value.CodeUndefinedObject, "type %q does not exist", name.Dotted())
}

// addValue runs ADD VALUE. Where others follow the label, columns are written anew.
func (a *enumAlteration) addValue(ctx context.Context, res *result.Result, add *sql.AddValue) {
	checkLabel(add.Label)
	if slices.Contains(a.old.Labels, add.Label) {
		err := errLabelTaken(add.Label)
		if !add.IfNotExists {
			panic(err)
		}
		res.Notices = append(res.Notices, result.NewNotice(err.Code, "%s, skipping", err.Message))
		return
	}
	at := len(a.old.Labels)
	switch {
	case add.Before != nil:
		at = a.label(*add.Before)
	case add.After != nil:
		at = a.label(*add.After) + 1
	}
	next := *a.old
	next.Labels = slices.Insert(slices.Clone(a.old.Labels), at, add.Label)
	if at < len(a.old.Labels) {
		asItIs := func(string) sql.Expr { return nil }
		a.rewrite(ctx, algebra.TEnum(a.old), algebra.TEnum(&next), asItIs) // arrays are kept as texts
	}
	sqlstate.Check(a.tx.ReplaceEnum(ctx, a.old, &next, a.tables))
}

// label is the position of a label.
func (a *enumAlteration) label(label string) int {
	i := slices.Index(a.old.Labels, label)
	if i < 0 {
		panic(value.Errorf(value.CodeInvalidParameter, "\"%s\" is not an existing enum label", label))
	}
	return i
}

func errLabelTaken(label string) *value.Error {
	return value.Errorf(value.CodeDuplicateObject, "enum label \"%s\" already exists", label)
}

// rewrite writes the columns of a type anew, of another one: what using says of each, or its values where
// that returns nil.
func (a *enumAlteration) rewrite(ctx context.Context, from, to algebra.Type, using func(column string) sql.Expr) {
	for i, table := range a.tables {
		t := &alteration{Session: a.Session, tx: a.tx, key: store.KeyOf(table), stmt: nameOfTable(table), name: table.Name()}
		for c, column := range table.Columns() {
			if column.Type == from {
				table = t.converted(ctx, table, c, to, using(column.Name))
				a.tx.Update(table)
			}
		}
		a.tables[i] = table
	}
}

// nameOfTable is a name for a table, whatever the session's search path.
func nameOfTable(table *store.Table) sql.Name {
	return sql.Name{{Name: table.Schema()}, {Name: table.Name()}}
}

// renameValue runs RENAME VALUE. Defaults that are the label follow.
func (a *enumAlteration) renameValue(ctx context.Context, from, to string) {
	checkLabel(to)
	at := a.label(from)
	if slices.Contains(a.old.Labels, to) {
		panic(errLabelTaken(to))
	}
	a.relabel(ctx, from, to)
	next := *a.old
	next.Labels = slices.Clone(a.old.Labels)
	next.Labels[at] = to
	sqlstate.Check(a.tx.ReplaceEnum(ctx, a.old, &next, nil))
	a.rewrite(ctx, algebra.TArray(algebra.TEnum(a.old)), algebra.TArray(algebra.TEnum(&next)), func(column string) sql.Expr {
		return sqlstate.Must(sql.ParseExpr(fmt.Sprintf("array_replace(%s::text[], %s, %s)::%s[]",
			pgcatalog.QuoteName(column), pgcatalog.QuoteText(from), pgcatalog.QuoteText(to), next.Qualified())))
	})
	sqlstate.Check(a.tx.ReplaceEnum(ctx, a.old, &next, a.tables))
}

// setSchema runs SET SCHEMA.
func (a *enumAlteration) setSchema(ctx context.Context, schema string) {
	checkTypeMoves(a.Session, a.tx.State(), &a.old.TypeID, schema)
	if schema != a.old.Schema {
		a.rename(ctx, schema, a.old.Name)
	}
}

// checkTypeMoves fails where a type cannot be moved to a schema.
func checkTypeMoves(s *session.Session, state *store.State, id *algebra.TypeID, schema string) {
	switch {
	case !s.Access().HasSchema(schema):
		panic(session.NoSchema(schema))
	case schema == id.Schema:
		return
	}
	sqlstate.Check(catalog.MayCreateIn(s, schema))
	if state.Lookup(store.TypeKey(schema, id.Name)) != nil {
		panic(value.Errorf(value.CodeDuplicateObject, "type %q already exists in schema %q", id.Name, schema))
	}
}

// rename gives the type another name, also in the texts of tables and views.
func (a *enumAlteration) rename(ctx context.Context, schema, name string) {
	next := *a.old
	next.Schema, next.Name = schema, name
	a.renameInTexts(ctx, &next)
	sqlstate.Check(a.tx.ReplaceEnum(ctx, a.old, &next, a.tables))
}
