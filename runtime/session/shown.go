package session

import (
	"maps"
	"slices"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session/settings"
)

// ShownSettings implements pgcatalog.Session.
func (s *Session) ShownSettings() []pgcatalog.Setting {
	var list []pgcatalog.Setting
	for i := range settings.Table {
		set := &settings.Table[i]
		startup := set.Show(&s.startup)
		list = append(list, pgcatalog.Setting{Name: set.Name, Value: set.Show(&s.Settings), Boot: startup, Reset: startup, Help: set.Help})
	}
	for i := range settings.Client {
		c := &settings.Client[i]
		list = append(list, pgcatalog.Setting{Name: c.Name, Value: s.Settings.Client[c.Name], Boot: c.Value, Reset: s.startup.Client[c.Name], Help: c.Setting().Help})
	}
	return list
}

// ShowSetting implements pgcatalog.Session.
func (s *Session) ShowSetting(name string) (string, error) {
	setting, err := s.setting(name, false)
	if err != nil {
		return "", err
	}
	return setting.Show(&s.Settings), nil
}

// InventedSettings implements pgcatalog.Session.
func (s *Session) InventedSettings() map[string]string {
	all := make(map[string]string, len(s.invented))
	for name := range s.invented {
		all[name] = s.Settings.Client[name]
	}
	return all
}

// Retained implements pgcatalog.Session.
func (s *Session) Retained() (prepared []pgcatalog.Prepared, cursors []pgcatalog.Cursor) {
	for _, name := range slices.Sorted(maps.Keys(s.Prepared.byName)) {
		if name == "" {
			continue
		}
		p := s.Prepared.byName[name]
		shown := pgcatalog.Prepared{Name: name, Text: p.Text, FromSQL: p.FromSQL, Made: p.Time}
		for _, t := range p.Description.Params {
			shown.Params = append(shown.Params, planner.Parameter{Type: t.Type, Domain: t.Domain})
		}
		prepared = append(prepared, shown)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Cursors)) {
		c := s.Cursors[name]
		cursors = append(cursors, pgcatalog.Cursor{Name: name, Text: c.Text, Hold: c.Hold, Forward: c.Forward, Made: c.Made})
	}
	return prepared, cursors
}
