package define

import (
	"context"
	"slices"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/session/write"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// addColumn adds the column of ADD COLUMN, unless there is one of the name and it may be. It
// reports whether it has.
func (a *alteration) addColumn(ctx context.Context, table *store.Table, action *sql.AddColumn) bool {
	name := action.Column.Name.Name
	if table.Ordinal(name) >= 0 {
		if !action.IfNotExists {
			panic(value.Errorf(value.CodeDuplicateColumn, "column %q of relation %q already exists", name, a.name))
		}
		a.res.Notices = append(a.res.Notices,
			result.NewNotice(value.CodeDuplicateColumn, "column %q of relation %q already exists, skipping", name, a.name))
		return false
	}
	sqlstate.Check(planner.CheckColumnName(name))
	defs, sequences := numbered(a.Session, a.key, &sql.CreateTable{Columns: []sql.ColumnDef{action.Column}})
	columns := sqlstate.Must(planner.TableColumns(defs, catalog.Of(a.Session)))
	c := storedColumn(a.Session, &defs[0], columns[0])
	own := sequences[0]
	if own != nil {
		c.Default = store.NextOf(store.KeyOf(own))
	}
	if c.Generated() == "" && c.SequenceOf() == "" {
		columns[0].Default = c.Default
		if columns[0].Domain != nil && c.Default == "" {
			columns[0].Default = columns[0].Domain.Default
		}
	}
	sqlstate.Check(catalog.MayUseTypes(a.Session, a.tx.State(), []store.Column{c}))
	sqlstate.Check(a.tx.LockTypes(ctx, []store.Column{c}))
	v := sqlstate.Must(planner.DefaultValue(columns[0], catalog.Of(a.Session), query.Options(a.Session)))
	notNull, later := c.NotNull, c.Generated() != "" || c.SequenceOf() != ""
	c.NotNull = notNull && !later // until it has its values
	next := sqlstate.Must(table.WithColumn(c, v))
	sqlstate.Check(value.WithoutPos(checkGenerated(a.Session, next, len(table.Columns()), action.Column)))
	a.replace(next, "adding a column to a table of which a view selects * is not supported")
	if own != nil {
		sqlstate.Check(a.tx.Create(ctx, own, false))
	}
	if later {
		sqlstate.Check(value.WithoutPos(sqlstate.Run(func() { a.fill(ctx, notNull) })))
	}
	if c.Domain != 0 {
		sqlstate.Check(write.CheckDomain(ctx, a.Session, a.tx.State(), sqlstate.Must(a.tx.Table(ctx, a.key)), len(table.Columns())))
	}
	return true
}

func (a *alteration) dropColumn(ctx context.Context, table *store.Table, action *sql.DropColumn) {
	i := table.Ordinal(action.Name.Name)
	if i < 0 && action.IfExists {
		a.res.Notices = append(a.res.Notices,
			result.NewNotice(value.CodeSuccess, "column %q of relation %q does not exist, skipping", action.Name.Name, a.name))
		return
	}
	if i < 0 {
		panic(a.noColumn(action.Name))
	}
	readers := a.readers(i)
	refs := a.references(func(columns []int) bool { return slices.Contains(columns, i) })
	generated := generatedBy(table, action.Name.Name)
	if len(readers)+len(refs)+len(generated) > 0 && !action.Cascade {
		panic(a.dependents(action.Name.Name, generated, readers, refs))
	}
	a.dropReaders(ctx, readers, refs)
	table = a.dropGenerated(ctx, generated) // which may have referred to itself
	sqlstate.Check(a.tx.DropColumn(ctx, table, table.Ordinal(action.Name.Name)))
	sqlstate.Check(a.tx.DropOwned(ctx, a.key, action.Name.Name))
	sqlstate.Check(a.tx.RenameColumn(ctx, a.key, action.Name.Name, ""))
}

// dropReaders drops the views that read a column, and those that read them, and the constraints that
// refer to it.
func (a *alteration) dropReaders(ctx context.Context, readers []*store.View, refs []store.Reference) {
	a.cascading(func() {
		for _, v := range readers {
			if key := store.KeyOf(v); a.tx.State().Lookup(key) != nil {
				sqlstate.Check(a.tx.Drop(ctx, store.KindOf(v), []string{key}, true))
			}
		}
		sqlstate.Check(a.tx.DropReferences(ctx, refs))
	})
}

func (a *alteration) renameColumn(ctx context.Context, table *store.Table, action *sql.RenameColumn) {
	i := table.Ordinal(action.From.Name)
	switch {
	case i < 0:
		panic(value.Errorf(value.CodeUndefinedColumn, "column %q does not exist", action.From.Name))
	case table.Ordinal(action.To.Name) >= 0:
		panic(value.Errorf(value.CodeDuplicateColumn, "column %q of relation %q already exists", action.To.Name, a.name))
	}
	sqlstate.Check(planner.CheckColumnName(action.To.Name))
	refusal := value.Errorf(value.CodeFeatureNotSupported, "renaming this column is not supported, because a view that reads it cannot follow")
	views := a.following(ctx, table, i, action.To.Name, refusal)
	sqlstate.Check(a.tx.RenameColumn(ctx, a.key, action.From.Name, action.To.Name))
	a.tx.RenameOwner(a.key, action.From.Name, action.To.Name)
	next := withColumnNamed(table, i, action.To.Name)
	if v := store.QueryOf(table); v != nil {
		next = next.Requeried(v.Renamed(next.Columns()))
	}
	a.keepViews(func() {
		a.tx.Update(next)
		for _, v := range views {
			a.tx.Redefine(v)
		}
	}, refusal)
}

// withColumnNamed is a table with another name for column i, in the texts of what it says of it, too.
func withColumnNamed(table *store.Table, i int, to string) *store.Table {
	checks := renameInChecks(table, i, to)
	columns := slices.Clone(table.Columns())
	renameInGenerated(columns, i, to)
	columns[i].Name = to
	return table.Rekeyed(columns, renameInIndexes(table, i, to)).Rechecked(checks).WithBy(renameInPartitioning(table, i, to))
}

func (a *alteration) alterColumn(ctx context.Context, table *store.Table, action *sql.AlterColumn) {
	i := table.Ordinal(action.Name.Name)
	switch {
	case i < 0:
		panic(a.noColumn(action.Name))
	case action.Type != nil:
		a.retype(ctx, table, i, action)
		return
	case action.SetIdentity != nil:
		a.setIdentity(ctx, action)
		return
	case action.Identity != nil, action.DropIdentity:
		a.alterIdentity(ctx, table, i, action)
		return
	case action.DropExpression:
		a.dropExpression(table, i, action.IfExists)
		return
	case (action.Default != nil || action.DropDefault) && table.Columns()[i].Generated() != "":
		e := value.Errorf(value.CodeSyntax, "column %q of relation %q is a generated column", action.Name.Name, a.name)
		if action.DropDefault {
			e.Hint = "Use ALTER TABLE ... ALTER COLUMN ... DROP EXPRESSION instead."
		}
		panic(e)
	case (action.Default != nil || action.DropDefault) && a.isIdentity(action.Name.Name):
		e := value.Errorf(value.CodeSyntax, "column %q of relation %q is an identity column", action.Name.Name, a.name)
		if action.DropDefault {
			e.Hint = "Use ALTER TABLE ... ALTER COLUMN ... DROP IDENTITY instead."
		}
		panic(e)
	case action.DropNotNull && a.isIdentity(action.Name.Name):
		panic(value.Errorf(value.CodeSyntax, "column %q of relation %q is an identity column", action.Name.Name, a.name))
	}
	columns := slices.Clone(table.Columns())
	c := &columns[i]
	switch {
	case action.Default != nil:
		_, err := sequenceDefault(a.Session, action.Default)
		sqlstate.Check(value.WithoutPos(err))
		c.Default = columnDefault(a.Session, action.Default, planner.CatalogColumn{Name: c.Name, Type: c.Type, Domain: a.tx.State().DomainOf(c.Domain)})
	case action.DropDefault:
		c.Default = ""
	case action.SetNotNull && a.hasNulls(ctx, table, i):
		panic(table.ContainsNulls(c.Name))
	case action.SetNotNull:
		c.NotNull = true
	case action.DropNotNull:
		if slices.ContainsFunc(table.Keys(), func(key store.Key) bool { return key.Primary && slices.Contains(key.Columns, i) }) {
			panic(value.Errorf(value.CodeInvalidTable, "column %q is in a primary key", c.Name))
		}
		c.NotNull = false
	}
	a.tx.Update(table.Redefined(columns))
}

// dropGenerated drops the generated columns that read a column which CASCADE drops.
func (a *alteration) dropGenerated(ctx context.Context, names []string) *store.Table {
	for _, name := range names {
		table := sqlstate.Must(a.tx.Table(ctx, a.key))
		a.res.Notices = append(a.res.Notices, result.NewNotice(value.CodeSuccess, "drop cascades to %s", a.columnOf(name)))
		a.dropColumn(ctx, table, &sql.DropColumn{Name: sql.Ident{Name: name}, Cascade: true})
	}
	return sqlstate.Must(a.tx.Table(ctx, a.key))
}
