package settings

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/access"
)

// The settings that say who a session is.
const (
	Role                 = "role"
	SettingAuthorization = "session_authorization"
)

func IsRole(name string) bool {
	return strings.EqualFold(name, Role) || strings.EqualFold(name, SettingAuthorization)
}

// Become makes a role that of the session, without SET ROLE.
func (s *Values) Become(role *access.Role) {
	s.SessionRole, s.CurrentRole = role.OID, role.OID
	s.SetClient(SettingAuthorization, role.Name)
	s.SetClient(Role, "none")
	s.SetClient("is_superuser", OnOff(role.Superuser))
}

// SameRoles takes over who the session is from other settings.
func (s *Values) SameRoles(from *Values) {
	s.SessionRole, s.CurrentRole = from.SessionRole, from.CurrentRole
	for _, name := range []string{SettingAuthorization, Role, "is_superuser"} {
		s.SetClient(name, from.Client[name])
	}
}

// UnsetRole runs SET ROLE NONE.
func (s *Values) UnsetRole(state *access.State) {
	s.CurrentRole = s.SessionRole
	s.SetClient(Role, "none")
	s.SetClient("is_superuser", OnOff(state.IsSuperuser(s.SessionRole)))
}
