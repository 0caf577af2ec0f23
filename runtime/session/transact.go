package session

import (
	"strings"

	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Transact runs a transaction statement.
func (s *Session) Transact(stmt *sql.Transaction) (*result.Result, error) {
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
func (s *Session) end(stmt *sql.Transaction) (*result.Result, error) {
	var notices []result.Notice
	if !s.InBlock() {
		if stmt.Chain {
			return nil, value.Errorf(value.CodeNoActiveTransaction, "%s AND CHAIN can only be used in transaction blocks", strings.ToUpper(string(stmt.Kind)))
		}
		notices = []result.Notice{result.NewWarning(value.CodeNoActiveTransaction, "there is no transaction in progress")}
	}
	res, modes := &result.Result{Tag: "ROLLBACK"}, s.Settings
	if s.Failed() {
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
func (s *Session) beginStatement(stmt *sql.Transaction) (*result.Result, error) {
	res := &result.Result{Tag: "BEGIN"}
	if stmt.Start {
		res.Tag = "START TRANSACTION"
	}
	switch {
	case s.tx == nil:
		s.begin(nil)
	case s.tx.failed:
		return nil, ErrFailedTransaction()
	case s.tx.implicit:
		s.tx.implicit = false
	default:
		res.Notices = []result.Notice{result.NewWarning(value.CodeActiveTransaction, "there is already a transaction in progress")}
	}
	return res, s.setOwnModes(stmt.Modes)
}

// savepoint runs SAVEPOINT, RELEASE and ROLLBACK TO.
func (s *Session) savepoint(stmt *sql.Transaction) (*result.Result, error) {
	if !s.InBlock() {
		return nil, value.Errorf(value.CodeNoActiveTransaction, "%s can only be used in transaction blocks", savepointTags[stmt.Kind])
	}
	t := s.tx
	if t.failed && stmt.Kind != sql.RollbackTo {
		return nil, ErrFailedTransaction()
	}
	if stmt.Kind == sql.Savepoint {
		t.savepoints = append(t.savepoints, savepoint{name: stmt.Name.Name, at: t.tx.Savepoint(), before: s.Settings, kept: t.kept})
		return &result.Result{Tag: "SAVEPOINT"}, nil
	}
	for i := len(t.savepoints) - 1; i >= 0; i-- {
		if t.savepoints[i].name != stmt.Name.Name {
			continue
		}
		if stmt.Kind == sql.Release {
			s.Settings.SetMode("read_only", t.savepoints[i].before.Client[settings.CurrentModes+"read_only"])
			t.savepoints = t.savepoints[:i]
			return &result.Result{Tag: "RELEASE"}, nil
		}
		t.tx.RollbackTo(t.savepoints[i].at)
		s.Settings, t.kept = t.savepoints[i].before, t.savepoints[i].kept
		t.savepoints = t.savepoints[:i+1]
		t.failed = false
		return &result.Result{Tag: "ROLLBACK"}, nil
	}
	return nil, value.Errorf(value.CodeInvalidSavepoint, "savepoint %q does not exist", stmt.Name.Name)
}

// savepointTags are the statements as messages name them.
var savepointTags = map[sql.TransactionKind]string{
	sql.Savepoint: "SAVEPOINT", sql.Release: "RELEASE SAVEPOINT", sql.RollbackTo: "ROLLBACK TO SAVEPOINT",
}

// setTransaction runs SET TRANSACTION and SET SESSION CHARACTERISTICS.
func (s *Session) setTransaction(stmt *sql.Transaction) (*result.Result, error) {
	res := &result.Result{Tag: "SET"}
	switch {
	case stmt.Kind == sql.SetCharacteristics:
		s.Settings.SetModes(stmt.Modes, settings.DefaultModes)
		if s.tx != nil {
			s.tx.kept.SetModes(stmt.Modes, settings.DefaultModes)
		}
		return res, nil
	case s.tx == nil:
		res.Notices = []result.Notice{result.NewWarning(value.CodeNoActiveTransaction, "SET TRANSACTION can only be used in transaction blocks")}
		return res, nil
	case s.tx.failed:
		return nil, ErrFailedTransaction()
	}
	return res, s.setOwnModes(stmt.Modes)
}
