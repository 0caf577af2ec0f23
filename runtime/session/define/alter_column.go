package define

import (
	"context"
	"slices"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// addColumn adds the column of ADD COLUMN, unless there is one of the name and it may be.
func (a *alteration) addColumn(table *store.Table, action *sql.AddColumn) error {
	name := action.Column.Name.Name
	if table.Ordinal(name) >= 0 {
		if !action.IfNotExists {
			return value.Errorf(value.CodeDuplicateColumn, "column %q of relation %q already exists", name, a.name)
		}
		a.res.Notices = append(a.res.Notices,
			result.NewNotice(value.CodeDuplicateColumn, "column %q of relation %q already exists, skipping", name, a.name))
		return nil
	}
	if _, serial := serialTypes[action.Column.Type.Name]; serial || action.Column.Identity != nil {
		return value.Errorf(value.CodeFeatureNotSupported, "adding a column of a serial type or an identity column is not supported")
	}
	columns, err := planner.TableColumns([]sql.ColumnDef{action.Column})
	if err != nil {
		return err
	}
	c, err := storedColumn(a.Session, &action.Column, columns[0])
	if err != nil {
		return err
	}
	if c.Generated() == "" {
		columns[0].Default = c.Default
	}
	if c.SequenceOf() != "" {
		return value.Errorf(value.CodeFeatureNotSupported, "adding a column that takes values of a sequence is not supported")
	}
	v, err := planner.DefaultValue(columns[0], catalog.Of(a.Session), query.Options(a.Session))
	if err != nil {
		return err
	}
	c.NotNull = c.NotNull && action.Column.Generated == nil // until it has its values
	next, err := table.WithColumn(c, v)
	if err == nil {
		err = value.WithoutPos(checkGenerated(a.Session, next, len(table.Columns()), action.Column))
	}
	if err != nil {
		return err
	}
	return a.replace(next, "adding a column to a table of which a view selects * is not supported")
}

func (a *alteration) dropColumn(ctx context.Context, table *store.Table, action *sql.DropColumn) error {
	i := table.Ordinal(action.Name.Name)
	if i < 0 && action.IfExists {
		a.res.Notices = append(a.res.Notices,
			result.NewNotice(value.CodeSuccess, "column %q of relation %q does not exist, skipping", action.Name.Name, a.name))
		return nil
	}
	if i < 0 {
		return a.noColumn(action.Name)
	}
	readers, err := a.readers(i)
	if err != nil {
		return err
	}
	refs := a.references(func(columns []int) bool { return slices.Contains(columns, i) })
	generated := generatedBy(table, action.Name.Name)
	if len(readers)+len(refs)+len(generated) > 0 && !action.Cascade {
		return a.dependents(action.Name.Name, generated, readers, refs)
	}
	if err := a.dropReaders(ctx, readers, refs); err != nil {
		return err
	}
	if table, err = a.dropGenerated(ctx, generated); err != nil { // which may have referred to itself
		return err
	}
	if err := a.tx.DropColumn(ctx, table, table.Ordinal(action.Name.Name)); err != nil {
		return err
	}
	if err := a.tx.DropOwned(ctx, a.key, action.Name.Name); err != nil {
		return err
	}
	return a.tx.RenameColumn(ctx, a.key, action.Name.Name, "")
}

// dropReaders drops the views that read a column, and those that read them, and the constraints that
// refer to it.
func (a *alteration) dropReaders(ctx context.Context, readers []*store.View, refs []store.Reference) error {
	return a.cascading(func() error {
		for _, v := range readers {
			key := store.KeyOf(v)
			if a.tx.State().Lookup(key) == nil {
				continue
			}
			if err := a.tx.Drop(ctx, store.KindOf(v), []string{key}, true); err != nil {
				return err
			}
		}
		return a.tx.DropReferences(ctx, refs)
	})
}

func (a *alteration) renameColumn(ctx context.Context, table *store.Table, action *sql.RenameColumn) error {
	i := table.Ordinal(action.From.Name)
	switch {
	case i < 0:
		return value.Errorf(value.CodeUndefinedColumn, "column %q does not exist", action.From.Name)
	case table.Ordinal(action.To.Name) >= 0:
		return value.Errorf(value.CodeDuplicateColumn, "column %q of relation %q already exists", action.To.Name, a.name)
	}
	refusal := value.Errorf(value.CodeFeatureNotSupported, "renaming this column is not supported, because a view that reads it cannot follow")
	views, err := a.following(ctx, table, i, action.To.Name, refusal)
	if err != nil {
		return err
	}
	if err := a.tx.RenameColumn(ctx, a.key, action.From.Name, action.To.Name); err != nil {
		return err
	}
	a.tx.RenameOwner(a.key, action.From.Name, action.To.Name)
	checks, err := renameInChecks(table, i, action.To.Name)
	if err != nil {
		return err
	}
	columns := slices.Clone(table.Columns())
	if err := renameInGenerated(columns, i, action.To.Name); err != nil {
		return err
	}
	columns[i].Name = action.To.Name
	next := table.Redefined(columns).Rechecked(checks)
	if v := store.QueryOf(table); v != nil {
		next = next.Requeried(v.Renamed(columns))
	}
	change := func() error {
		a.tx.Update(next)
		for _, v := range views {
			a.tx.Redefine(v)
		}
		return nil
	}
	return a.keepViews(change, refusal)
}

func (a *alteration) alterColumn(ctx context.Context, table *store.Table, action *sql.AlterColumn) error {
	i := table.Ordinal(action.Name.Name)
	switch {
	case i < 0:
		return a.noColumn(action.Name)
	case action.SetIdentity != nil:
		return a.setIdentity(ctx, action)
	case action.Identity != nil, action.DropIdentity:
		return a.alterIdentity(ctx, table, i, action)
	case action.DropExpression:
		return a.dropExpression(table, i, action.IfExists)
	case (action.Default != nil || action.DropDefault) && table.Columns()[i].Generated() != "":
		e := value.Errorf(value.CodeSyntax, "column %q of relation %q is a generated column", action.Name.Name, a.name)
		if action.DropDefault {
			e.Hint = "Use ALTER TABLE ... ALTER COLUMN ... DROP EXPRESSION instead."
		}
		return e
	case (action.Default != nil || action.DropDefault) && a.isIdentity(action.Name.Name):
		e := value.Errorf(value.CodeSyntax, "column %q of relation %q is an identity column", action.Name.Name, a.name)
		if action.DropDefault {
			e.Hint = "Use ALTER TABLE ... ALTER COLUMN ... DROP IDENTITY instead."
		}
		return e
	case action.DropNotNull && a.isIdentity(action.Name.Name):
		return value.Errorf(value.CodeSyntax, "column %q of relation %q is an identity column", action.Name.Name, a.name)
	}
	columns := slices.Clone(table.Columns())
	c := &columns[i]
	switch {
	case action.Default != nil:
		if key, err := sequenceDefault(a.Session, action.Default); key != "" || err != nil {
			if err != nil {
				return value.WithoutPos(err)
			}
			c.Default = store.NextOf(key)
			break
		}
		col := planner.CatalogColumn{Name: c.Name, Type: c.Type}
		text, err := planner.CheckDefault(action.Default, col, catalog.Of(a.Session), query.Options(a.Session))
		if err != nil {
			return err
		}
		c.Default = text
	case action.DropDefault:
		c.Default = ""
	case action.SetNotNull && table.Stats(i).Nulls > 0:
		return a.errNulls(c.Name)
	case action.SetNotNull:
		c.NotNull = true
	case action.DropNotNull:
		if slices.ContainsFunc(table.Keys(), func(key store.Key) bool { return key.Primary && slices.Contains(key.Columns, i) }) {
			return value.Errorf(value.CodeInvalidTable, "column %q is in a primary key", c.Name)
		}
		c.NotNull = false
	}
	a.tx.Update(table.Redefined(columns))
	return nil
}

// dropGenerated drops the generated columns that read a column which CASCADE drops.
func (a *alteration) dropGenerated(ctx context.Context, names []string) (*store.Table, error) {
	for _, name := range names {
		table, err := a.tx.Table(ctx, a.key)
		if err != nil {
			return nil, err
		}
		a.res.Notices = append(a.res.Notices, result.NewNotice(value.CodeSuccess, "drop cascades to %s", a.columnOf(name)))
		if err := a.dropColumn(ctx, table, &sql.DropColumn{Name: sql.Ident{Name: name}, Cascade: true}); err != nil {
			return nil, err
		}
	}
	return a.tx.Table(ctx, a.key)
}
