package access

import (
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/sql/value"
)

// Item is what one role has granted to another on an object.
type Item struct {
	Grantee OID        `json:",omitempty"` // Public is everyone
	Grantor OID        `json:",omitempty"`
	Rights  Privileges `json:",omitempty"`
	Options Privileges `json:",omitempty"` // those that the grantee may grant
}

// ACL lists what is granted on an object. Nil stands for the default of the
// object's kind, and an empty list for nothing. It never changes.
type ACL []Item

// DefaultACL is what is granted on a new object of a kind.
func DefaultACL(k Kind, owner OID) ACL {
	own := Item{Grantee: owner, Grantor: owner, Rights: k.All()}
	everyone := Item{Grantor: owner}
	switch k {
	case Database:
		everyone.Rights = Connect | Temporary
	case Function:
		everyone.Rights = Execute
	case Type:
		everyone.Rights = Usage
	default:
		return ACL{own}
	}
	return ACL{everyone, own}
}

// Text writes the items as PostgreSQL does: grantee=rights/grantor, with a star
// behind what may be granted.
func (acl ACL) Text(name func(OID) string) []string {
	lines := make([]string, len(acl))
	for i, item := range acl {
		var out strings.Builder
		if item.Grantee != Public {
			out.WriteString(quoted(name(item.Grantee)))
		}
		out.WriteByte('=')
		for bit, n := range privilegeNames {
			if item.Rights&(1<<bit) != 0 {
				out.WriteByte(n.letter)
				if item.Options&(1<<bit) != 0 {
					out.WriteByte('*')
				}
			}
		}
		out.WriteByte('/')
		out.WriteString(quoted(name(item.Grantor)))
		lines[i] = out.String()
	}
	return lines
}

// quoted puts quotes around a role's name that has other characters than letters,
// digits and underscores.
func quoted(name string) string {
	for _, c := range []byte(name) {
		if c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
	}
	return name
}

// find returns the place of what one role has granted to another, -1 for nothing.
func (acl ACL) find(grantee, grantor OID) int {
	return slices.IndexFunc(acl, func(i Item) bool { return i.Grantee == grantee && i.Grantor == grantor })
}

// granted are the rights and grant options that were given to a role itself,
// the grant options of the owner among them.
func (acl ACL) granted(role, owner OID) (rights, options Privileges) {
	for _, item := range acl {
		if item.Grantee == role {
			rights |= item.Rights
			options |= item.Options
		}
	}
	if role == owner {
		options = ^Privileges(0)
	}
	return rights, options
}

// NewOwner is the list after the object went from one owner to another: what the
// old one had and granted the new one has and has granted.
func (acl ACL) NewOwner(old, next OID) ACL {
	if acl == nil {
		return nil
	}
	out := ACL{}
	for _, item := range acl {
		if item.Grantee == old {
			item.Grantee = next
		}
		if item.Grantor == old {
			item.Grantor = next
		}
		if at := out.find(item.Grantee, item.Grantor); at >= 0 {
			out[at].Rights |= item.Rights
			out[at].Options |= item.Options
			continue
		}
		out = append(out, item)
	}
	return out
}

// Merge is the list with what another one grants as well.
func (acl ACL) Merge(other ACL) ACL {
	out := slices.Clone(acl)
	for _, item := range other {
		at := out.find(item.Grantee, item.Grantor)
		if at < 0 {
			out = append(out, item)
			continue
		}
		out[at].Rights |= item.Rights
		out[at].Options |= item.Options
	}
	return out
}

// Same reports whether two lists grant the same, in any order.
func (acl ACL) Same(other ACL) bool {
	if (acl == nil) != (other == nil) || len(acl) != len(other) {
		return false
	}
	for _, item := range acl {
		if at := other.find(item.Grantee, item.Grantor); at < 0 || other[at] != item {
			return false
		}
	}
	return true
}

// Mentions reports whether a role has granted, or was granted, anything.
func (acl ACL) Mentions(role OID) bool {
	return slices.ContainsFunc(acl, func(i Item) bool { return i.Grantee == role || i.Grantor == role })
}

// errGrant is the error of a GRANT that must not be.
func errGrant(message string) error { return value.Errorf(value.CodeInvalidGrant, "%s", message) }
