// Package write changes the rows of tables: INSERT, UPDATE, DELETE, TRUNCATE and LOCK, and
// the keys that new rows must not break.
package write

import (
	"context"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// AppendRelation appends the rows of a relation to a table: table column i takes column
// ordinals[i], or NULLs where that is -1.
func AppendRelation(ctx context.Context, s *session.Session, tx *store.Tx, name string, rel runtime.Relation, ordinals []int) (err error) {
	defer sqlstate.Catch(&err)
	app := sqlstate.Must(tx.Append(ctx, name))
	sqlstate.Check(app.AddRelation(ctx, rel, ordinals, s.Settings.Threads))
	table := sqlstate.Must(app.Finish())
	return Update(ctx, s, tx, table)
}
