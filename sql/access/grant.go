package access

import (
	"slices"

	"github.com/cubeloom/cubeloom/sql/value"
)

// Grant is the list with what item grants as well. It fails with 0LP01 where
// everyone would get a grant option, or the grantor one back from the grantee.
func (s *State) Grant(acl ACL, owner OID, item Item) (ACL, error) {
	if item.Grantee == Public && item.Options != 0 {
		return nil, errGrant("grant options can only be granted to roles")
	}
	if item.Options != 0 && item.Grantor != owner {
		if err := s.checkCircle(acl, owner, item); err != nil {
			return nil, err
		}
	}
	if item.Rights|item.Options == 0 {
		return acl, nil
	}
	out := slices.Clone(acl)
	at := out.find(item.Grantee, item.Grantor)
	if at < 0 {
		return append(out, item), nil
	}
	out[at].Rights |= item.Rights
	out[at].Options |= item.Options
	return out, nil
}

// Revoke is the list without the rights and grant options of item. What the
// grantee has granted by options that are gone goes too with cascade, and is an
// error of 2BP01 without.
func (s *State) Revoke(acl ACL, owner OID, item Item, cascade bool) (ACL, error) {
	at := acl.find(item.Grantee, item.Grantor)
	if at < 0 {
		return acl, nil
	}
	before := acl[at].Options
	out := slices.Clone(acl)
	out[at].Rights &^= item.Rights
	out[at].Options &^= item.Options
	lost := before &^ out[at].Options
	if out[at].Rights|out[at].Options == 0 {
		out = slices.Delete(out, at, at+1)
	}
	if lost == 0 || item.Grantee == Public || item.Grantee == owner {
		return out, nil
	}
	return s.revokeDependents(out, owner, item.Grantee, lost, cascade)
}

// revokeDependents takes back what a role has granted by options that it has no
// more.
func (s *State) revokeDependents(acl ACL, owner, role OID, lost Privileges, cascade bool) (ACL, error) {
	_, still := s.held(acl, role, owner)
	if lost &^= still; lost == 0 {
		return acl, nil
	}
	for {
		at := slices.IndexFunc(acl, func(i Item) bool { return i.Grantor == role && i.Rights&lost != 0 })
		if at < 0 {
			return acl, nil
		}
		if !cascade {
			return nil, &value.Error{
				Code: value.CodeDependentObjects, Pos: value.NoPos,
				Message: "dependent privileges exist", Hint: "Use CASCADE to revoke them too.",
			}
		}
		var err error
		if acl, err = s.Revoke(acl, owner, Item{acl[at].Grantee, role, lost, lost}, true); err != nil {
			return nil, err
		}
	}
}

// checkCircle fails where a grantor has the options of item only from its grantee.
func (s *State) checkCircle(acl ACL, owner OID, item Item) error {
	without := acl
	for {
		at := slices.IndexFunc(without, func(i Item) bool { return i.Grantee == item.Grantee && i.Options != 0 })
		if at < 0 {
			break
		}
		var err error
		if without, err = s.Revoke(without, owner, without[at], true); err != nil {
			return err
		}
	}
	if _, own := s.held(without, item.Grantor, owner); item.Options&^own != 0 {
		return errGrant("grant options cannot be granted back to your own grantor")
	}
	return nil
}

// Grantor is the role as which a role grants privileges on an object, and those of
// them that it may grant: the owner for the owner and superusers, else that of the
// roles whose rights it has that may grant most of them.
func (s *State) Grantor(role OID, g *Grants, acl ACL, want Privileges) (OID, Privileges) {
	if role == g.Owner || s.IsSuperuser(role) {
		return g.Owner, want
	}
	grantor, can := role, Privileges(0)
	for _, r := range s.rolesOf(role, true) {
		_, options := acl.granted(r, g.Owner)
		switch options &= want; {
		case options == want:
			return r, want
		case count(options) > count(can):
			grantor, can = r, options
		}
	}
	return grantor, can
}

// count is the number of privileges in a set.
func count(p Privileges) (n int) {
	p.Each(func(Privileges) { n++ })
	return n
}
