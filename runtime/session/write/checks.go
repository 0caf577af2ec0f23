package write

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// CheckRows fails with 23514 where a CHECK constraint is false of a row of a table that an
// older version, which may be nil, does not have: one behind its rows, or one that was changed.
func CheckRows(ctx context.Context, s *session.Session, table, old *store.Table, changed []store.Pick) error {
	check, row, err := Broken(ctx, s, table.Since(old), table.Checks())
	if check != nil && err == nil && old != nil {
		// It may be an older row of the same block, of which the constraint has never been true.
		var fresh *store.Table
		if fresh, err = table.Fresh(old, changed, s.Meter); err == nil {
			check, row, err = Broken(ctx, s, fresh, table.Checks())
		}
	}
	if check == nil || err != nil {
		return err
	}
	e := value.Errorf(value.CodeCheckViolation, "new row for relation %q violates check constraint %q", table.Name(), check.Name)
	e.Detail = "Failing row contains (" + row + ")."
	e.Object = table.Constraint(check.Name)
	return e
}

// checkProposed is CheckRows of the rows that an INSERT with ON CONFLICT proposes, in the first
// columns of a relation, also of those that will not be stored.
func checkProposed(ctx context.Context, s *session.Session, tx *store.Tx, table *store.Table, rel runtime.Relation, columns int) {
	if len(table.Checks()) == 0 {
		return
	}
	def := store.Definition{Schema: table.Schema(), Name: table.Name(), Columns: slices.Clone(table.Columns()), Checks: table.Checks()}
	app := sqlstate.Must(tx.Stage(def, func(proposed *store.Table) error { return CheckRows(ctx, s, proposed, nil, nil) }))
	sqlstate.Check(app.AddRelation(ctx, rel, lists.Upto[int](columns), s.Settings.Threads))
	sqlstate.Check(app.PassOn())
}

// Broken finds a row of a table of which one of some CHECK constraints is false: the constraint,
// the first one by name, and the row as messages show it; nil for none. It asks the engine itself.
func Broken(ctx context.Context, s *session.Session, table *store.Table, checks []store.Check) (_ *store.Check, _ string, err error) {
	defer sqlstate.Catch(&err)
	if len(checks) == 0 || table.Rows() == 0 {
		return nil, "", nil
	}
	checks = slices.Clone(checks)
	slices.SortFunc(checks, func(a, b store.Check) int { return strings.Compare(a.Name, b.Name) })
	stmt := sqlstate.Must(sql.Parse(brokenQuery(table, checks)))
	alone := catalog.Keyless(s, store.NewState([]store.Object{table}))
	c, err := query.Compile(s, stmt.(*sql.Query), alone, query.Options(s), true)
	sqlstate.Check(value.WithoutPos(err))
	res := sqlstate.Must(query.Execute(ctx, s, c))
	defer res.Close()
	for i := range res.Rows.Blocks() {
		block := sqlstate.Must(res.Rows.Load(i, lists.Upto[int](len(res.Columns))))
		if block.Rows > 0 {
			return &checks[block.Cols[0].Int(0)], store.RowText(table.Columns(), block.Cols[1:], 0), nil
		}
	}
	return nil, "", nil
}

// brokenQuery finds a row of which a check is false, with the number of the first such check.
func brokenQuery(table *store.Table, checks []store.Check) string {
	var number, where strings.Builder
	for i, check := range checks {
		broken := "(" + check.Text + "\n) IS FALSE" // a comment may end the text
		fmt.Fprintf(&number, " WHEN %s THEN %d", broken, i)
		if i > 0 {
			where.WriteString(" OR ")
		}
		where.WriteString(broken)
	}
	return fmt.Sprintf("SELECT CASE%s END, * FROM %s WHERE %s LIMIT 1", &number, qualified(table), &where)
}

// qualified is the name of a table that stands for no other one.
func qualified(table *store.Table) string {
	return pgcatalog.Quote(table.Schema()) + "." + pgcatalog.Quote(table.Name())
}
