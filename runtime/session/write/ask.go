package write

import (
	"context"

	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// AnyRow reports whether a condition is true of a row of a table, as a state has it.
func AnyRow(ctx context.Context, s *session.Session, state *store.State, t *store.Table, cond string) bool {
	return firstRow(ctx, s, state, "SELECT 1 FROM "+qualified(t)+" WHERE "+cond+" LIMIT 1") != nil
}

// RowsOf are the rows of a table, as a state has it.
func RowsOf(ctx context.Context, s *session.Session, state *store.State, t *store.Table) *result.Result {
	return asked(ctx, s, state, "SELECT * FROM "+qualified(t))
}

// firstRow is the first row that a query returns, as texts; nil for none.
func firstRow(ctx context.Context, s *session.Session, state *store.State, text string) []string {
	res := asked(ctx, s, state, text)
	defer res.Close()
	return sqlstate.Must(res.First())
}

// asked is what the engine itself answers to a query.
func asked(ctx context.Context, s *session.Session, state *store.State, text string) *result.Result {
	stmt := sqlstate.Must(sql.Parse(text))
	c, err := query.Compile(s, stmt.(*sql.Query), catalog.Keyless(s, state), query.Options(s), true)
	sqlstate.Check(value.WithoutPos(err))
	return sqlstate.Must(query.Execute(ctx, s, c))
}

// qualified is the name of a table that stands for no other one.
func qualified(table *store.Table) string {
	return pgcatalog.Quote(table.Schema()) + "." + pgcatalog.Quote(table.Name())
}
