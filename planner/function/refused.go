package function

import "strings"

// refused are the functions of PostgreSQL that do not exist here, most of them of types
// that do not either; calls of them fail with 0A000.
var refused = map[Kind]map[string]bool{
	Aggregate: words("xmlagg range_agg range_intersect_agg"),
	Scalar: words(`convert
		json_populate_record jsonb_populate_record json_populate_recordset jsonb_populate_recordset
		current_time`),
}

func words(s string) map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(s) {
		set[word] = true
	}
	return set
}

// Refused reports whether PostgreSQL has functions of a kind and name that do not exist
// here.
func Refused(kind Kind, name string) bool { return refused[kind][name] }
