package pgcatalog

import "fmt"

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
