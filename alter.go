package cubeloom

import (
	"context"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// alteration is an ALTER TABLE while it runs.
type alteration struct {
	*Session
	tx   *store.Tx
	key  string // of the table or view
	stmt sql.Name
	name string
	res  *answer
}

// alterTable runs ALTER TABLE and ALTER VIEW: all of its actions or none.
func (s *Session) alterTable(ctx context.Context, stmt *sql.AlterTable) (*answer, error) {
	key, err := s.targetName(stmt.Name)
	if err != nil {
		return nil, err
	}
	name := store.NameOf(key)
	a := &alteration{Session: s, key: key, stmt: stmt.Name, name: name, res: &answer{Tag: "ALTER TABLE"}}
	kind := store.KindTable
	if stmt.View {
		a.res.Tag, kind = "ALTER VIEW", store.KindView
	}
	err = s.change(a.res.Tag, func(tx *store.Tx) error {
		a.tx = tx
		if tx.State().Lookup(key) != nil {
			if err := s.mayAlter(key, stmt.Actions); err != nil {
				return err
			}
		}
		if err := tx.LockToDefine(ctx, key); err != nil {
			return err
		}
		o := tx.State().Lookup(key)
		switch {
		case o == nil && stmt.IfExists:
			a.res.Notices = append(a.res.Notices, notice(codeSuccess, "relation %q does not exist, skipping", name))
			return nil
		case o == nil:
			return value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", name)
		case stmt.View && store.KindOf(o) != kind:
			return value.Errorf(value.CodeWrongObjectType, "%q is not a view", name)
		}
		for _, action := range stmt.Actions {
			if err := a.run(ctx, action, store.KindOf(o)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return a.res, nil
}

// run runs one action.
func (a *alteration) run(ctx context.Context, action sql.AlterAction, kind store.Kind) error {
	if r, ok := action.(*sql.RenameTable); ok {
		if len(a.tx.State().Dependents(a.key)) > 0 {
			return value.Errorf(value.CodeFeatureNotSupported, "renaming a %s that views read is not supported", kind)
		}
		return a.tx.Rename(ctx, kind, a.key, r.To.Name)
	}
	if owner, ok := action.(*sql.ChangeOwner); ok {
		return a.changeOwner(ctx, a.tx, a.res, a.name, owner.To)
	}
	if kind == store.KindView {
		return value.Errorf(value.CodeFeatureNotSupported, "changing the columns of a view is not supported")
	}
	table, err := a.tx.Table(ctx, a.key)
	if err != nil {
		return err
	}
	switch action := action.(type) {
	case *sql.AddColumn:
		return a.addColumn(table, action)
	case *sql.DropColumn:
		return a.dropColumn(ctx, table, action)
	case *sql.RenameColumn:
		return a.renameColumn(ctx, table, action)
	case *sql.AlterColumn:
		if action.Type != nil {
			return a.retype(ctx, table, action)
		}
		return a.alterColumn(table, action)
	case *sql.AddKey:
		return a.addKey(ctx, table, action)
	case *sql.DropConstraint:
		return a.dropKey(table, action)
	}
	return value.Errorf(value.CodeInternal, "unknown action %T", action)
}

func (a *alteration) addColumn(table *store.Table, action *sql.AddColumn) error {
	name := action.Column.Name.Name
	if columnOf(table, name) >= 0 {
		if !action.IfNotExists {
			return value.Errorf(value.CodeDuplicateColumn, "column %q of relation %q already exists", name, a.name)
		}
		a.res.Notices = append(a.res.Notices,
			notice(value.CodeDuplicateColumn, "column %q of relation %q already exists, skipping", name, a.name))
		return nil
	}
	columns, err := planner.TableColumns([]sql.ColumnDef{action.Column})
	if err != nil {
		return err
	}
	c, err := a.storedColumn(&action.Column, columns[0])
	if err != nil {
		return err
	}
	columns[0].Default = c.Default
	v, err := planner.DefaultValue(columns[0], a.catalog(), a.planOptions())
	if err != nil {
		return err
	}
	next, err := table.WithColumn(c, v)
	if err != nil {
		return err
	}
	return a.replace(next, "adding a column to a table of which a view selects * is not supported")
}

// replace takes a new version of the table in, unless it changes the columns of
// a view.
func (a *alteration) replace(next *store.Table, refusal string) error {
	change := func() error {
		a.tx.Update(next)
		return nil
	}
	return a.keepViews(change, value.Errorf(value.CodeFeatureNotSupported, "%s", refusal))
}

// keepViews makes a change, unless it changes the columns of a view that reads the
// relation, or has its query be wrong.
func (a *alteration) keepViews(change func() error, refusal error) error {
	views := a.tx.State().Dependents(a.key)
	before := make([]int, len(views))
	for i, v := range views {
		plan, err := a.planView(v)
		if err != nil {
			return err
		}
		before[i] = len(plan.Columns)
	}
	if err := change(); err != nil {
		return err
	}
	for i, v := range views {
		if plan, err := a.planView(v); err != nil || len(plan.Columns) != before[i] {
			return refusal
		}
	}
	return nil
}

// planView plans the query of a view.
func (a *alteration) planView(v *store.View) (*planner.Plan, error) {
	q, err := parseView(v)
	if err != nil {
		return nil, err
	}
	return planner.Build(q, a.catalog(), planner.Options{Trace: true, SQLFunctions: a.sqlFunction})
}

// readers are the views that read a column of the table.
func (a *alteration) readers(ordinal int) ([]string, error) {
	var names []string
	for _, v := range a.tx.State().Dependents(a.key) {
		plan, err := a.planView(v)
		if err != nil {
			return nil, err
		}
		if plan.Reads(a.name, ordinal) {
			names = append(names, v.Name())
		}
	}
	return names, nil
}

func (a *alteration) dropColumn(ctx context.Context, table *store.Table, action *sql.DropColumn) error {
	i := columnOf(table, action.Name.Name)
	if i < 0 && action.IfExists {
		a.res.Notices = append(a.res.Notices,
			notice(codeSuccess, "column %q of relation %q does not exist, skipping", action.Name.Name, a.name))
		return nil
	}
	if i < 0 {
		return a.noColumn(action.Name)
	}
	readers, err := a.readers(i)
	if err != nil {
		return err
	}
	switch {
	case len(readers) > 0 && !action.Cascade:
		return a.dependents(action.Name.Name, readers)
	case len(readers) > 0:
		if err := a.tx.Drop(ctx, store.KindView, readers, true); err != nil {
			return err
		}
		for _, v := range readers {
			a.res.Notices = append(a.res.Notices, notice(codeSuccess, "drop cascades to view %s", v))
		}
	}
	next, err := table.WithoutColumn(i)
	if err != nil {
		return err
	}
	a.tx.Update(next)
	return a.tx.RenameColumn(ctx, a.name, action.Name.Name, "")
}

// dependents is the error of dropping a column that views read.
func (a *alteration) dependents(column string, views []string) error {
	lines := make([]string, len(views))
	for i, v := range views {
		lines[i] = "view " + v + " depends on column " + column + " of table " + a.name
	}
	return &value.Error{
		Code: value.CodeDependentObjects, Pos: value.NoPos,
		Message: "cannot drop column " + column + " of table " + a.name + " because other objects depend on it",
		Detail:  strings.Join(lines, "\n"),
		Hint:    "Use DROP ... CASCADE to drop the dependent objects too.",
	}
}

func (a *alteration) renameColumn(ctx context.Context, table *store.Table, action *sql.RenameColumn) error {
	i := columnOf(table, action.From.Name)
	switch {
	case i < 0:
		return value.Errorf(value.CodeUndefinedColumn, "column %q does not exist", action.From.Name)
	case columnOf(table, action.To.Name) >= 0:
		return value.Errorf(value.CodeDuplicateColumn, "column %q of relation %q already exists", action.To.Name, a.name)
	}
	readers, err := a.readers(i)
	if err != nil {
		return err
	}
	if len(readers) > 0 {
		return value.Errorf(value.CodeFeatureNotSupported, "renaming a column that views read is not supported")
	}
	if err := a.tx.RenameColumn(ctx, a.name, action.From.Name, action.To.Name); err != nil {
		return err
	}
	columns := slices.Clone(table.Columns())
	columns[i].Name = action.To.Name
	a.tx.Update(table.Redefined(columns))
	return nil
}

func (a *alteration) alterColumn(table *store.Table, action *sql.AlterColumn) error {
	i := columnOf(table, action.Name.Name)
	if i < 0 {
		return a.noColumn(action.Name)
	}
	columns := slices.Clone(table.Columns())
	c := &columns[i]
	switch {
	case action.Default != nil:
		col := planner.CatalogColumn{Name: c.Name, Type: c.Type}
		text, err := planner.CheckDefault(action.Default, col, a.catalog(), a.planOptions())
		if err != nil {
			return err
		}
		c.Default = text
	case action.DropDefault:
		c.Default = ""
	case action.SetNotNull && table.Stats(i).Nulls > 0:
		return value.Errorf(value.CodeNotNullViolation, "column %q of relation %q contains null values", c.Name, a.name)
	case action.SetNotNull:
		c.NotNull = true
	case action.DropNotNull:
		if slices.ContainsFunc(table.Keys(), func(key store.Key) bool { return key.Primary && slices.Contains(key.Columns, i) }) {
			return value.Errorf(codeInvalidTable, "column %q is in a primary key", c.Name)
		}
		c.NotNull = false
	}
	a.tx.Update(table.Redefined(columns))
	return nil
}

// codeInvalidTable is the SQLSTATE of a definition that contradicts itself.
const codeInvalidTable = "42P16"

func (a *alteration) noColumn(id sql.Ident) error {
	return value.Errorf(value.CodeUndefinedColumn, "column %q of relation %q does not exist", id.Name, a.name)
}

// columnOf finds a column of a table by its name; -1 for none.
func columnOf(table *store.Table, name string) int {
	return slices.IndexFunc(table.Columns(), func(c store.Column) bool { return c.Name == name })
}
