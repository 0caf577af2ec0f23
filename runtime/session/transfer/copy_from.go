package transfer

import (
	"context"
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/session/write"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/file"
	"github.com/cubeloom/cubeloom/runtime/store/fileaccess"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// copyFrom runs COPY t FROM 'file'. A bad row ends it, and leaves nothing
// behind.
func copyFrom(ctx context.Context, s *session.Session, files fileaccess.Access, stmt *sql.Copy) (*result.Result, error) {
	name, err := s.TargetName(stmt.Table)
	if err != nil {
		return nil, err
	}
	var rows int64
	err = s.ChangeOf(name, "COPY FROM", func(tx *store.Tx) error {
		if _, err := copyColumns(s, stmt); err != nil {
			return err
		}
		app, err := tx.Append(ctx, name)
		if err != nil {
			return err
		}
		rows = -app.Rows()
		if err := appendCopied(ctx, s, files, stmt, tx, app); err != nil {
			return err
		}
		rows += app.Rows()
		table, err := app.Finish()
		if err != nil {
			return err
		}
		return write.Update(ctx, s, tx, table)
	})
	if err != nil {
		return nil, err
	}
	return &result.Result{Tag: fmt.Sprintf("COPY %d", rows)}, nil
}

// appendCopied appends the rows that COPY FROM reads.
func appendCopied(ctx context.Context, s *session.Session, files fileaccess.Access, stmt *sql.Copy, tx *store.Tx, app *store.Appender) error {
	table := app.Table()
	plan, err := planCopy(s, stmt, nil)
	if err != nil {
		return err
	}
	fields := app
	if plan.Computes {
		fields, err = tx.Stage(copiedFields(stmt, plan, table), func(part *store.Table) error {
			return appendComputed(ctx, s, stmt, app, part)
		})
		if err != nil {
			return err
		}
	}
	if stmt.File == "" {
		_, err = file.LoadFrom(ctx, s.Streams.In, fields, plan.Columns, copyOptions(stmt), s.FileSettings())
	} else {
		_, err = file.Load(ctx, files, stmt.File, fields, plan.Columns, copyOptions(stmt), s.FileSettings())
	}
	if err != nil || !plan.Computes {
		return err
	}
	return fields.PassOn()
}

// copiedFields defines what holds the fields of COPY until its rows are computed: a table
// that has NULL where there is no field, also in columns that have a default or which
// WHERE may leave out.
func copiedFields(stmt *sql.Copy, plan *planner.CopyPlan, table *store.Table) store.Definition {
	def := store.Definition{Name: table.Name(), Columns: slices.Clone(table.Columns())}
	for i := range def.Columns {
		c := &def.Columns[i]
		computed := c.Default != "" && !slices.Contains(plan.Columns, i)
		c.NotNull = c.NotNull && !computed && stmt.Where == nil
	}
	return def
}

// appendComputed appends what the query of COPY makes of some of its fields.
func appendComputed(ctx context.Context, s *session.Session, stmt *sql.Copy, app *store.Appender, part *store.Table) error {
	plan, err := planCopy(s, stmt, catalog.DescribeSource(part.Name(), part))
	if err != nil {
		return err
	}
	c, err := query.Weave(s, plan.Source, true)
	if err != nil {
		return err
	}
	res, err := query.Execute(ctx, s, c)
	if err != nil {
		return inCopyOf(part.Name(), err)
	}
	defer res.Close()
	return inCopyOf(part.Name(), app.AddRelation(ctx, res.Rows, result.Ordinals(len(part.Columns())), s.Settings.Threads))
}

// inCopyOf says of an error of a user that it happened while a table was copied to.
func inCopyOf(table string, err error) error {
	e, ok := err.(*value.Error)
	if !ok {
		return err
	}
	placed := *e
	placed.Where = "COPY " + table
	return &placed
}
