package cubeloom

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// The prefixes of the settings that hold the modes of transactions: of the one
// that runs, and of those to come.
const (
	currentModes = "transaction_"
	defaultModes = "default_transaction_"
)

// transactionModes are the names of the modes, behind their prefix.
var transactionModes = []string{"isolation", "read_only", "deferrable"}

// setModes notes the modes of transactions.
func (s *settings) setModes(modes []sql.Option, prefix string) {
	for _, m := range modes {
		name, text := modeSetting(m)
		s.setClient(prefix+name, text)
	}
}

// modeSetting is the setting that a mode changes, without its prefix, and its
// value.
func modeSetting(m sql.Option) (name, text string) {
	switch m.Name {
	case "isolation level":
		return "isolation", m.Value
	case "read only", "read write":
		return "read_only", onOff(m.Name == "read only")
	}
	return "deferrable", onOff(m.Name == "deferrable")
}

// setOwnModes changes the modes of the transaction that is open, until its end.
func (s *Session) setOwnModes(modes []sql.Option) error {
	for _, m := range modes {
		name, text := modeSetting(m)
		if err := s.checkMode(currentModes+name, text); err != nil {
			return err
		}
		s.settings.setClient(currentModes+name, text)
	}
	return nil
}

// checkMode checks that a setting, where it is a mode of the transaction that is
// open, may become text now, as PostgreSQL does.
func (s *Session) checkMode(name, text string) error {
	if s.tx == nil {
		return nil
	}
	sub := len(s.tx.savepoints) > 0
	refuse := func(message string) error { return value.Errorf(value.CodeActiveTransaction, "%s", message) }
	switch name {
	case currentModes + "isolation":
		switch {
		case strings.EqualFold(text, s.settings.client[name]):
		case s.tx.queried:
			return refuse("SET TRANSACTION ISOLATION LEVEL must be called before any query")
		case sub:
			return refuse("SET TRANSACTION ISOLATION LEVEL must not be called in a subtransaction")
		}
	case currentModes + "read_only":
		canonical, ok := checkSwitch(text)
		switch {
		case !ok || canonical == onOff(true) || !s.readOnly():
		case sub:
			return refuse("cannot set transaction read-write mode inside a read-only transaction")
		case s.tx.queried:
			return refuse("transaction read-write mode must be set before any query")
		}
	case currentModes + "deferrable":
		switch {
		case sub:
			return refuse("SET TRANSACTION [NOT] DEFERRABLE cannot be called within a subtransaction")
		case s.tx.queried:
			return refuse("SET TRANSACTION [NOT] DEFERRABLE must be called before any query")
		}
	}
	return nil
}

// setTransaction runs SET TRANSACTION and SET SESSION CHARACTERISTICS.
func (s *Session) setTransaction(stmt *sql.Transaction) (*Result, error) {
	res := &Result{Tag: "SET"}
	switch {
	case stmt.Kind == sql.SetCharacteristics:
		s.settings.setModes(stmt.Modes, defaultModes)
		if s.tx != nil {
			s.tx.kept.setModes(stmt.Modes, defaultModes)
		}
		return res, nil
	case s.tx == nil:
		res.Notices = []Notice{warning(value.CodeNoActiveTransaction, "SET TRANSACTION can only be used in transaction blocks")}
		return res, nil
	case s.tx.failed:
		return nil, errFailedTransaction()
	}
	return res, s.setOwnModes(stmt.Modes)
}

// setMode gives the transaction that is open a mode.
func (s *settings) setMode(mode, text string) {
	if text != s.client[currentModes+mode] {
		s.setClient(currentModes+mode, text)
	}
}
