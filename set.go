package cubeloom

import (
	"strings"

	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// set runs SET and RESET. SET LOCAL holds to the end of the transaction.
func (s *Session) set(stmt *sql.Set) (*answer, error) {
	res := &answer{Tag: "SET"}
	if stmt.Default && stmt.Reset {
		res.Tag = "RESET"
	}
	if stmt.Local && s.TransactionStatus() == Idle {
		res.Notices = []Notice{warning(value.CodeNoActiveTransaction, "SET LOCAL can only be used in transaction blocks")}
		return res, nil
	}
	if !stmt.Default {
		if err := s.checkMode(strings.ToLower(stmt.Name), stmt.Value); err != nil {
			return nil, err
		}
	}
	if err := s.assignSetting(stmt, &s.settings); err != nil {
		return nil, err
	}
	if !stmt.Local {
		if err := s.assignSetting(stmt, &s.tx.kept); err != nil {
			return nil, err
		}
	}
	return res, nil
}

// assignSetting changes a setting, or all of them but who the session is.
func (s *Session) assignSetting(stmt *sql.Set, dst *settings.Values) error {
	if !stmt.Default {
		return s.assign(stmt.Name, stmt.Value, dst)
	}
	if stmt.Name == "all" {
		was := *dst
		*dst = s.startup
		dst.SameRoles(&was)
		return nil
	}
	if settings.IsRole(stmt.Name) {
		s.resetRole(stmt.Name, dst)
		return nil
	}
	setting, err := settings.Find(stmt.Name)
	if err != nil {
		return err
	}
	return setting.Set(dst, setting.Show(&s.startup))
}

// assign gives a setting a value, where the session's role may.
func (s *Session) assign(name, text string, dst *settings.Values) error {
	if settings.IsRole(name) {
		return s.assignRole(name, text, dst)
	}
	setting, err := settings.Find(name)
	if err != nil {
		return err
	}
	if err := s.maySet(setting); err != nil {
		return err
	}
	next := *dst
	if err := setting.Set(&next, text); err != nil {
		return err
	}
	if err := s.checkBound(setting, &next); err != nil {
		return err
	}
	*dst = next
	return nil
}

// at gives a user error a place in the text where it has none.
func at(err error, pos sql.Pos) error { return value.At(err, int(pos)) }

// show runs SHOW.
func (s *Session) show(stmt *sql.Show) (*answer, error) {
	if stmt.Name == "all" {
		var rows [][]string
		for i := range settings.Table {
			row := []string{settings.Table[i].Name, settings.Table[i].Show(&s.settings), settings.Table[i].Help}
			rows = append(rows, row)
		}
		for i := range settings.Client {
			c := settings.Client[i].Setting()
			rows = append(rows, []string{c.Name, c.Show(&s.settings), c.Help})
		}
		return textAnswer("SHOW", []string{"name", "setting", "description"}, rows), nil
	}
	setting, err := settings.Find(stmt.Name)
	if err != nil {
		return nil, err
	}
	return textAnswer("SHOW", []string{setting.Name}, [][]string{{setting.Show(&s.settings)}}), nil
}
