package define

import (
	"context"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// serialTypes are the types of columns that take the values of a sequence of their own.
var serialTypes = map[string]string{
	"serial": "integer", "serial4": "integer", "bigserial": "bigint", "serial8": "bigint", "smallserial": "smallint", "serial2": "smallint",
}

// numbered are the columns of a CREATE TABLE, with those of serial types and of identity as
// they are stored, and the sequences that these need, by the number of the column.
func numbered(s *session.Session, key string, stmt *sql.CreateTable) ([]sql.ColumnDef, map[int]*store.Sequence) {
	columns, sequences := slices.Clone(stmt.Columns), map[int]*store.Sequence{}
	var taken []string
	for i := range columns {
		c := &columns[i]
		plain, serial := serialTypes[c.Type.Name]
		switch {
		case !serial && c.Identity == nil:
			continue
		case serial && c.Type.Array:
			panic(value.ErrorAt(int(c.Type.Pos), value.CodeFeatureNotSupported, "array of serial is not implemented"))
		case serial && c.Identity != nil:
			panic(value.ErrorAt(int(c.Type.Pos), value.CodeSyntax, "both default and identity specified for column %q of table %q", c.Name.Name, store.NameOf(key)))
		case c.Generated != nil:
			panic(value.Errorf(value.CodeSyntax, "both default and generation expression specified for column %q of table %q", c.Name.Name, store.NameOf(key)))
		case c.Default != nil && serial:
			panic(value.Errorf(value.CodeSyntax, "multiple default values specified for column %q of table %q", c.Name.Name, store.NameOf(key)))
		case c.Default != nil:
			panic(value.ErrorAt(int(c.Identity.Pos), value.CodeSyntax, "both default and identity specified for column %q of table %q", c.Name.Name, store.NameOf(key)))
		}
		if serial {
			c.Type.Name = plain
		}
		c.NotNull = true
		typ := sqlstate.Must(sqltype.Resolve(c.Type, catalog.Of(s).Type))
		q := ownSequence(s, key, c.Name.Name, typ, c.Identity, taken)
		sequences[i], taken = q, append(taken, q.Name())
	}
	return columns, sequences
}

// ownSequence makes the sequence of a column of a type, that of an identity where that is not
// nil. Its name is not one of those that are taken.
func ownSequence(s *session.Session, table, column string, typ algebra.Type, identity *sql.Identity, taken []string) *store.Sequence {
	options := sql.SequenceOptions{}
	if identity != nil {
		options = identity.Options
	}
	if !hasSequences(typ.Kind) {
		panic(errIdentityType())
	}
	def := sequenceDef(newSequence(typ.Kind, &options), &options)
	def.OwnerTable, def.OwnerColumn = table, column
	if identity != nil {
		if def.Identity = store.ByDefault; identity.Always {
			def.Identity = store.Always
		}
	}
	schema := store.SchemaOf(table)
	name := catalog.SequenceName(store.NameOf(table), column, func(name string) bool {
		return slices.Contains(taken, name) || catalog.IsTaken(s.State(), store.KeyIn(schema, name))
	})
	if options.Named != nil {
		name = options.Named[len(options.Named)-1].Name
	}
	return store.NewSequence(store.KeyIn(schema, name), def)
}

func errIdentityType() error {
	return value.Errorf(value.CodeInvalidParameter, "identity column type must be smallint, integer, or bigint")
}

// alterIdentity runs ADD GENERATED and DROP IDENTITY.
func (a *alteration) alterIdentity(ctx context.Context, table *store.Table, i int, action *sql.AlterColumn) {
	columns := slices.Clone(table.Columns())
	c := &columns[i]
	switch has := a.isIdentity(c.Name); {
	case action.DropIdentity && !has && action.IfExists:
		a.res.Notices = append(a.res.Notices, result.NewNotice(value.CodeSuccess, "column %q of relation %q is not an identity column, skipping", c.Name, a.name))
		return
	case action.DropIdentity && !has:
		panic(value.Errorf(value.CodeNotInState, "column %q of relation %q is not an identity column", c.Name, a.name))
	case action.DropIdentity:
		c.Default = ""
		a.tx.Update(table.Redefined(columns))
		sqlstate.Check(a.tx.DropOwned(ctx, a.key, c.Name))
		return
	case has:
		panic(value.Errorf(value.CodeNotInState, "column %q of relation %q is already an identity column", c.Name, a.name))
	case !hasSequences(c.Type.Kind):
		panic(errIdentityType())
	case c.Default != "":
		panic(value.Errorf(value.CodeNotInState, "column %q of relation %q already has a default value", c.Name, a.name))
	case !c.NotNull:
		panic(value.Errorf(value.CodeNotInState, "column %q of relation %q must be declared NOT NULL before identity can be added", c.Name, a.name))
	}
	q := ownSequence(a.Session, a.key, c.Name, c.Type, action.Identity, nil)
	sqlstate.Check(a.tx.Create(ctx, q, false))
	c.Default = store.NextOf(store.KeyOf(q))
	a.tx.Update(table.Redefined(columns))
}

// setIdentity runs SET GENERATED and what changes the sequence of an identity column.
func (a *alteration) setIdentity(ctx context.Context, action *sql.AlterColumn) {
	for _, q := range a.tx.State().OwnedBy(a.key, action.Name.Name) {
		if q.Identity == "" {
			continue
		}
		key, set := store.KeyOf(q), action.SetIdentity
		if set.Always != nil {
			sqlstate.Check(a.tx.LockToDefine(ctx, key))
			def := q.SequenceDef
			if def.Identity = store.ByDefault; *set.Always {
				def.Identity = store.Always
			}
			q = q.Redefined(def)
			a.tx.Replace(q)
		}
		alterSequence(ctx, a.Session, a.tx, key, q, &set.Options)
		return
	}
	panic(value.Errorf(value.CodeNotInState, "column %q of relation %q is not an identity column", action.Name.Name, a.name))
}

// isIdentity reports whether a column of the table is an identity column.
func (a *alteration) isIdentity(column string) bool {
	return slices.ContainsFunc(a.tx.State().OwnedBy(a.key, column), func(q *store.Sequence) bool { return q.Identity != "" })
}
