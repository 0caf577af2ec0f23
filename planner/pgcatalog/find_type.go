package pgcatalog

import "strings"

// findTypeNamed finds the OID of a type by its name as SQL writes it, or in pg_type.
func (v *View) findTypeNamed(text, name string) (oid int64, found bool) {
	if base, _, ok := strings.Cut(text, "("); ok { // a modifier says nothing of the type
		text, name = strings.TrimSpace(base), unqualified(base)
	}
	for _, types := range [][]pgType{v.types(), pseudoTypes} {
		for _, t := range types {
			switch {
			case t.made != nil && !t.made.isNamed(v, strings.TrimSuffix(text, "[]")):
			case t.made != nil && strings.HasSuffix(text, "[]"):
				return t.array, true
			case t.name == name && text != "char", t.sql == text && text != "", text == "char" && t.name == "bpchar", otherNames[text] == t.name:
				return t.oid, true
			case t.array != 0 && (t.sql+"[]" == text || "_"+t.name == name || t.name+"[]" == text):
				return t.array, true
			}
		}
	}
	return 0, false
}

// otherNames are further names that SQL has for types.
var otherNames = map[string]string{"int": "int4", "decimal": "numeric", "dec": "numeric", "float": "float8"}
