package session

import (
	"strings"

	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Set runs SET and RESET. SET LOCAL holds to the end of the transaction.
func (s *Session) Set(stmt *sql.Set) (_ *result.Result, err error) {
	defer sqlstate.Catch(&err)
	res := &result.Result{Tag: "SET"}
	if stmt.Default && stmt.Reset {
		res.Tag = "RESET"
	}
	if stmt.Local && !s.InBlock() {
		res.Notices = []result.Notice{result.NewWarning(value.CodeNoActiveTransaction, "SET LOCAL can only be used in transaction blocks")}
		return res, nil
	}
	if !stmt.Default {
		sqlstate.Check(s.checkMode(strings.ToLower(stmt.Name), stmt.Value))
	}
	s.assignSetting(stmt, &s.Settings)
	if !stmt.Local {
		s.assignSetting(stmt, &s.tx.kept)
	}
	return res, nil
}

// Show runs SHOW.
func (s *Session) Show(stmt *sql.Show) (*result.Result, error) {
	if stmt.Name == "all" {
		var rows [][]string
		for i := range settings.Table {
			row := []string{settings.Table[i].Name, settings.Table[i].Show(&s.Settings), settings.Table[i].Help}
			rows = append(rows, row)
		}
		for i := range settings.Client {
			c := settings.Client[i].Setting()
			rows = append(rows, []string{c.Name, c.Show(&s.Settings), c.Help})
		}
		return result.Texts("SHOW", []string{"name", "setting", "description"}, rows), nil
	}
	setting, err := s.setting(stmt.Name, false)
	if err != nil {
		return nil, err
	}
	return result.Texts("SHOW", []string{setting.Name}, [][]string{{setting.Show(&s.Settings)}}), nil
}

// Configure implements pgcatalog.Session: it acts as set_config(name, value, local).
func (s *Session) Configure(args []value.Value) (_ value.Value, err error) {
	defer sqlstate.Catch(&err)
	name, text, local := args[0], args[1], args[2]
	if name.Kind == value.Null {
		return value.Value{}, value.Errorf(value.CodeNullNotAllowed, "SET requires parameter name")
	}
	set := &sql.Set{Name: name.S, Value: text.S, Default: text.Kind == value.Null, Local: local.B}
	trial := s.Settings
	s.assignSetting(set, &trial)
	sqlstate.Must(s.Set(set))
	setting := sqlstate.Must(s.setting(name.S, false))
	// Also a local one outside of a transaction is shown, which lasts no longer than this.
	return value.Value{Kind: value.Text, S: setting.Show(&trial)}, nil
}

// PlainStyle makes the session read and write dates, moments, intervals and floats as files have
// them, until restore is called, which restores all settings.
func (s *Session) PlainStyle() (restore func()) {
	before, kept := s.Settings, s.tx.kept
	for _, name := range []string{settings.DateStyle, "IntervalStyle", "TimeZone", settings.ExtraFloatDigits} {
		s.Settings.SetClient(name, settings.ClientDefaults()[name])
	}
	return func() { s.Settings, s.tx.kept = before, kept }
}
