package cubeloom

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// The settings that say who a session is.
const (
	settingRole          = "role"
	settingAuthorization = "session_authorization"
)

func isRoleSetting(name string) bool {
	return strings.EqualFold(name, settingRole) || strings.EqualFold(name, settingAuthorization)
}

// become makes a role that of the session, without SET ROLE.
func (s *settings) become(role *Role) {
	s.session, s.current = role.OID, role.OID
	s.setClient(settingAuthorization, role.Name)
	s.setClient(settingRole, "none")
	s.setClient("is_superuser", onOff(role.Superuser))
}

// sameRoles takes over who the session is from other settings.
func (s *settings) sameRoles(from *settings) {
	s.session, s.current = from.session, from.current
	for _, name := range []string{settingAuthorization, settingRole, "is_superuser"} {
		s.setClient(name, from.client[name])
	}
}

// access is who may do what, as the session's statements see it.
func (s *Session) access() *access.State {
	if s.tx != nil {
		return s.tx.tx.Access()
	}
	return s.db.tables.State().Access()
}

// user is the role by whose privileges the session's statements run.
func (s *Session) user() access.OID { return s.settings.current }

// superuser reports whether the session's statements may do everything.
func (s *Session) superuser() bool { return s.access().IsSuperuser(s.user()) }

// assignRole runs SET ROLE and SET SESSION AUTHORIZATION.
func (s *Session) assignRole(name, text string, dst *settings) error {
	state := s.access()
	if strings.EqualFold(name, settingRole) && text == "none" {
		dst.unsetRole(state)
		return nil
	}
	role := state.Named(text)
	if role == nil {
		return value.Errorf(value.CodeInvalidParameter, "role %q does not exist", text)
	}
	if strings.EqualFold(name, settingAuthorization) {
		if role.OID != s.role && !state.IsSuperuser(s.role) {
			return value.Errorf(value.CodeInsufficientPrivilege, "permission denied to set session authorization %q", text)
		}
		dst.become(role)
		return nil
	}
	if !state.IsMember(dst.session, role.OID) {
		return value.Errorf(value.CodeInsufficientPrivilege, "permission denied to set role %q", text)
	}
	dst.current = role.OID
	dst.setClient(settingRole, role.Name)
	dst.setClient("is_superuser", onOff(role.Superuser))
	return nil
}

// unsetRole runs SET ROLE NONE.
func (s *settings) unsetRole(state *access.State) {
	s.current = s.session
	s.setClient(settingRole, "none")
	s.setClient("is_superuser", onOff(state.IsSuperuser(s.session)))
}

// resetRole runs RESET ROLE and RESET SESSION AUTHORIZATION.
func (s *Session) resetRole(name string, dst *settings) {
	if strings.EqualFold(name, settingRole) && s.startup.client[settingRole] == "none" {
		dst.unsetRole(s.access())
		return
	}
	dst.sameRoles(&s.startup)
}
