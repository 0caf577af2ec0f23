package pgcatalog

import (
	"cmp"
	"slices"

	"github.com/cubeloom/cubeloom/sql/access"
)

// grant is a single privilege of a list.
type grant struct {
	grantor, grantee access.OID
	right            access.Privileges
	grantable        bool
}

// explode returns the privileges of a list one by one.
func explode(acl access.ACL) []grant {
	var grants []grant
	for _, item := range acl {
		item.Rights.Each(func(p access.Privileges) {
			grants = append(grants, grant{item.Grantor, item.Grantee, p, item.Options&p != 0})
		})
	}
	return grants
}

// unite are grants without those that stand twice; one that may be granted on stands
// for one that may not.
func unite(grants []grant) []grant {
	slices.SortFunc(grants, func(a, b grant) int {
		return cmp.Or(cmp.Compare(a.grantor, b.grantor), cmp.Compare(a.grantee, b.grantee), cmp.Compare(a.right, b.right),
			cmp.Compare(yesNo(b.grantable), yesNo(a.grantable)))
	})
	return slices.CompactFunc(grants, func(a, b grant) bool {
		return a.grantor == b.grantor && a.grantee == b.grantee && a.right == b.right
	})
}
