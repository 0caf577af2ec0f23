package dispatch

import (
	"strings"

	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// transact runs a transaction statement.
func transact(s *session.Session, stmt *sql.Transaction) (*result.Result, error) {
	switch stmt.Kind {
	case sql.Begin:
		return beginStatement(s, stmt)
	case sql.Commit, sql.Rollback:
		return end(s, stmt)
	case sql.SetTransaction, sql.SetCharacteristics:
		return setTransaction(s, stmt)
	}
	return savepoint(s, stmt)
}

// end runs COMMIT and ROLLBACK.
func end(s *session.Session, stmt *sql.Transaction) (*result.Result, error) {
	var notices []result.Notice
	if s.Transaction == nil || s.Transaction.Implicit {
		if stmt.Chain {
			return nil, value.Errorf(value.CodeNoActiveTransaction, "%s AND CHAIN can only be used in transaction blocks", strings.ToUpper(string(stmt.Kind)))
		}
		notices = []result.Notice{result.NewWarning(value.CodeNoActiveTransaction, "there is no transaction in progress")}
	}
	res, modes := &result.Result{Tag: "ROLLBACK"}, s.Settings
	if s.Transaction != nil && s.Transaction.Failed {
		modes = s.Transaction.First // a failure takes along what was set since, as in PostgreSQL
	}
	switch {
	case stmt.Kind == sql.Commit:
		var err error
		if res, err = s.Commit(); err != nil {
			return nil, err
		}
	case s.Transaction != nil:
		s.Rollback()
	}
	res.Notices = notices
	if stmt.Chain {
		s.Begin(&modes)
	}
	return res, nil
}

// beginStatement runs BEGIN. It fails in a transaction that has failed.
func beginStatement(s *session.Session, stmt *sql.Transaction) (*result.Result, error) {
	res := &result.Result{Tag: "BEGIN"}
	if stmt.Start {
		res.Tag = "START TRANSACTION"
	}
	switch {
	case s.Transaction == nil:
		s.Begin(nil)
	case s.Transaction.Failed:
		return nil, session.ErrFailedTransaction()
	case s.Transaction.Implicit:
		s.Transaction.Implicit = false
	default:
		res.Notices = []result.Notice{result.NewWarning(value.CodeActiveTransaction, "there is already a transaction in progress")}
	}
	return res, s.SetOwnModes(stmt.Modes)
}

// savepoint runs SAVEPOINT, RELEASE and ROLLBACK TO.
func savepoint(s *session.Session, stmt *sql.Transaction) (*result.Result, error) {
	if s.Transaction == nil || s.Transaction.Implicit {
		return nil, value.Errorf(value.CodeNoActiveTransaction, "%s can only be used in transaction blocks", savepointTags[stmt.Kind])
	}
	t := s.Transaction
	if t.Failed && stmt.Kind != sql.RollbackTo {
		return nil, session.ErrFailedTransaction()
	}
	if stmt.Kind == sql.Savepoint {
		t.Savepoints = append(t.Savepoints, session.Savepoint{Name: stmt.Name.Name, At: t.Tx.Savepoint(), Before: s.Settings, Kept: t.Kept})
		return &result.Result{Tag: "SAVEPOINT"}, nil
	}
	for i := len(t.Savepoints) - 1; i >= 0; i-- {
		if t.Savepoints[i].Name != stmt.Name.Name {
			continue
		}
		if stmt.Kind == sql.Release {
			s.Settings.SetMode("read_only", t.Savepoints[i].Before.Client[settings.CurrentModes+"read_only"])
			t.Savepoints = t.Savepoints[:i]
			return &result.Result{Tag: "RELEASE"}, nil
		}
		t.Tx.RollbackTo(t.Savepoints[i].At)
		s.Settings, t.Kept = t.Savepoints[i].Before, t.Savepoints[i].Kept
		t.Savepoints = t.Savepoints[:i+1]
		t.Failed = false
		return &result.Result{Tag: "ROLLBACK"}, nil
	}
	return nil, value.Errorf(value.CodeInvalidSavepoint, "savepoint %q does not exist", stmt.Name.Name)
}

// savepointTags are the statements as messages name them.
var savepointTags = map[sql.TransactionKind]string{
	sql.Savepoint: "SAVEPOINT", sql.Release: "RELEASE SAVEPOINT", sql.RollbackTo: "ROLLBACK TO SAVEPOINT",
}

// setTransaction runs SET TRANSACTION and SET SESSION CHARACTERISTICS.
func setTransaction(s *session.Session, stmt *sql.Transaction) (*result.Result, error) {
	res := &result.Result{Tag: "SET"}
	switch {
	case stmt.Kind == sql.SetCharacteristics:
		s.Settings.SetModes(stmt.Modes, settings.DefaultModes)
		if s.Transaction != nil {
			s.Transaction.Kept.SetModes(stmt.Modes, settings.DefaultModes)
		}
		return res, nil
	case s.Transaction == nil:
		res.Notices = []result.Notice{result.NewWarning(value.CodeNoActiveTransaction, "SET TRANSACTION can only be used in transaction blocks")}
		return res, nil
	case s.Transaction.Failed:
		return nil, session.ErrFailedTransaction()
	}
	return res, s.SetOwnModes(stmt.Modes)
}
