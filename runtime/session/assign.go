package session

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// assignSetting changes a setting, or all of them but who the session is.
func (s *Session) assignSetting(stmt *sql.Set, dst *settings.Values) {
	if !stmt.Default {
		sqlstate.Check(s.assign(stmt.Name, stmt.Value, dst))
		return
	}
	if stmt.Name == "all" {
		was := *dst
		*dst = s.startup
		dst.SameRoles(&was)
		return
	}
	if settings.IsRole(stmt.Name) {
		s.resetRole(stmt.Name, dst)
		return
	}
	setting := sqlstate.Must(s.setting(stmt.Name, true))
	sqlstate.Check(setting.Set(dst, setting.Show(&s.startup)))
}

// setting finds a setting, also one that a client has invented before or, with invent, does so now.
func (s *Session) setting(name string, invent bool) (*settings.Setting, error) {
	if !settings.IsCustom(name) {
		return settings.Find(name)
	}
	key := strings.ToLower(name)
	_, known := s.invented[key]
	if !known && !invent {
		return settings.Find(name)
	}
	setting, err := settings.Custom(name)
	if !known && err == nil {
		s.invented[key] = ""
		err = settings.FewCustom(s.invented)
	}
	return setting, err
}

// assign sets a setting, where the session's role may.
func (s *Session) assign(name, text string, dst *settings.Values) (err error) {
	defer sqlstate.Catch(&err)
	if settings.IsRole(name) {
		s.assignRole(name, text, dst)
		return nil
	}
	setting := sqlstate.Must(s.setting(name, true))
	sqlstate.Check(s.MaySet(setting))
	next := *dst
	sqlstate.Check(setting.Set(&next, text))
	s.checkBound(setting, &next)
	*dst = next
	return nil
}

// begun applies the settings of its server and of its role to a session. Those of the role
// that are not valid any more, or that the role may not set, are left out.
func (s *Session) begun(role *access.Role) (err error) {
	defer sqlstate.Catch(&err)
	for _, name := range slices.Sorted(maps.Keys(s.Identity.Settings)) {
		setting := sqlstate.Must(settings.Find(name))
		sqlstate.Check(setting.Set(&s.Settings, s.Identity.Settings[name]))
	}
	for _, name := range settings.ServerBounds {
		s.bounds = append(s.bounds, access.Setting{Name: name, Value: settings.MustFind(name).Show(&s.Settings)})
	}
	everyone := s.Access().Everyone()
	for _, bound := range slices.Concat(roleSettings(everyone, s.Identity.Database, true), roleSettings(role, s.Identity.Database, true)) {
		setting, err := settings.Find(bound.Name)
		if err != nil || setting.Set(&s.Settings, bound.Value) != nil {
			continue
		}
		s.bounds = slices.DeleteFunc(s.bounds, func(b access.Setting) bool { return b.Name == bound.Name })
		s.bounds = append(s.bounds, bound)
	}
	for _, own := range slices.Concat(roleSettings(everyone, s.Identity.Database, false), roleSettings(role, s.Identity.Database, false)) {
		// As in PostgreSQL, a setting that cannot be is no reason to keep a role out.
		_ = s.assign(own.Name, own.Value, &s.Settings)
	}
	s.startup = s.Settings
	return nil
}

// roleSettings are the settings or bounds of a role for a database; those that are for
// this one alone come last.
func roleSettings(role *access.Role, database string, limits bool) []access.Setting {
	var list []access.Setting
	for _, db := range []string{"", database} {
		for _, set := range role.Settings {
			if set.Limit == limits && set.Database == db {
				list = append(list, set)
			}
		}
		if database == "" {
			break
		}
	}
	return list
}

// MaySet fails where only superusers change a setting.
func (s *Session) MaySet(set *settings.Setting) error {
	if settings.SuperuserSettings[set.Name] && !s.Superuser() {
		return value.Errorf(value.CodeInsufficientPrivilege, "permission denied to set parameter %q", set.Name)
	}
	return nil
}

// checkBound fails where a setting of an ordinary role is above its bound.
func (s *Session) checkBound(set *settings.Setting, next *settings.Values) {
	kind, ok := settings.Bounded[set.Name]
	if !ok || s.Superuser() {
		return
	}
	at := slices.IndexFunc(s.bounds, func(b access.Setting) bool { return b.Name == set.Name })
	if at < 0 {
		return
	}
	limit := *next
	sqlstate.Check(set.Set(&limit, s.bounds[at].Value))
	bound, number := kind.Number(&limit), kind.Number(next)
	if kind.Unlimited && bound == 0 || number <= bound && !(kind.Unlimited && number == 0) {
		return
	}
	panic(&value.Error{
		Code: value.CodeInsufficientPrivilege, Pos: value.NoPos,
		Message: fmt.Sprintf("permission denied to set parameter %q above %s", set.Name, s.bounds[at].Value),
		Hint:    fmt.Sprintf("A superuser can change the bound: ALTER ROLE ... SET %s = ... LIMIT.", set.Name),
	})
}

// assignRole runs SET ROLE and SET SESSION AUTHORIZATION.
func (s *Session) assignRole(name, text string, dst *settings.Values) {
	state := s.Access()
	if strings.EqualFold(name, settings.Role) && text == "none" {
		dst.UnsetRole(state)
		return
	}
	role := state.Named(text)
	if role == nil {
		panic(value.Errorf(value.CodeInvalidParameter, "role %q does not exist", text))
	}
	if strings.EqualFold(name, settings.SettingAuthorization) {
		if role.OID != s.Role && !state.IsSuperuser(s.Role) {
			panic(value.Errorf(value.CodeInsufficientPrivilege, "permission denied to set session authorization %q", text))
		}
		dst.Become(role)
		return
	}
	if !state.IsMember(dst.SessionRole, role.OID) {
		panic(value.Errorf(value.CodeInsufficientPrivilege, "permission denied to set role %q", text))
	}
	dst.CurrentRole = role.OID
	dst.SetClient(settings.Role, role.Name)
	dst.SetClient("is_superuser", settings.OnOff(role.Superuser))
}

// resetRole runs RESET ROLE and RESET SESSION AUTHORIZATION.
func (s *Session) resetRole(name string, dst *settings.Values) {
	if strings.EqualFold(name, settings.Role) && s.startup.Client[settings.Role] == "none" {
		dst.UnsetRole(s.Access())
		return
	}
	dst.SameRoles(&s.startup)
}

// SetAtStart sets a setting as a client does when it connects: RESET goes back to this
// value.
func (s *Session) SetAtStart(name, text string) error {
	if err := s.assign(name, text, &s.Settings); err != nil {
		return err
	}
	s.startup = s.Settings
	return nil
}

// Connect makes a session of a role with the settings of the identity and of the role.
func (db *Database) Connect(id Identity, role *access.Role) (*Session, error) {
	s := db.Start(id, role)
	if err := s.begun(role); err != nil {
		return nil, err
	}
	return s, nil
}
