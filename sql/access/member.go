package access

import "slices"

// IsSuperuser reports whether a role is a superuser.
func (r *Roles) IsSuperuser(oid OID) bool {
	role := r.byOID[oid]
	return role != nil && role.Superuser
}

// rolesOf are the roles that a role is a member of, itself first, directly or through
// others; with inherited only those whose privileges it has without SET ROLE. The
// owner of the database is a member of pg_database_owner.
func (s *State) rolesOf(member OID, inherited bool) []OID {
	list := []OID{member}
	owner := s.Grants(TheDatabase).Owner
	for i := 0; i < len(list); i++ {
		role := s.byOID[list[i]]
		if inherited && (role == nil || !role.Inherit) {
			continue
		}
		for _, m := range s.members {
			if m.Member == list[i] && !slices.Contains(list, m.Role) {
				list = append(list, m.Role)
			}
		}
		if list[i] == owner && !slices.Contains(list, DatabaseOwner) {
			list = append(list, DatabaseOwner)
		}
	}
	return list
}

// IsMember reports whether a role is another, or a member of it, directly or through
// others. Superusers are members of every role.
func (s *State) IsMember(member, role OID) bool {
	return member == role || s.IsSuperuser(member) || slices.Contains(s.rolesOf(member, false), role)
}

// IsGrantedMember is IsMember that makes no exception for superusers.
func (s *State) IsGrantedMember(member, role OID) bool {
	return member == role || slices.Contains(s.rolesOf(member, false), role)
}

// Has reports whether a role has the privileges of another as it stands, without SET
// ROLE: what NOINHERIT leaves out does not count.
func (s *State) Has(member, role OID) bool {
	return member == role || s.IsSuperuser(member) || slices.Contains(s.rolesOf(member, true), role)
}

// IsAdmin reports whether a role may grant another one: by a grant with ADMIN OPTION
// to it or to a role that it is a member of. No role may grant itself.
func (s *State) IsAdmin(member, role OID) bool {
	if s.IsSuperuser(member) {
		return true
	}
	if member == role {
		return false
	}
	of := s.rolesOf(member, false)
	return slices.ContainsFunc(s.members, func(m Membership) bool { return m.Role == role && m.Admin && slices.Contains(of, m.Member) })
}
