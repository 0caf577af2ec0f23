package cubeloom

import (
	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
)

// transaction is the explicit transaction of a session.
type transaction struct {
	tx         *store.Tx
	failed     bool // a statement failed: nothing but ROLLBACK goes on
	savepoints []savepoint
}

// savepoint is a named moment of a transaction.
type savepoint struct {
	name string
	at   store.Savepoint
}

// transact runs a transaction statement.
func (s *Session) transact(stmt *sql.Transaction) (*Result, error) {
	switch stmt.Kind {
	case sql.Begin:
		if s.tx != nil {
			return &Result{Tag: "BEGIN", Notices: []string{"there is already a transaction in progress"}}, nil
		}
		s.tx = &transaction{tx: s.db.tables.Begin()}
		return &Result{Tag: "BEGIN"}, nil
	case sql.Commit:
		return s.commit()
	case sql.Rollback:
		if s.tx == nil {
			return &Result{Tag: "ROLLBACK", Notices: []string{"there is no transaction in progress"}}, nil
		}
		s.tx.tx.Rollback()
		s.tx = nil
		return &Result{Tag: "ROLLBACK"}, nil
	case sql.SetTransaction, sql.SetCharacteristics:
		return &Result{Tag: "SET"}, nil // every statement reads one snapshot, whatever the level
	}
	return s.savepoint(stmt)
}

// commit ends the transaction; one that has failed is rolled back instead.
func (s *Session) commit() (*Result, error) {
	if s.tx == nil {
		return &Result{Tag: "COMMIT", Notices: []string{"there is no transaction in progress"}}, nil
	}
	t := s.tx
	s.tx = nil
	if t.failed {
		t.tx.Rollback()
		return &Result{Tag: "ROLLBACK"}, nil
	}
	if err := t.tx.Commit(); err != nil {
		return nil, err
	}
	return &Result{Tag: "COMMIT"}, nil
}

// savepoint runs SAVEPOINT, RELEASE and ROLLBACK TO.
func (s *Session) savepoint(stmt *sql.Transaction) (*Result, error) {
	if s.tx == nil {
		return nil, value.ErrorAt(int(stmt.Pos), value.CodeNoActiveTransaction, "%s can only be used in transaction blocks", savepointTags[stmt.Kind])
	}
	t := s.tx
	if stmt.Kind == sql.Savepoint {
		t.savepoints = append(t.savepoints, savepoint{name: stmt.Name.Name, at: t.tx.Savepoint()})
		return &Result{Tag: "SAVEPOINT"}, nil
	}
	for i := len(t.savepoints) - 1; i >= 0; i-- {
		if t.savepoints[i].name != stmt.Name.Name {
			continue
		}
		if stmt.Kind == sql.Release {
			t.savepoints = t.savepoints[:i]
			return &Result{Tag: "RELEASE"}, nil
		}
		t.tx.RollbackTo(t.savepoints[i].at)
		t.savepoints = t.savepoints[:i+1]
		t.failed = false
		return &Result{Tag: "ROLLBACK"}, nil
	}
	return nil, value.ErrorAt(int(stmt.Pos), value.CodeInvalidSavepoint, "savepoint %q does not exist", stmt.Name.Name)
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
	return s.db.tables.State()
}

// change runs a statement that changes tables: within the session's
// transaction, where a failure leaves the changes made before it, or in one of
// its own.
func (s *Session) change(do func(*store.Tx) error) error {
	if s.tx != nil {
		before := s.tx.tx.Savepoint()
		err := do(s.tx.tx)
		if err != nil {
			s.tx.tx.RollbackTo(before)
		}
		return err
	}
	tx := s.db.tables.Begin()
	defer tx.Rollback()
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}
