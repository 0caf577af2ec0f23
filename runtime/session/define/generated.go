package define

import (
	"context"
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// checkGenerated checks the expressions of generated columns of a table, which stand in the
// definitions of its columns from one on.
func checkGenerated(s *session.Session, table *store.Table, from int, defs ...sql.ColumnDef) error {
	rel := catalog.DescribeSource(table.Name(), table)
	rel.Schema = table.Schema()
	for i, def := range defs {
		if def.Generated == nil {
			continue
		}
		if err := planner.CheckGenerated(rel, from+i, def.Generated.Expr, catalog.Of(s), query.Options(s)); err != nil {
			return err
		}
	}
	return nil
}

// generatedBy are the names of the generated columns of a table that read a column.
func generatedBy(table *store.Table, column string) (names []string) {
	for _, c := range table.Columns() {
		e, err := sql.ParseExpr(c.Generated())
		if c.Generated() == "" || err != nil {
			continue
		}
		read, _ := sql.NamesIn(e)
		if slices.ContainsFunc(read, func(n sql.Name) bool { return nameOf(n) == column }) {
			names = append(names, c.Name)
		}
	}
	return names
}

// fill sets the values of the last column of a table, which is generated or takes those of a sequence.
func (a *alteration) fill(ctx context.Context, notNull bool) {
	plan := sqlstate.Must(planner.BuildRefill(a.stmt, catalog.Of(a.Session), query.Options(a.Session)))
	table := sqlstate.Must(a.tx.Table(ctx, a.key))
	table = a.rewrite(ctx, table, table.Columns(), plan)
	columns := slices.Clone(table.Columns())
	last := &columns[len(columns)-1]
	if last.NotNull = notNull; notNull && table.Stats(len(columns)-1).Nulls > 0 {
		panic(table.ContainsNulls(last.Name))
	}
	a.tx.Update(table.Redefined(columns))
}

// dropExpression runs DROP EXPRESSION.
func (a *alteration) dropExpression(table *store.Table, i int, ifExists bool) {
	columns := slices.Clone(table.Columns())
	switch generated := columns[i].Generated() != ""; {
	case !generated && !ifExists:
		panic(value.Errorf(value.CodeNotInState, "column %q of relation %q is not a stored generated column", columns[i].Name, a.name))
	case !generated:
		a.res.Notices = append(a.res.Notices,
			result.NewNotice(value.CodeSuccess, "column %q of relation %q is not a stored generated column, skipping", columns[i].Name, a.name))
		return
	}
	columns[i].Default = ""
	a.tx.Update(table.Redefined(columns))
}

// renameInGenerated renames column i where generated columns of the table read it.
func renameInGenerated(columns []store.Column, i int, to string) {
	for k := range columns {
		if text := columns[k].Generated(); text != "" {
			columns[k].Default = store.GeneratedAs(sqlstate.Must(sql.RenameColumnIn(text, columns[i].Name, to)))
		}
	}
}

// retypable fails where generated columns keep a column from getting another type.
func retypable(table *store.Table, i int, action *sql.AlterColumn) {
	c := &table.Columns()[i]
	if by := generatedBy(table, c.Name); len(by) > 0 {
		e := value.Errorf(value.CodeFeatureNotSupported, "cannot alter type of a column used by a generated column")
		e.Detail = fmt.Sprintf("Column %q is used by generated column %q.", c.Name, by[0])
		panic(e)
	}
	if c.Generated() == "" || action.Using == nil {
		return
	}
	e := value.Errorf(value.CodeInvalidColumnDefinition, "cannot specify USING when altering type of generated column")
	e.Detail = fmt.Sprintf("Column %q is a generated column.", c.Name)
	panic(e)
}
