package cubeloom

import "github.com/cubeloom/cubeloom/planner/algebra"

// sysType is a type as pg_type shows it.
type sysType struct {
	oid      int64
	name     string // typname
	sql      string // as format_type writes it
	length   int    // typlen
	byValue  bool
	category string
	array    int64 // the OID of its array type
}

// sysTypeTable lists the types that columns can have, and those that clients
// look up by name.
var sysTypeTable = []sysType{
	{16, "bool", "boolean", 1, true, "B", 1000},
	{17, "bytea", "bytea", -1, false, "U", 1001},
	{18, "char", `"char"`, 1, true, "Z", 1002},
	{19, "name", "name", 64, false, "S", 1003},
	{20, "int8", "bigint", 8, true, "N", 1016},
	{21, "int2", "smallint", 2, true, "N", 1005},
	{22, "int2vector", "int2vector", -1, false, "A", 1006},
	{23, "int4", "integer", 4, true, "N", 1007},
	{25, "text", "text", -1, false, "S", 1009},
	{26, "oid", "oid", 4, true, "N", 1028},
	{30, "oidvector", "oidvector", -1, false, "A", 1013},
	{700, "float4", "real", 4, true, "N", 1021},
	{701, "float8", "double precision", 8, true, "N", 1022},
	{705, "unknown", "unknown", -2, false, "X", 0},
	{1042, "bpchar", "character", -1, false, "S", 1014},
	{1043, "varchar", "character varying", -1, false, "S", 1015},
	{1082, "date", "date", 4, true, "D", 1182},
	{1114, "timestamp", "timestamp without time zone", 8, true, "D", 1115},
	{1184, "timestamptz", "timestamp with time zone", 8, true, "D", 1185},
	{1186, "interval", "interval", 16, false, "T", 1187},
	{1700, "numeric", "numeric", -1, false, "N", 1231},
}

// columnTypeOIDs are the OIDs of the types of columns; that of a text with a
// length is varchar's.
var columnTypeOIDs = map[algebra.Kind]int64{
	algebra.Bool: 16, algebra.Int16: 21, algebra.Int32: 23, algebra.Int64: 20, algebra.Float64: 701, algebra.Float32: 700, algebra.Text: 25,
	algebra.Decimal: 1700, algebra.Numeric: 1700, algebra.Date: 1082, algebra.Timestamp: 1114, algebra.TimestampTZ: 1184, algebra.Interval: 1186,
}

// typeOID gives the OID and the modifier of a column's type.
func typeOID(t algebra.Type) (oid int64, modifier int) {
	switch {
	case t.Kind == algebra.Array:
		oid, modifier = typeOID(t.Element())
		return findType(oid).array, modifier
	case t.IsVector() && t.Elem == algebra.Int16:
		return 22, -1
	case t.IsVector():
		return 30, -1
	case t.Kind == algebra.Text && t.Length > 0:
		return 1043, int(t.Length) + 4
	case t.Kind == algebra.Decimal:
		return 1700, int(t.Precision)<<16 + int(t.Scale) + 4
	}
	return columnTypeOIDs[t.Kind], -1
}

// findType gives the type of an OID.
func findType(oid int64) sysType {
	for _, t := range sysTypeTable {
		switch {
		case t.oid == oid:
			return t
		case t.array == oid && oid != 0:
			return sysType{oid: oid, name: "_" + t.name, sql: "ARRAY", length: -1, category: "A"}
		}
	}
	return sysType{}
}

// typeRows are the rows of pg_type: each type and its array.
func typeRows(*sysView) []sysRow {
	var rows []sysRow
	for _, t := range sysTypeTable {
		collation := 0
		if t.category == "S" {
			collation = 100
		}
		rows = append(rows, sysRow{"oid": t.oid, "typname": t.name, "typlen": t.length, "typbyval": t.byValue,
			"typcategory": t.category, "typarray": t.array, "typcollation": collation, "typstorage": t.storage()})
		if t.array != 0 {
			rows = append(rows, sysRow{"oid": t.array, "typname": "_" + t.name, "typlen": -1, "typcategory": "A",
				"typelem": t.oid, "typcollation": collation, "typstorage": storageExtended, "typinput": "array_in", "typsubscript": "array_subscript_handler"})
		}
	}
	return rows
}

// The letters of typstorage and attstorage.
const (
	storagePlain    = "p"
	storageMain     = "m"
	storageExtended = "x"
)

// storage is the type's typstorage.
func (t *sysType) storage() string {
	switch {
	case t.name == "numeric":
		return storageMain
	case t.category == "S" && t.length < 0, t.category == "A":
		return storageExtended
	}
	return storagePlain
}
