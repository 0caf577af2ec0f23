package pgcatalog

import (
	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// TypeName is the name of a column's type without its modifier.
func TypeName(t algebra.Type) string {
	if t.Enum != nil {
		return t.String()
	}
	oid, _ := TypeOID(t)
	return typeText(columnTypes, oid)
}

// typeText is the name of one of some types, or of a pseudo-type, without modifiers.
func typeText(types []pgType, oid int64) string {
	for _, t := range types {
		switch oid {
		case t.oid:
			return t.sql
		case t.array:
			return t.sql + "[]"
		}
	}
	for _, t := range pseudoTypes {
		switch {
		case oid == t.oid:
			return QuoteName(t.name)
		case oid == t.array && oid != 0:
			return t.name + "[]"
		}
	}
	return "???"
}

// pgType is a type as pg_type shows it.
type pgType struct {
	oid      int64
	name     string // typname
	sql      string // as format_type writes it
	io       string // what the names of its functions for input and output begin with
	length   int    // typlen
	byValue  bool
	category string
	array    int64     // the OID of its array type
	made     *UserType // nil of a type of the system
}

// columnTypes lists the types that columns can have, and those that clients
// look up by name.
var columnTypes = []pgType{
	{16, "bool", "boolean", "bool", 1, true, "B", 1000, nil},
	{17, "bytea", "bytea", "bytea", -1, false, "U", 1001, nil},
	{18, "char", `"char"`, "char", 1, true, "Z", 1002, nil},
	{19, "name", "name", "name", 64, false, "S", 1003, nil},
	{20, "int8", "bigint", "int8", 8, true, "N", 1016, nil},
	{21, "int2", "smallint", "int2", 2, true, "N", 1005, nil},
	{22, "int2vector", "int2vector", "int2vector", -1, false, "A", 1006, nil},
	{23, "int4", "integer", "int4", 4, true, "N", 1007, nil},
	{24, "regproc", "regproc", "regproc", 4, true, "N", 1008, nil},
	{25, "text", "text", "text", -1, false, "S", 1009, nil},
	{26, "oid", "oid", "oid", 4, true, "N", 1028, nil},
	{30, "oidvector", "oidvector", "oidvector", -1, false, "A", 1013, nil},
	{114, "json", "json", "json_", -1, false, "U", 199, nil},
	{3802, "jsonb", "jsonb", "jsonb_", -1, false, "U", 3807, nil},
	{4072, "jsonpath", "jsonpath", "jsonpath_", -1, false, "U", 4073, nil},
	{2950, "uuid", "uuid", "uuid_", 16, false, "U", 2951, nil},
	{700, "float4", "real", "float4", 4, true, "N", 1021, nil},
	{701, "float8", "double precision", "float8", 8, true, "N", 1022, nil},
	{705, "unknown", "unknown", "unknown", -2, false, "X", 0, nil},
	{1042, "bpchar", "character", "bpchar", -1, false, "S", 1014, nil},
	{1043, "varchar", "character varying", "varchar", -1, false, "S", 1015, nil},
	{1082, "date", "date", "date_", 4, true, "D", 1182, nil},
	{1083, "time", "time without time zone", "time_", 8, true, "D", 1183, nil},
	{1114, "timestamp", "timestamp without time zone", "timestamp_", 8, true, "D", 1115, nil},
	{1184, "timestamptz", "timestamp with time zone", "timestamptz_", 8, true, "D", 1185, nil},
	{1186, "interval", "interval", "interval_", 16, false, "T", 1187, nil},
	{1700, "numeric", "numeric", "numeric_", -1, false, "N", 1231, nil},
	{1033, "aclitem", "aclitem", "aclitem", 12, false, "U", 1034, nil},
	{2202, "regprocedure", "regprocedure", "regprocedure", 4, true, "N", 2207, nil},
	{2205, "regclass", "regclass", "regclass", 4, true, "N", 2210, nil},
	{2206, "regtype", "regtype", "regtype", 4, true, "N", 2211, nil},
	{4089, "regnamespace", "regnamespace", "regnamespace", 4, true, "N", 4090, nil},
	{4096, "regrole", "regrole", "regrole", 4, true, "N", 4097, nil},
}

// TypeOID returns the OID and the modifier of a column's type.
func TypeOID(t algebra.Type) (oid int64, modifier int) {
	if oid, modifier = int64(t.OID()), int(t.Typmod()); t.Kind == algebra.Array {
		_, modifier = TypeOID(t.Element())
	}
	return oid, modifier
}

// columnOID returns the OID and the modifier of the type of a column, which may be of a domain.
func columnOID(c *planner.CatalogColumn) (oid int64, modifier int) {
	if c.Domain != nil {
		return int64(c.Domain.OID), -1
	}
	return TypeOID(c.Type)
}

// findType returns the type of an OID, one of some types.
func findType(types []pgType, oid int64) pgType {
	for _, t := range types {
		switch {
		case t.oid == oid:
			return t
		case t.array == oid && oid != 0:
			return pgType{oid: oid, name: "_" + t.name, sql: "ARRAY", io: "array_", length: -1, category: "A", made: t.made}
		}
	}
	return pgType{}
}

// pseudoTypes are types of arguments and results of functions that no column has.
var pseudoTypes = []pgType{
	{oid: 2249, name: "record", io: "record_", length: -1}, {oid: 2275, name: "cstring", io: "cstring_", length: -2, array: 1263},
	{oid: 2276, name: `any`, io: "any_", length: 4, byValue: true}, {oid: 2277, name: "anyarray", io: "anyarray_", length: -1},
	{oid: 2278, name: "void", io: "void_", length: 4, byValue: true}, {oid: 2279, name: "trigger", io: "trigger_", length: 4, byValue: true},
	{oid: 2281, name: "internal", io: "internal_", length: 8, byValue: true}, {oid: 2283, name: "anyelement", io: "anyelement_", length: 4, byValue: true},
	{oid: 2776, name: "anynonarray", io: "anynonarray_", length: 4, byValue: true},
	{oid: 3500, name: "anyenum", io: "anyenum_", length: 4, byValue: true},
	{oid: 5077, name: "anycompatible", io: "anycompatible_", length: 4, byValue: true}, {oid: 5078, name: "anycompatiblearray", io: "anycompatiblearray_", length: -1},
}

// collation is the type's typcollation.
func (t *pgType) collation() int {
	switch {
	case t.name == "name":
		return 950
	case t.category == "S":
		return 100
	}
	return 0
}

// align is the type's typalign.
func (t *pgType) align() string {
	switch {
	case t.length == 1, t.length == -2, t.name == "name", t.name == "uuid":
		return "c"
	case t.length == 2:
		return "s"
	case t.length == 8, t.length == 16:
		return "d"
	}
	return "i"
}

// The letters of typstorage and attstorage.
const (
	storagePlain    = "p"
	storageMain     = "m"
	storageExtended = "x"
)

// storage is the type's typstorage.
func (t *pgType) storage() string {
	switch {
	case t.name == "numeric":
		return storageMain
	case t.category == "S" && t.length < 0, t.category == "A", t.name == "bytea":
		return storageExtended
	}
	return storagePlain
}
