package define

import (
	"context"
	"slices"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/session/write"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// retype runs ALTER COLUMN … TYPE: the table is written anew.
func (a *alteration) retype(ctx context.Context, table *store.Table, action *sql.AlterColumn) error {
	i := table.Ordinal(action.Name.Name)
	if i < 0 {
		return a.noColumn(action.Name)
	}
	typ, err := sqltype.Resolve(*action.Type)
	if err != nil {
		return err
	}
	plan, err := planner.BuildRetype(a.stmt, i, typ, action.Using, catalog.Of(a.Session), query.Options(a.Session))
	if err != nil {
		return err
	}
	readers, err := a.readers(i)
	if err != nil {
		return err
	}
	if len(readers) > 0 {
		e := value.Errorf(value.CodeFeatureNotSupported, "cannot alter type of a column used by a view or rule")
		e.Detail = "rule _RETURN on " + string(store.KindOf(readers[0])) + " " + a.written(readers[0]) + " depends on column \"" + action.Name.Name + "\""
		return e
	}
	c, err := query.Weave(a.Session, plan, true)
	if err != nil {
		return err
	}
	res, err := query.Execute(ctx, a.Session, c)
	if err != nil {
		return err
	}
	columns := slices.Clone(table.Columns())
	columns[i].Type = typ
	if columns[i].Default != "" && columns[i].SequenceOf() == "" {
		if err := a.checkDefaultOf(columns[i]); err != nil {
			return err
		}
	}
	empty, err := table.Emptied(columns)
	if err != nil {
		return err
	}
	a.tx.Update(empty.Rechecked(nil).WithForeignKeys(nil))
	if err := write.AppendRelation(ctx, a.Session, a.tx, a.key, res.Rows, result.Ordinals(len(columns))); err != nil {
		return err
	}
	next, err := a.tx.Table(ctx, a.key)
	if err != nil {
		return err
	}
	next = next.Rechecked(table.Checks()).WithForeignKeys(table.ForeignKeys())
	if err := a.recheck(ctx, next, i); err != nil {
		return err
	}
	a.tx.Update(next)
	return a.recheckReferences(ctx, next, i)
}

// checkDefaultOf checks that the default of a column suits the type that it gets.
func (a *alteration) checkDefaultOf(c store.Column) error {
	col := planner.CatalogColumn{Name: c.Name, Type: c.Type, Default: c.Default}
	if _, err := planner.DefaultValue(col, catalog.Of(a.Session), query.Options(a.Session)); err != nil {
		return value.Errorf(value.CodeDatatypeMismatch, "default for column %q cannot be cast automatically to type %s", c.Name, result.ColumnType{Type: c.Type})
	}
	return nil
}
