package cubeloom

import (
	"context"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// transaction is the explicit transaction of a session.
type transaction struct {
	tx         *store.Tx
	started    time.Time
	implicit   bool            // opened by BeginBlock or for one statement, and not by BEGIN
	alone      bool            // of one statement
	queried    bool            // it has taken a snapshot
	first      settings.Values // as it began
	failed     bool            // a statement failed: nothing but ROLLBACK goes on
	savepoints []savepoint
	before     settings.Values // what ROLLBACK goes back to
	kept       settings.Values // what COMMIT keeps: without SET LOCAL
}

// savepoint is a named moment of a transaction.
type savepoint struct {
	name string
	at   store.Savepoint

	before, kept settings.Values
}

// begin opens a transaction, with the modes of the one that has ended or, where that
// is nil, with the default ones.
func (s *Session) begin(ended *settings.Values) {
	tx := s.db.tables.Begin()
	tx.Temporary = &s.temporary
	s.tx = &transaction{tx: tx, started: time.Now(), before: s.settings, kept: s.settings}
	for _, mode := range settings.TransactionModes {
		text := s.settings.Client[settings.DefaultModes+mode]
		if ended != nil {
			text = ended.Client[settings.CurrentModes+mode]
		}
		s.settings.SetMode(mode, text)
	}
	s.tx.first = s.settings
}

// alone runs a statement that no transaction is open for in one of its own.
func (s *Session) alone(run func() (*answer, error)) (*answer, error) {
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

// transact runs a transaction statement.
func (s *Session) transact(stmt *sql.Transaction) (*answer, error) {
	switch stmt.Kind {
	case sql.Begin:
		return s.beginStatement(stmt)
	case sql.Commit, sql.Rollback:
		return s.end(stmt)
	case sql.SetTransaction, sql.SetCharacteristics:
		return s.setTransaction(stmt)
	}
	return s.savepoint(stmt)
}

// end runs COMMIT and ROLLBACK.
func (s *Session) end(stmt *sql.Transaction) (*answer, error) {
	var notices []Notice
	if s.tx == nil || s.tx.implicit {
		if stmt.Chain {
			return nil, value.Errorf(value.CodeNoActiveTransaction, "%s AND CHAIN can only be used in transaction blocks", strings.ToUpper(string(stmt.Kind)))
		}
		notices = []Notice{warning(value.CodeNoActiveTransaction, "there is no transaction in progress")}
	}
	res, modes := &answer{Tag: "ROLLBACK"}, s.settings
	if s.tx != nil && s.tx.failed {
		modes = s.tx.first // a failure takes along what was set since, as in PostgreSQL
	}
	switch {
	case stmt.Kind == sql.Commit:
		var err error
		if res, err = s.commit(); err != nil {
			return nil, err
		}
	case s.tx != nil:
		s.rollback()
	}
	res.Notices = notices
	if stmt.Chain {
		s.begin(&modes)
	}
	return res, nil
}

// beginStatement runs BEGIN. It fails in a transaction that has failed.
func (s *Session) beginStatement(stmt *sql.Transaction) (*answer, error) {
	res := &answer{Tag: "BEGIN"}
	if stmt.Start {
		res.Tag = "START TRANSACTION"
	}
	switch {
	case s.tx == nil:
		s.begin(nil)
	case s.tx.failed:
		return nil, errFailedTransaction()
	case s.tx.implicit:
		s.tx.implicit = false
	default:
		res.Notices = []Notice{warning(value.CodeActiveTransaction, "there is already a transaction in progress")}
	}
	return res, s.setOwnModes(stmt.Modes)
}

// rollback ends the transaction and takes back what it changed.
func (s *Session) rollback() {
	t := s.tx
	s.tx = nil
	s.settings = t.before
	s.endCursors(t, false)
	t.tx.Rollback()
}

func errFailedTransaction() error {
	return value.Errorf(value.CodeFailedTransaction,
		"current transaction is aborted, commands ignored until end of transaction block")
}

// commit ends the transaction; one that has failed is rolled back instead.
func (s *Session) commit() (*answer, error) {
	t := s.tx
	switch {
	case t == nil:
		return &answer{Tag: "COMMIT"}, nil
	case t.failed:
		s.rollback()
		return &answer{Tag: "ROLLBACK"}, nil
	}
	s.tx = nil
	if err := t.tx.Commit(); err != nil {
		s.settings = t.before
		s.endCursors(t, false)
		return nil, err
	}
	s.settings = t.kept
	s.endCursors(t, true)
	return &answer{Tag: "COMMIT"}, nil
}

// savepoint runs SAVEPOINT, RELEASE and ROLLBACK TO.
func (s *Session) savepoint(stmt *sql.Transaction) (*answer, error) {
	if s.tx == nil || s.tx.implicit {
		return nil, value.Errorf(value.CodeNoActiveTransaction, "%s can only be used in transaction blocks", savepointTags[stmt.Kind])
	}
	t := s.tx
	if t.failed && stmt.Kind != sql.RollbackTo {
		return nil, errFailedTransaction()
	}
	if stmt.Kind == sql.Savepoint {
		t.savepoints = append(t.savepoints, savepoint{name: stmt.Name.Name, at: t.tx.Savepoint(), before: s.settings, kept: t.kept})
		return &answer{Tag: "SAVEPOINT"}, nil
	}
	for i := len(t.savepoints) - 1; i >= 0; i-- {
		if t.savepoints[i].name != stmt.Name.Name {
			continue
		}
		if stmt.Kind == sql.Release {
			s.settings.SetMode("read_only", t.savepoints[i].before.Client[settings.CurrentModes+"read_only"])
			t.savepoints = t.savepoints[:i]
			return &answer{Tag: "RELEASE"}, nil
		}
		t.tx.RollbackTo(t.savepoints[i].at)
		s.settings, t.kept = t.savepoints[i].before, t.savepoints[i].kept
		t.savepoints = t.savepoints[:i+1]
		t.failed = false
		return &answer{Tag: "ROLLBACK"}, nil
	}
	return nil, value.Errorf(value.CodeInvalidSavepoint, "savepoint %q does not exist", stmt.Name.Name)
}

// savepointTags are the statements as messages name them.
var savepointTags = map[sql.TransactionKind]string{
	sql.Savepoint: "SAVEPOINT", sql.Release: "RELEASE SAVEPOINT", sql.RollbackTo: "ROLLBACK TO SAVEPOINT",
}

// state is what the session's statements read: the transaction's tables, or
// the last committed ones.
func (s *Session) state() *store.State {
	if s.tx != nil {
		return s.tx.tx.State()
	}
	return s.temporary.Over(s.db.tables.State())
}

// snapshot has the transaction keep what its first statement sees where its level
// asks for that. A deferrable one may wait for it until ctx ends.
func (s *Session) snapshot(ctx context.Context, stmt sql.Statement) error {
	t := s.tx
	if t == nil || t.queried {
		return nil
	}
	mode := func(name string) bool { return s.settings.Client[settings.CurrentModes+name] == settings.OnOff(true) }
	switch s.settings.Client[settings.CurrentModes+"isolation"] {
	case "repeatable read":
		t.tx.Pin()
	case "serializable":
		// A query that is a transaction of its own only reads, whether it says so or not.
		_, query := stmt.(*sql.Query)
		readOnly := mode("read_only")
		if err := t.tx.Serialize(ctx, readOnly || query && t.alone, readOnly && mode("deferrable")); err != nil {
			return err
		}
	}
	t.queried = true
	return nil
}

// unserializable is the error of a transaction that has no place in a serial
// order with others; nil for none.
func (s *Session) unserializable() error {
	if s.tx == nil {
		return nil
	}
	return s.tx.tx.Err()
}

// change runs a statement that changes tables within the session's transaction;
// a failure leaves the changes made before it. Where the transaction only reads,
// the statement, which command names, fails.
func (s *Session) change(command string, do func(*store.Tx) error) error {
	return s.changeOf("", command, do)
}

// changeOf is change of the rows of a table, which may be a temporary one where the
// transaction only reads.
func (s *Session) changeOf(key, command string, do func(*store.Tx) error) error {
	if s.readOnly() && !store.IsTemporary(key) {
		return value.Errorf(value.CodeReadOnly, "cannot execute %s in a read-only transaction", command)
	}
	tx := s.tx.tx
	tx.LockTimeout, tx.Owner = s.lockTimeout(), s.user()
	before := tx.Savepoint()
	err := do(tx)
	if err != nil {
		tx.RollbackTo(before)
	}
	return err
}

// readOnly reports whether the transaction that a statement runs in only reads.
func (s *Session) readOnly() bool {
	return s.settings.Client[settings.CurrentModes+"read_only"] == settings.OnOff(true)
}

// lockTimeout is how long a statement waits for a table that another transaction
// changes; 0 for ever.
func (s *Session) lockTimeout() time.Duration { return s.settings.ClientDuration("lock_timeout") }

// inBlock reports whether the session is in a transaction that BEGIN opened.
func (s *Session) inBlock() bool { return s.tx != nil && !s.tx.implicit }

// failed reports whether a statement of the transaction that is open has failed.
func (s *Session) failed() bool { return s.tx != nil && s.tx.failed }

// fail makes the transaction that is open one that has failed.
func (s *Session) fail() {
	if s.tx != nil {
		s.tx.failed = true
	}
}

// close rolls back the transaction that is open and forgets what the session keeps.
func (s *Session) close() {
	if s.tx != nil {
		s.tx.tx.Rollback()
		s.tx = nil
	}
	s.temporary = store.Temporary{}
	s.closeCursors()
	clear(s.prepared)
	s.kept.Close()
}

// beginBlock makes the statements up to endBlock one transaction, unless one is open.
func (s *Session) beginBlock() {
	if s.tx == nil {
		s.begin(nil)
		s.tx.implicit = true
	}
}

// endBlock ends what beginBlock began, where it is open still.
func (s *Session) endBlock() error {
	if s.tx == nil || !s.tx.implicit {
		return nil
	}
	if _, err := s.commit(); err != nil {
		return userError(context.Background(), err)
	}
	return nil
}
