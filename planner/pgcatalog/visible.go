package pgcatalog

import "fmt"

// visibleTypeText is whether the type whose OID is $1 is what its name stands for.
func (v *View) visibleTypeText() string {
	text := "$1 IS NOT NULL"
	for _, t := range v.UserTypes() {
		if oid := t.Of.ID().OID; !v.findsType(t.Of) {
			text += fmt.Sprintf(" AND $1 NOT IN (%d, %d)", oid, oid+1)
		}
	}
	return text
}

// visibleText is whether the relation whose OID is $1 is what its name stands for.
func (v *View) visibleText() string {
	text := "$1 IS NOT NULL"
	for i := range v.Objects() {
		if o := &v.Objects()[i]; !v.isFound(o) {
			text += fmt.Sprintf(" AND $1 <> %d", o.oid)
		}
	}
	return text
}
