package define

import (
	"context"
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/write"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// addForeignKey runs ADD FOREIGN KEY.
func (a *alteration) addForeignKey(ctx context.Context, table *store.Table, def *sql.ForeignKeyDef) {
	k := algebra.ForeignKey{Name: def.Name.Name, MatchFull: def.MatchFull, OnUpdate: def.OnUpdate, OnDelete: def.OnDelete, NotValid: def.NotValid,
		Deferrable: def.Timing.Deferrable, Deferred: def.Timing.Deferred}
	if k.Name != "" && catalog.HasConstraint(table, k.Name) {
		panic(value.Errorf(value.CodeDuplicateObject, "constraint %q for relation %q already exists", k.Name, a.name))
	}
	parent := a.referencedTable(ctx, def.Table)
	k.Columns = keyColumns(table, def.Columns)
	k.SetColumns = setColumns(table, k.Columns, def.SetColumns)
	k.Table, k.Referenced = store.KeyOf(parent), a.referencedColumns(parent, def.Referenced)
	if len(k.Columns) != len(k.Referenced) {
		panic(value.Errorf(value.CodeInvalidForeignKey, "number of referencing and referenced columns for foreign key disagree"))
	}
	if k.Name == "" {
		k.Name = catalog.NameOfColumns(table, table.Names(k.Columns), "_fkey", func(name string) bool { return hasConstraint(a.State(), table.Schema(), name) })
	}
	next := table.WithForeignKeys(append(slices.Clip(table.ForeignKeys()), k))
	a.holds(ctx, next, parent, &k)
	a.tx.Update(next)
}

// createForeignKey adds a FOREIGN KEY constraint of CREATE TABLE, which all rows keep to, as there are none.
func (a *alteration) createForeignKey(ctx context.Context, def *sql.ForeignKeyDef) {
	table := sqlstate.Must(a.tx.Table(ctx, a.key))
	valid := *def
	valid.NotValid = false
	a.addForeignKey(ctx, table, &valid)
}

// holds fails where the columns of a FOREIGN KEY constraint of a table cannot be compared, or a row
// breaks it.
func (a *alteration) holds(ctx context.Context, table, parent *store.Table, k *algebra.ForeignKey) {
	for i, c := range k.Columns {
		own, other := &table.Columns()[c], &parent.Columns()[k.Referenced[i]]
		if !refersTo(own.Type, other.Type) {
			e := value.Errorf(value.CodeDatatypeMismatch, "foreign key constraint %q cannot be implemented", k.Name)
			e.Detail = fmt.Sprintf("Key columns %q and %q are of incompatible types: %s and %s.", own.Name, other.Name, pgcatalog.TypeName(own.Type), pgcatalog.TypeName(other.Type))
			panic(e)
		}
	}
	if !k.NotValid {
		sqlstate.Check(write.CheckReferences(ctx, a.Session, a.tx.Latest(), table, k))
	}
}

// referencedTable finds the table that a FOREIGN KEY constraint refers to, and keeps others from
// changing it.
func (a *alteration) referencedTable(ctx context.Context, name sql.Name) *store.Table {
	key, err := a.TargetName(name)
	sqlstate.Check(value.WithoutPos(err))
	if key != a.key {
		sqlstate.Check(a.tx.LockAs(ctx, key, true))
		sqlstate.Check(a.tx.LockDefinition(ctx, key, true))
	}
	o := a.tx.State().Lookup(key)
	parent, ok := o.(*store.Table)
	switch temporary := store.IsTemporary(a.key); {
	case o == nil && pgcatalog.Find(name.Parts()) != nil:
		panic(value.Errorf(value.CodeInsufficientPrivilege, "permission denied: %q is a system catalog", name[len(name)-1].Name))
	case o == nil:
		panic(value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", name.Dotted()))
	case !ok:
		panic(value.Errorf(value.CodeWrongObjectType, "referenced relation %q is not a table", o.Name()))
	case parent.Of() != nil:
		panic(value.Errorf(value.CodeFeatureNotSupported, "foreign keys that refer to a single partition are not supported"))
	case temporary && !store.IsTemporary(key):
		panic(value.Errorf(value.CodeInvalidTable, "constraints on temporary tables may reference only temporary tables"))
	case !temporary && store.IsTemporary(key):
		panic(value.Errorf(value.CodeInvalidTable, "constraints on permanent tables may reference only permanent tables"))
	}
	return parent
}

// keyColumns are the positions of columns of a FOREIGN KEY constraint.
func keyColumns(table *store.Table, names []sql.Ident) (columns []int) {
	for _, id := range names {
		i := table.Ordinal(id.Name)
		if i < 0 {
			panic(value.Errorf(value.CodeUndefinedColumn, "column %q referenced in foreign key constraint does not exist", id.Name))
		}
		columns = append(columns, i)
	}
	return columns
}

// setColumns are the positions of the columns that ON DELETE is to set.
func setColumns(table *store.Table, key []int, names []sql.Ident) []int {
	columns := keyColumns(table, names)
	for i, c := range columns {
		if !slices.Contains(key, c) {
			panic(value.Errorf(value.CodeInvalidColumnReference, "column %q referenced in ON DELETE SET action must be part of foreign key", names[i].Name))
		}
	}
	return columns
}

// referencedColumns are the columns of a table that are referred to: those of a key of it, to which
// the session's role may refer.
func (a *alteration) referencedColumns(parent *store.Table, names []sql.Ident) []int {
	columns := keyColumns(parent, names)
	if names == nil {
		i := slices.IndexFunc(parent.Keys(), func(k store.Key) bool { return k.Primary })
		if i < 0 {
			panic(value.Errorf(value.CodeUndefinedObject, "there is no primary key for referenced table %q", parent.Name()))
		}
		columns = parent.Keys()[i].Columns
	}
	for i, c := range columns {
		if slices.Contains(columns[:i], c) {
			panic(value.Errorf(value.CodeInvalidForeignKey, "foreign key referenced-columns list must not contain duplicates"))
		}
	}
	if catalog.ReferencedKey(parent, columns) < 0 {
		panic(value.Errorf(value.CodeInvalidForeignKey, "there is no unique constraint matching given keys for referenced table %q", parent.Name()))
	}
	sqlstate.Check(catalog.MayReference(a.Session, parent, columns))
	return columns
}

// typeFamilies are the types that are compared with each other, by family.
var typeFamilies = map[algebra.Kind]int{
	algebra.Int16: 1, algebra.Int32: 1, algebra.Int64: 1, algebra.Decimal: 2, algebra.Numeric: 2, algebra.Float32: 3, algebra.Float64: 3,
	algebra.Date: 4, algebra.Timestamp: 4, algebra.TimestampTZ: 4,
}

// refersTo reports whether values of a type may refer to those of another one: they are of one
// family, or numbers of a family that converts to the other's.
func refersTo(own, other algebra.Type) bool {
	from, to := typeFamilies[own.Kind], typeFamilies[other.Kind]
	numbers := typeFamilies[algebra.Float64]
	switch {
	case own.Kind == algebra.Array && other.Kind == algebra.Array:
		return own.Element().Kind == other.Element().Kind && own.Enum == other.Enum
	case own.Kind == algebra.Enum && other.Kind == algebra.Enum:
		return own.Enum == other.Enum
	case from == 0 || to == 0:
		return own.Kind == other.Kind
	}
	return from == to || from < to && to <= numbers
}

// references are the FOREIGN KEY constraints that refer to columns of the table, of which one is as
// asked for.
func (a *alteration) references(asked func(columns []int) bool) []store.Reference {
	return slices.DeleteFunc(a.tx.Latest().ReferencesTo(a.key), func(r store.Reference) bool { return !asked(r.Key().Referenced) })
}

// referencesBy are those that rest on a key of the table, by its number.
func (a *alteration) referencesBy(table *store.Table, index int) []store.Reference {
	return a.references(func(columns []int) bool { return catalog.ReferencedKey(table, columns) == index })
}

// freeKey drops what refers to the columns of a key that goes, which messages call what. Without cascade
// it fails with 2BP01 where there is something.
func (a *alteration) freeKey(ctx context.Context, table *store.Table, index int, what string, cascades bool) {
	refs := a.referencesBy(table, index)
	if len(refs) > 0 && !cascades {
		var lines []string
		for _, r := range refs {
			lines = append(lines, a.tx.DependsOn(r, "index "+catalog.KeyName(table, index)))
		}
		panic(store.StillRead(what, lines))
	}
	a.cascading(func() { sqlstate.Check(a.tx.DropReferences(ctx, refs)) })
}

// cascading drops something, and adds the notice of what has gone with it.
func (a *alteration) cascading(drop func()) {
	before := a.tx.State()
	drop()
	if n := cascade(before, a.tx.State(), a.SearchPath(), nil, nil); n != nil {
		a.res.Notices = append(a.res.Notices, *n)
	}
}

// recheckReferences looks at the FOREIGN KEY constraints of which a column has another type.
func (a *alteration) recheckReferences(ctx context.Context, table *store.Table, column int) {
	for i := range table.ForeignKeys() {
		k := &table.ForeignKeys()[i]
		if parent, ok := a.tx.Latest().Lookup(k.Table).(*store.Table); ok && slices.Contains(k.Columns, column) {
			a.holds(ctx, table, parent, k)
		}
	}
	for _, r := range a.references(func(columns []int) bool { return slices.Contains(columns, column) }) {
		a.holds(ctx, r.Table, table, r.Key())
	}
}

// editForeignKey changes a FOREIGN KEY constraint of a table.
func (a *alteration) editForeignKey(table *store.Table, i int, edit func(*algebra.ForeignKey)) {
	keys := slices.Clone(table.ForeignKeys())
	edit(&keys[i])
	a.tx.Update(table.WithForeignKeys(keys))
}
