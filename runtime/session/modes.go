package session

import (
	"strings"

	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// checkMode checks that a setting, where it is a mode of the transaction that is
// open, may become text now, as PostgreSQL does.
func (s *Session) checkMode(name, text string) error {
	if s.tx == nil {
		return nil
	}
	sub := len(s.tx.savepoints) > 0
	refuse := func(message string) error { return value.Errorf(value.CodeActiveTransaction, "%s", message) }
	switch name {
	case settings.CurrentModes + "isolation":
		switch {
		case strings.EqualFold(text, s.Settings.Client[name]):
		case s.tx.queried:
			return refuse("SET TRANSACTION ISOLATION LEVEL must be called before any query")
		case sub:
			return refuse("SET TRANSACTION ISOLATION LEVEL must not be called in a subtransaction")
		}
	case settings.CurrentModes + "read_only":
		canonical, err := settings.CheckSwitch(name, text)
		switch {
		case err != nil || canonical == settings.OnOff(true) || !s.readOnly():
		case sub:
			return refuse("cannot set transaction read-write mode inside a read-only transaction")
		case s.tx.queried:
			return refuse("transaction read-write mode must be set before any query")
		}
	case settings.CurrentModes + "deferrable":
		switch {
		case sub:
			return refuse("SET TRANSACTION [NOT] DEFERRABLE cannot be called within a subtransaction")
		case s.tx.queried:
			return refuse("SET TRANSACTION [NOT] DEFERRABLE must be called before any query")
		}
	}
	return nil
}

// setOwnModes changes the modes of the transaction that is open, until its end.
func (s *Session) setOwnModes(modes []sql.Option) error {
	for _, m := range modes {
		name, text := settings.ModeSetting(m)
		if err := s.checkMode(settings.CurrentModes+name, text); err != nil {
			return err
		}
		s.Settings.SetClient(settings.CurrentModes+name, text)
	}
	return nil
}
