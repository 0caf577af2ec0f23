package cubeloom

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner/pgcatalog"
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
	if stmt.Local && !s.inBlock() {
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
		case strings.EqualFold(text, s.settings.Client[name]):
		case s.tx.queried:
			return refuse("SET TRANSACTION ISOLATION LEVEL must be called before any query")
		case sub:
			return refuse("SET TRANSACTION ISOLATION LEVEL must not be called in a subtransaction")
		}
	case settings.CurrentModes + "read_only":
		canonical, ok := settings.CheckSwitch(text)
		switch {
		case !ok || canonical == settings.OnOff(true) || !s.readOnly():
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

// ShownSettings implements pgcatalog.Session.
func (s *Session) ShownSettings() []pgcatalog.Setting {
	var list []pgcatalog.Setting
	for i := range settings.Table {
		set := &settings.Table[i]
		startup := set.Show(&s.startup)
		list = append(list, pgcatalog.Setting{Name: set.Name, Value: set.Show(&s.settings), Boot: startup, Reset: startup, Help: set.Help})
	}
	for i := range settings.Client {
		c := &settings.Client[i]
		list = append(list, pgcatalog.Setting{Name: c.Name, Value: s.settings.Client[c.Name], Boot: c.Value, Reset: s.startup.Client[c.Name], Help: c.Setting().Help})
	}
	return list
}

// ShowSetting implements pgcatalog.Session.
func (s *Session) ShowSetting(name string) (string, error) {
	setting, err := settings.Find(name)
	if err != nil {
		return "", err
	}
	return setting.Show(&s.settings), nil
}

// Configure implements pgcatalog.Session: it acts as set_config(name, value, local).
func (s *Session) Configure(args []value.Value) (value.Value, error) {
	name, text, local := args[0], args[1], args[2]
	if name.Kind == value.Null {
		return value.Value{}, value.Errorf("22004", "SET requires parameter name")
	}
	set := &sql.Set{Name: name.S, Value: text.S, Default: text.Kind == value.Null, Local: local.B}
	trial := s.settings
	if err := s.assignSetting(set, &trial); err != nil {
		return value.Value{}, err
	}
	if _, err := s.set(set); err != nil {
		return value.Value{}, err
	}
	setting, err := settings.Find(name.S)
	if err != nil {
		return value.Value{}, err
	}
	// Also a local one outside of a transaction is shown, which lasts no longer than this.
	return value.Value{Kind: value.Text, S: setting.Show(&trial)}, nil
}
