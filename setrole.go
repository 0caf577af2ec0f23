package cubeloom

import (
	"strings"

	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// access is who may do what, as the session's statements see it.
func (s *Session) access() *access.State {
	if s.tx != nil {
		return s.tx.tx.Access()
	}
	return s.db.tables.State().Access()
}

// user is the role by whose privileges the session's statements run.
func (s *Session) user() access.OID { return s.settings.CurrentRole }

// superuser reports whether the session's statements may do everything.
func (s *Session) superuser() bool { return s.access().IsSuperuser(s.user()) }

// assignRole runs SET ROLE and SET SESSION AUTHORIZATION.
func (s *Session) assignRole(name, text string, dst *settings.Values) error {
	state := s.access()
	if strings.EqualFold(name, settings.Role) && text == "none" {
		dst.UnsetRole(state)
		return nil
	}
	role := state.Named(text)
	if role == nil {
		return value.Errorf(value.CodeInvalidParameter, "role %q does not exist", text)
	}
	if strings.EqualFold(name, settings.SettingAuthorization) {
		if role.OID != s.role && !state.IsSuperuser(s.role) {
			return value.Errorf(value.CodeInsufficientPrivilege, "permission denied to set session authorization %q", text)
		}
		dst.Become(role)
		return nil
	}
	if !state.IsMember(dst.SessionRole, role.OID) {
		return value.Errorf(value.CodeInsufficientPrivilege, "permission denied to set role %q", text)
	}
	dst.CurrentRole = role.OID
	dst.SetClient(settings.Role, role.Name)
	dst.SetClient("is_superuser", settings.OnOff(role.Superuser))
	return nil
}

// resetRole runs RESET ROLE and RESET SESSION AUTHORIZATION.
func (s *Session) resetRole(name string, dst *settings.Values) {
	if strings.EqualFold(name, settings.Role) && s.startup.Client[settings.Role] == "none" {
		dst.UnsetRole(s.access())
		return
	}
	dst.SameRoles(&s.startup)
}
