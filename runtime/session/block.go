package session

import (
	"context"
	"time"

	"github.com/cubeloom/cubeloom/runtime/fault"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// begin opens a transaction, with the modes of the one that has ended or, where that
// is nil, with the default ones.
func (s *Session) begin(ended *settings.Values) {
	tx := s.DB.Tables.Begin()
	tx.Temporary = &s.temporary
	tx.Written, tx.Names = s.Written, Names
	if s.advisory != nil {
		s.advisory.Join(tx)
	}
	s.tx = &transaction{tx: tx, started: time.Now(), before: s.Settings, kept: s.Settings}
	for _, mode := range settings.TransactionModes {
		text := s.Settings.Client[settings.DefaultModes+mode]
		if ended != nil {
			text = ended.Client[settings.CurrentModes+mode]
		}
		s.Settings.SetMode(mode, text)
	}
	s.tx.first = s.Settings
}

// Tx is the transaction that a statement runs in, in the store.
func (s *Session) Tx() *store.Tx { return s.tx.tx }

// RunsAlone reports whether the running statement is a transaction of its own.
func (s *Session) RunsAlone() bool { return s.tx.alone }

// Alone runs a statement that no transaction is open for in one of its own.
func (s *Session) Alone(run func() (*result.Result, error)) (*result.Result, error) {
	s.begin(nil)
	s.tx.implicit, s.tx.alone = true, true
	defer func(t *transaction) {
		if s.tx == t { // it failed, or panicked
			s.rollback()
		}
	}(s.tx)
	result, err := run()
	if err == nil && s.tx != nil {
		_, err = s.commit()
	}
	return result, err
}

// rollback ends the transaction and takes back what it changed.
func (s *Session) rollback() {
	t := s.tx
	s.tx = nil
	s.Settings = t.before
	s.Cursors.end(t, false)
	t.tx.Rollback()
	s.endAdvisory()
}

// endAdvisory gives back the advisory locks of a transaction that has ended.
func (s *Session) endAdvisory() {
	if s.advisory != nil {
		s.advisory.EndTransaction()
	}
}

func ErrFailedTransaction() error {
	return value.Errorf(value.CodeFailedTransaction,
		"current transaction is aborted, commands ignored until end of transaction block")
}

// commit ends the transaction; one that has failed is rolled back instead.
func (s *Session) commit() (*result.Result, error) {
	t := s.tx
	switch {
	case t == nil:
		return &result.Result{Tag: "COMMIT"}, nil
	case t.failed:
		s.rollback()
		return &result.Result{Tag: "ROLLBACK"}, nil
	}
	if err := s.checkDeferred(); err != nil {
		s.rollback()
		return nil, err
	}
	s.tx = nil
	defer s.endAdvisory()
	if err := t.tx.Commit(); err != nil {
		s.Settings = t.before
		s.Cursors.end(t, false)
		return nil, err
	}
	s.Settings = t.kept
	s.Cursors.end(t, true)
	return &result.Result{Tag: "COMMIT"}, nil
}

// checkDeferred runs the checks that have waited for the end of the transaction. A panic is its error.
func (s *Session) checkDeferred() (err error) {
	defer fault.Arm()()
	defer func() {
		if p := recover(); p != nil {
			err = InternalError(p)
		}
	}()
	return s.tx.tx.CheckDeferred(s.Context(), true)
}

// Snapshot has the transaction keep what its first statement sees where its level
// asks for that. A deferrable one may wait for it until ctx ends.
func (s *Session) Snapshot(ctx context.Context, stmt sql.Statement) error {
	t := s.tx
	if t == nil || t.queried {
		return nil
	}
	mode := func(name string) bool { return s.Settings.Client[settings.CurrentModes+name] == settings.OnOff(true) }
	switch s.Settings.Client[settings.CurrentModes+"isolation"] {
	case "repeatable read":
		t.tx.Pin()
	case "serializable":
		// A query that is a transaction of its own only reads, whether it says so or not.
		_, query := stmt.(*sql.Query)
		query = query && len(sql.Writes(stmt)) == 0
		readOnly := mode("read_only")
		if err := t.tx.Serialize(ctx, readOnly || query && t.alone, readOnly && mode("deferrable")); err != nil {
			return err
		}
	}
	t.queried = true
	return nil
}

// Unserializable is the error of a transaction that has no place in a serial
// order with others; nil for none.
func (s *Session) Unserializable() error {
	if s.tx == nil {
		return nil
	}
	return s.tx.tx.Err()
}

// Change runs a statement that changes tables within the session's transaction;
// a failure leaves the changes made before it. Where the transaction only reads,
// the statement, which command names, fails.
func (s *Session) Change(command string, do func(*store.Tx)) {
	s.ChangeOf("", command, do)
}

// ChangeOf is change of the rows of a table, which may be a temporary one where the
// transaction only reads.
func (s *Session) ChangeOf(key, command string, do func(*store.Tx)) {
	sqlstate.Check(s.Writable(key, command))
	tx := s.tx.tx
	tx.LockTimeout, tx.Owner, tx.Command = s.LockTimeout(), s.User(), command
	before := tx.Savepoint()
	err := s.changing(tx, do)
	if err == nil && s.changes == 0 { // IMPORT DATABASE consists of others
		err = s.Follow(tx, before)
	}
	if err != nil {
		tx.RollbackTo(before)
		panic(err)
	}
}

// Writable fails where the transaction only reads and a table, by its key, is not temporary.
func (s *Session) Writable(key, command string) error {
	if s.readOnly() && !store.IsTemporary(key) {
		return value.Errorf(value.CodeReadOnly, "cannot execute %s in a read-only transaction", command)
	}
	return nil
}

// changing runs what changes tables, and counts that it runs.
func (s *Session) changing(tx *store.Tx, do func(*store.Tx)) error {
	s.changes++
	defer func() { s.changes-- }()
	return sqlstate.Run(func() { do(tx) })
}

// Follow makes hierarchies follow what has been changed since a moment.
func (s *Session) Follow(tx *store.Tx, since store.Savepoint) error {
	return tx.Follow(s.Context(), since, s.Meter)
}

// LockTimeout is how long a statement waits for a table that another transaction
// changes; 0 for ever.
func (s *Session) LockTimeout() time.Duration { return s.Settings.ClientDuration("lock_timeout") }

// Close rolls back the transaction that is open and forgets what the session keeps.
func (s *Session) Close() {
	if s.tx != nil {
		s.tx.tx.Rollback()
		s.tx = nil
	}
	s.temporary = store.Temporary{}
	if s.endAdvisory(); s.advisory != nil {
		s.advisory.UnlockAll()
	}
	s.Cursors.CloseAll()
	clear(s.Prepared.byName)
	s.kept.Close()
}

// BeginBlock makes the statements up to EndBlock one transaction, unless one is open.
func (s *Session) BeginBlock() {
	if s.tx == nil {
		s.begin(nil)
		s.tx.implicit = true
	}
}

// EndBlock ends what BeginBlock began, where it is open still. Checks that have waited for it end with ctx.
func (s *Session) EndBlock(ctx context.Context) error {
	if s.tx == nil || !s.tx.implicit {
		return nil
	}
	if s.tx.tx.HasDeferred() {
		var leave func()
		ctx, leave = s.Enter(ctx)
		defer leave()
	}
	if _, err := s.commit(); err != nil {
		return UserError(ctx, err)
	}
	return nil
}
