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
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// copyFrom runs COPY t FROM 'file'. A bad row ends it, and leaves nothing
// behind.
func copyFrom(ctx context.Context, s *session.Session, files fileaccess.Access, stmt *sql.Copy) *result.Result {
	name := sqlstate.Must(s.TargetName(stmt.Table))
	var rows int64
	s.ChangeOf(name, "COPY FROM", func(tx *store.Tx) {
		sqlstate.Must(copyColumns(s, stmt))
		app := sqlstate.Must(tx.Append(ctx, sqlstate.Must(tx.LockRows(ctx, name))))
		rows = -app.Rows()
		appendCopied(ctx, s, files, stmt, tx, app)
		rows += app.Rows()
		table := sqlstate.Must(app.Finish())
		sqlstate.Check(write.Update(ctx, s, tx, name, table))
	})
	return &result.Result{Tag: fmt.Sprintf("COPY %d", rows)}
}

// appendCopied appends the rows that COPY FROM reads.
func appendCopied(ctx context.Context, s *session.Session, files fileaccess.Access, stmt *sql.Copy, tx *store.Tx, app *store.Appender) {
	table := app.Table()
	plan, err := planCopy(s, stmt, nil)
	sqlstate.Check(err)
	fields := app
	if plan.Computes {
		fields = sqlstate.Must(tx.Stage(copiedFields(stmt, plan, table), func(part *store.Table) (err error) {
			defer sqlstate.Catch(&err)
			appendComputed(ctx, s, stmt, app, part)
			return nil
		}))
	}
	if stmt.File == "" {
		_, err = file.LoadFrom(ctx, s.Streams.In, fields, plan.Columns, copyOptions(stmt), s.FileSettings())
	} else {
		_, err = file.Load(ctx, files, stmt.File, fields, plan.Columns, copyOptions(stmt), s.FileSettings())
	}
	if err != nil || !plan.Computes {
		sqlstate.Check(err)
		return
	}
	sqlstate.Check(fields.PassOn())
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
func appendComputed(ctx context.Context, s *session.Session, stmt *sql.Copy, app *store.Appender, part *store.Table) {
	plan := sqlstate.Must(planCopy(s, stmt, catalog.DescribeSource(part.Name(), part)))
	c := sqlstate.Must(query.Weave(s, plan.Source, true))
	res, err := query.Execute(ctx, s, c)
	sqlstate.Check(inCopyOf(part.Name(), err))
	defer res.Close()
	sqlstate.Check(inCopyOf(part.Name(), app.AddRelation(ctx, res.Rows, lists.Upto[int](len(part.Columns())), s.Settings.Threads)))
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
