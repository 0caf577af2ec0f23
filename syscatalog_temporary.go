package cubeloom

import (
	"fmt"
	"slices"
)

// temporary reports whether it is an object of the session.
func (o *sysObject) temporary() bool { return o.schema != schemaPublic }

// visibleText is whether the relation whose OID is $1 is what its name stands for.
func (v *sysView) visibleText() string {
	text := "$1 IS NOT NULL"
	for i := range v.objects() {
		if o := &v.objects()[i]; v.named(o.name) != o {
			text += fmt.Sprintf(" AND $1 <> %d", o.oid)
		}
	}
	return text
}

// place says in a row of a relation of the system where a temporary object is.
func (o *sysObject) place(v *sysView, row sysRow) sysRow {
	if !o.temporary() {
		return row
	}
	row["relnamespace"], row["connamespace"], row["relpersistence"] = v.temporaryOID(), v.temporaryOID(), "t"
	for _, column := range []string{"schemaname", "table_schema", "constraint_schema"} {
		row[column] = o.schema
	}
	if row["table_type"] == "BASE TABLE" {
		row["table_type"] = "LOCAL TEMPORARY"
	}
	return row
}

// temporaryOID is the OID of the session's temporary schema.
func (v *sysView) temporaryOID() int64 {
	return objectOID(v.temporarySchema, map[int64]bool{})
}

// hasTemporary reports whether there are temporary objects.
func (v *sysView) hasTemporary() bool {
	return slices.ContainsFunc(v.objects(), func(o sysObject) bool { return o.temporary() })
}
