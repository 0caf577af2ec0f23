// Package write changes the rows of tables: INSERT, UPDATE, DELETE, TRUNCATE and LOCK, and
// the keys that new rows must not break.
package write

import (
	"context"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/store"
)

// AppendRelation appends the rows of a relation to a table: table column i takes column
// ordinals[i], or NULLs where that is -1.
func AppendRelation(ctx context.Context, s *session.Session, tx *store.Tx, name string, rel runtime.Relation, ordinals []int) error {
	app, err := tx.Append(ctx, name)
	if err != nil {
		return err
	}
	if err := app.AddRelation(ctx, rel, ordinals, s.Settings.Threads); err != nil {
		return err
	}
	table, err := app.Finish()
	if err != nil {
		return err
	}
	return Update(ctx, s, tx, table)
}
