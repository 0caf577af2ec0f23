package cubeloom

import (
	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// setOwnModes changes the modes of the transaction that is open, until its end.
func (s *Session) setOwnModes(modes []sql.Option) error {
	for _, m := range modes {
		name, text := settings.ModeSetting(m)
		if err := s.checkMode(settings.CurrentModes+name, text); err != nil {
			return err
		}
		s.settings.SetClient(settings.CurrentModes+name, text)
	}
	return nil
}

// setTransaction runs SET TRANSACTION and SET SESSION CHARACTERISTICS.
func (s *Session) setTransaction(stmt *sql.Transaction) (*answer, error) {
	res := &answer{Tag: "SET"}
	switch {
	case stmt.Kind == sql.SetCharacteristics:
		s.settings.SetModes(stmt.Modes, settings.DefaultModes)
		if s.tx != nil {
			s.tx.kept.SetModes(stmt.Modes, settings.DefaultModes)
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
