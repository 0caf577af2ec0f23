package pgcatalog

// typeRows are the rows of pg_type: each type and its array.
func typeRows(v *View) []Row {
	var rows []Row
	for _, t := range v.types() {
		row := t.row()
		if t.made != nil {
			row["typtype"] = "e"
			t.made.describe(v, row, "typacl")
			v.describeDomain(row, t.made.domain())
		}
		rows = append(rows, row)
		if t.array != 0 {
			array := findType(v.types(), t.array)
			row := array.row()
			row["typelem"], row["typcollation"], row["typsubscript"] = t.oid, t.collation(), functionNamed("array_subscript_handler")
			row["typtypmod"], row["typanalyze"] = -1, functionNamed("array_typanalyze")
			if row["typalign"] = t.align(); row["typalign"] != "d" {
				row["typalign"] = "i"
			}
			if t.made != nil {
				t.made.describe(v, row, "")
			}
			rows = append(rows, row)
		}
	}
	for _, t := range pseudoTypes {
		t.category = "P"
		row := t.row()
		row["typtype"] = "p"
		rows = append(rows, row)
	}
	return rows
}

// row is the type in pg_type.
func (t *pgType) row() Row {
	row := Row{"oid": t.oid, "typname": t.name, "typlen": t.length, "typbyval": t.byValue, "typcategory": t.category, "typarray": t.array,
		"typcollation": t.collation(), "typstorage": t.storage(), "typalign": t.align(), "typispreferred": preferredTypes[t.name],
		"typinput": functionNamed(t.io + "in"), "typoutput": functionNamed(t.io + "out"),
		"typreceive": functionNamed(t.io + "recv"), "typsend": functionNamed(t.io + "send"),
		"typmodin": functionNamed(t.name + "typmodin"), "typmodout": functionNamed(t.name + "typmodout")}
	if t.category == "A" {
		row["typsubscript"] = functionNamed("array_subscript_handler")
	}
	return row
}

// preferredTypes are those that their category is converted to where there is a choice.
var preferredTypes = map[string]bool{"bool": true, "text": true, "oid": true, "float8": true, "timestamptz": true, "interval": true}
