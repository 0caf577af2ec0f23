package cubeloom

import (
	"fmt"
	"maps"
	"slices"

	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// bounded are the settings that can have a bound: those of which more costs the server
// more. The number of a value is compared; 0 is more than any other where it stands
// for no limit.
var bounded = map[string]struct {
	number    func(*settings) int64
	unlimited bool
}{
	"memory_limit":                        {func(s *settings) int64 { return s.memoryLimit }, true},
	"threads":                             {func(s *settings) int64 { return int64(s.threads) }, false},
	"statement_timeout":                   {func(s *settings) int64 { return int64(s.statementTimeout) }, true},
	"lock_timeout":                        {clientDuration("lock_timeout"), true},
	"idle_session_timeout":                {clientDuration("idle_session_timeout"), true},
	"idle_in_transaction_session_timeout": {clientDuration("idle_in_transaction_session_timeout"), true},
}

// clientDuration reads a setting of a duration in nanoseconds.
func clientDuration(name string) func(*settings) int64 {
	return func(s *settings) int64 { return int64(s.clientDuration(name)) }
}

// serverBounds are the settings whose values at the start bound an ordinary role.
var serverBounds = []string{"memory_limit", "threads"}

// superuserSettings are the settings that only superusers change.
var superuserSettings = map[string]bool{"lc_messages": true}

// begun gives a session the settings of its server and of its role. Those of the role
// that are not valid any more, or that the role may not set, are left out.
func (s *Session) begun(role *Role) error {
	for _, name := range slices.Sorted(maps.Keys(s.identity.Settings)) {
		setting, err := findSetting(name)
		if err != nil {
			return err
		}
		if err := setting.set(&s.settings, s.identity.Settings[name]); err != nil {
			return err
		}
	}
	for _, name := range serverBounds {
		s.bounds = append(s.bounds, access.Setting{Name: name, Value: mustFind(name).show(&s.settings)})
	}
	everyone := s.access().Everyone()
	for _, bound := range slices.Concat(roleSettings(everyone, s.identity.Database, true), roleSettings(role, s.identity.Database, true)) {
		setting, err := findSetting(bound.Name)
		if err != nil || setting.set(&s.settings, bound.Value) != nil {
			continue
		}
		s.bounds = slices.DeleteFunc(s.bounds, func(b access.Setting) bool { return b.Name == bound.Name })
		s.bounds = append(s.bounds, bound)
	}
	for _, own := range slices.Concat(roleSettings(everyone, s.identity.Database, false), roleSettings(role, s.identity.Database, false)) {
		// As in PostgreSQL, a setting that cannot be is no reason to keep a role out.
		_ = s.assign(own.Name, own.Value, &s.settings)
	}
	s.startup = s.settings
	return nil
}

// roleSettings are the settings or bounds of a role for a database; those that are for
// this one alone come last.
func roleSettings(role *Role, database string, limits bool) []access.Setting {
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

// mustFind finds a setting that there is.
func mustFind(name string) *setting {
	s, err := findSetting(name)
	if err != nil {
		panic(err)
	}
	return s
}

// maySet fails where only superusers change a setting.
func (s *Session) maySet(set *setting) error {
	if superuserSettings[set.name] && !s.superuser() {
		return value.Errorf(value.CodeInsufficientPrivilege, "permission denied to set parameter %q", set.name)
	}
	return nil
}

// checkBound fails where a setting of an ordinary role is above its bound.
func (s *Session) checkBound(set *setting, next *settings) error {
	kind, ok := bounded[set.name]
	if !ok || s.superuser() {
		return nil
	}
	at := slices.IndexFunc(s.bounds, func(b access.Setting) bool { return b.Name == set.name })
	if at < 0 {
		return nil
	}
	limit := *next
	if err := set.set(&limit, s.bounds[at].Value); err != nil {
		return err
	}
	bound, number := kind.number(&limit), kind.number(next)
	if kind.unlimited && bound == 0 || number <= bound && !(kind.unlimited && number == 0) {
		return nil
	}
	return &Error{
		Code: value.CodeInsufficientPrivilege, Pos: value.NoPos,
		Message: fmt.Sprintf("permission denied to set parameter %q above %s", set.name, s.bounds[at].Value),
		Hint:    fmt.Sprintf("A superuser can change the bound: ALTER ROLE ... SET %s = ... LIMIT.", set.name),
	}
}
