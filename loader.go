package cubeloom

import (
	"context"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/cubeloom/cubeloom/runtime/fault"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/write"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/arrowfile"
	"github.com/cubeloom/cubeloom/runtime/store/file"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Loader appends Arrow records to a table, in a transaction of its own: it takes
// part in none that a session has open, and nothing of it is seen, by any session,
// before Commit. Where a context ends it fails with 57014. One goroutine may use it.
type Loader struct {
	db  *DB
	tx  *store.Tx
	app *store.Appender
	key string // of the table
}

// Loader starts to append to a table; others cannot change the table until
// Commit or Close. It waits where the transaction of a session has changed the
// table, and so for ever where the goroutine is the one that would end that.
func (db *DB) Loader(ctx context.Context, table string) (*Loader, error) {
	tx := db.core.Tables.Begin()
	var app *store.Appender
	key, err := tx.LockRows(ctx, table)
	if err == nil {
		app, err = tx.Append(ctx, key)
	}
	if err == nil {
		err = loadable(app.Table())
	}
	if err != nil {
		tx.Rollback()
		return nil, session.EndedError(ctx, err)
	}
	return &Loader{db, tx, app, table}, nil
}

// loadable fails for a table whose rows are not all given.
func loadable(t *store.Table) error {
	switch {
	case store.QueryOf(t) != nil:
		return value.Errorf(value.CodeWrongObjectType, "cannot change materialized view %q", t.Name())
	case slices.ContainsFunc(t.Columns(), func(c store.Column) bool { return c.Generated() != "" }):
		return value.Errorf(value.CodeFeatureNotSupported, "loading records into a table with generated columns is not supported")
	}
	return nil
}

// Append appends the rows of records of one schema. Its columns are the table's,
// in order; their types are converted where no value changes, and texts are read as
// COPY reads them, else it fails with 42804. A text that is too long for its column
// fails with 22001. Many records at a time are encoded on all threads.
func (l *Loader) Append(ctx context.Context, recs ...arrow.Record) (err error) {
	defer fault.Guard()(&err)
	if len(recs) == 0 {
		return nil
	}
	reader, err := array.NewRecordReader(recs[0].Schema(), recs)
	if err != nil {
		return err
	}
	defer reader.Release()
	records, err := arrowfile.FromReader(reader)
	if err != nil {
		return err
	}
	err = file.LoadRecords(ctx, records, l.app, file.Settings{Threads: l.db.Threads()})
	return session.EndedError(ctx, err)
}

// Commit makes the appended rows part of the table. It fails with 23505 where
// they break a key of the table.
func (l *Loader) Commit(ctx context.Context) (err error) {
	defer fault.Guard()(&err)
	table, err := l.app.Finish()
	if err != nil {
		return err
	}
	s := l.db.Session()
	defer s.Close()
	ctx, leave := s.core.Enter(ctx)
	defer leave()
	before := l.tx.Savepoint()
	if err = write.Update(ctx, s.core, l.tx, l.key, table); err == nil {
		err = s.core.Follow(l.tx, before)
	}
	if err != nil {
		return session.EndedError(ctx, err)
	}
	return l.tx.Commit()
}

// Close ends the loading; rows that were not committed are dropped.
func (l *Loader) Close() { l.tx.Rollback() }
