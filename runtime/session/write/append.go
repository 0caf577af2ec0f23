// Package write changes the rows of tables: INSERT, UPDATE, DELETE, TRUNCATE and LOCK, and
// the keys that new rows must not break.
package write

import (
	"context"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// AppendRelation appends the rows of a relation to a table, by its key: table column i takes column
// ordinals[i], or NULLs where that is -1.
func AppendRelation(ctx context.Context, s *session.Session, tx *store.Tx, name string, rel runtime.Relation, ordinals []int) (err error) {
	defer sqlstate.Catch(&err)
	keepReferences(ctx, s, tx, appendRelation(ctx, s, tx, name, rel, ordinals))
	return nil
}

// appendRelation is AppendRelation that does not look at FOREIGN KEY constraints.
func appendRelation(ctx context.Context, s *session.Session, tx *store.Tx, name string, rel runtime.Relation, ordinals []int) written {
	app := sqlstate.Must(tx.Append(ctx, sqlstate.Must(tx.LockRows(ctx, name))))
	sqlstate.Check(app.AddRelation(ctx, rel, ordinals, s.Settings.Threads))
	return update(ctx, s, tx, name, sqlstate.Must(app.Finish()))
}

// append appends the first columns of rows, which are those of the table.
func (c *changes) append(rows runtime.Relation, columns int) {
	c.written = append(c.written, appendRelation(c.ctx, c.s, c.tx, c.target, rows, lists.Upto[int](columns)))
}
