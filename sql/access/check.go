package access

// held are the rights and grant options of a role by a list: its own, everyone's and
// those of the roles whose privileges it has.
func (s *State) held(acl ACL, role, owner OID) (rights, options Privileges) {
	for _, r := range append(s.rolesOf(role, true), Public) {
		more, opts := acl.granted(r, owner)
		rights, options = rights|more, options|opts
	}
	if s.IsSuperuser(role) {
		options = ^Privileges(0) // as a member of the owner
	}
	return rights, options
}

// Rights are the privileges of a role on an object, and those that it may grant. On
// a relation they are those on all of it.
func (s *State) Rights(role OID, o Object) (rights, options Privileges) {
	all := o.Kind.All()
	if s.IsSuperuser(role) {
		return all, all
	}
	g := s.Grants(o)
	rights, options = s.held(g.Effective(o.Kind), role, g.Owner)
	return (rights | s.predefinedRights(role, o.Kind)) & all, options & all
}

// predefinedRights are those that come with membership in a predefined role.
func (s *State) predefinedRights(role OID, k Kind) (rights Privileges) {
	if k != Relation && k != Schema {
		return 0
	}
	if s.Has(role, ReadAllData) {
		rights |= Select | Usage
	}
	if s.Has(role, WriteAllData) {
		rights |= Insert | Update | Delete | Usage
	}
	return rights
}

// ColumnRights are the privileges of a role on a column beyond those that it has on
// all of the relation, and those that it may grant.
func (s *State) ColumnRights(role OID, o Object, column string) (rights, options Privileges) {
	if s.IsSuperuser(role) {
		return OnColumns, OnColumns
	}
	g := s.Grants(o)
	acl := g.Columns[column]
	if acl == nil && role != g.Owner && !s.Has(role, g.Owner) {
		return 0, 0
	}
	rights, options = s.held(acl, role, g.Owner)
	return rights & OnColumns, options & OnColumns
}

// Can reports whether a role has a privilege on an object as a whole.
func (s *State) Can(role OID, o Object, p Privileges) bool {
	rights, _ := s.Rights(role, o)
	return rights&p == p
}

// CanColumns reports whether a role has a privilege on each of the columns of a
// relation, by the relation or by the column; for no columns at all, whether it has
// it on the relation or on any of its columns.
func (s *State) CanColumns(role OID, o Object, p Privileges, columns []string) bool {
	if s.Can(role, o, p) {
		return true
	}
	if len(columns) == 0 {
		return s.CanAnyColumn(role, o, p)
	}
	for _, c := range columns {
		if rights, _ := s.ColumnRights(role, o, c); rights&p == 0 {
			return false
		}
	}
	return true
}

// CanAnyColumn reports whether a role has a privilege on a relation or on any of its
// columns.
func (s *State) CanAnyColumn(role OID, o Object, p Privileges) bool {
	if s.Can(role, o, p) {
		return true
	}
	for c := range s.Grants(o).Columns {
		if rights, _ := s.ColumnRights(role, o, c); rights&p != 0 {
			return true
		}
	}
	return false
}

// Owns reports whether a role has the privileges of the owner of an object.
func (s *State) Owns(role OID, o Object) bool { return s.Has(role, s.Grants(o).Owner) }
