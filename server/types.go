package server

import (
	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// The OIDs of PostgreSQL's types that have a counterpart.
const (
	oidBool        = 16
	oidInt8        = 20
	oidInt2        = 21
	oidInt2Vector  = 22
	oidOIDVector   = 30
	oidInt4        = 23
	oidText        = 25
	oidOID         = 26
	oidName        = 19
	oidChar        = 18
	oidJSON        = 114
	oidFloat4      = 700
	oidFloat8      = 701
	oidUnknown     = 705
	oidBPChar      = 1042
	oidVarchar     = 1043
	oidDate        = 1082
	oidTimestamp   = 1114
	oidTimestampTZ = 1184
	oidInterval    = 1186
	oidNumeric     = 1700
	oidJSONB       = 3802
)

// wireType is how clients know a type.
type wireType struct {
	oid      uint32
	size     int16 // in bytes, -1 for a varying length
	modifier int32 // typmod, -1 for none
}

// wireTypes are the types without parameters.
var wireTypes = map[algebra.Kind]wireType{
	algebra.Unknown:     {oidText, -1, -1},
	algebra.Bool:        {oidBool, 1, -1},
	algebra.Int16:       {oidInt2, 2, -1},
	algebra.Int32:       {oidInt4, 4, -1},
	algebra.Int64:       {oidInt8, 8, -1},
	algebra.Float32:     {oidFloat4, 4, -1},
	algebra.Float64:     {oidFloat8, 8, -1},
	algebra.Decimal:     {oidNumeric, -1, -1},
	algebra.Numeric:     {oidNumeric, -1, -1},
	algebra.Text:        {oidText, -1, -1},
	algebra.Date:        {oidDate, 4, -1},
	algebra.Timestamp:   {oidTimestamp, 8, -1},
	algebra.TimestampTZ: {oidTimestampTZ, 8, -1},
	algebra.Interval:    {oidInterval, 16, -1},
	algebra.JSONText:    {oidJSON, -1, -1},
	algebra.JSONBinary:  {oidJSONB, -1, -1},
}

// arrayOIDs are the OIDs of arrays by those of their elements.
var arrayOIDs = map[uint32]uint32{
	oidBool: 1000, oidInt2: 1005, oidInt4: 1007, oidInt8: 1016, oidFloat4: 1021, oidFloat8: 1022, oidNumeric: 1231,
	oidText: 1009, oidVarchar: 1015, oidBPChar: 1014, oidName: 1003, oidChar: 1002, oidJSON: 199, oidJSONB: 3807,
	oidOID: 1028, 24: 1008, 2202: 2207, 2205: 2210, 2206: 2211, 4089: 4090, 4096: 4097,
	oidDate: 1182, oidTimestamp: 1115, oidInterval: 1187,
}

// wireTypeOf says how clients know a type. Numerics have a modifier where the user
// gave them their precision.
func wireTypeOf(t cubeloom.ColumnType) wireType {
	if t.Kind == algebra.Array {
		elem := wireTypeOf(cubeloom.ColumnType{Type: t.Element()})
		return wireType{arrayOIDs[elem.oid], -1, elem.modifier}
	}
	switch {
	case t.IsVector() && t.Elem == algebra.Int16:
		return wireType{oidInt2Vector, -1, -1}
	case t.IsVector():
		return wireType{oidOIDVector, -1, -1}
	case t.Alias != algebra.NoAlias:
		return aliasTypes[t.Alias]
	case t.Padded:
		return wireType{oidBPChar, -1, t.Typmod()}
	case t.Kind == algebra.Text && t.Length > 0:
		return wireType{oidVarchar, -1, t.Typmod()}
	}
	wire := wireTypes[t.Kind]
	if t.Kind != algebra.Decimal || t.Declared {
		wire.modifier = t.Typmod()
	}
	return wire
}

// aliasTypes are the types of catalogs.
var aliasTypes = map[algebra.Alias]wireType{
	algebra.OID: {oidOID, 4, -1}, algebra.Regproc: {24, 4, -1}, algebra.Regprocedure: {2202, 4, -1}, algebra.Regclass: {2205, 4, -1},
	algebra.Regtype: {2206, 4, -1}, algebra.Regnamespace: {4089, 4, -1}, algebra.Regrole: {4096, 4, -1},
	algebra.Char: {oidChar, 1, -1}, algebra.Name: {oidName, 64, -1}, algebra.Void: {2278, 4, -1},
}

// paramTypes are the types that a client may give a parameter.
var paramTypes = map[uint32]algebra.Type{
	0: algebra.TUnknown, oidUnknown: algebra.TUnknown,
	oidBool: algebra.TBool, oidInt2: algebra.TInt16, oidInt4: algebra.TInt32, oidInt8: algebra.TInt64, oidOID: algebra.TOID,
	oidFloat4: algebra.TFloat32, oidFloat8: algebra.TFloat64, oidNumeric: algebra.TNumeric,
	oidText: algebra.TText, oidVarchar: algebra.TText, oidBPChar: algebra.TBPChar, oidName: algebra.TAlias(algebra.Name), oidChar: algebra.TAlias(algebra.Char),
	oidJSON: algebra.TJSON, oidJSONB: algebra.TJSONB,
	oidDate: algebra.TDate, oidTimestamp: algebra.TTimestamp, oidTimestampTZ: algebra.TTimestampTZ, oidInterval: algebra.TInterval,
}

// paramType is the type of a parameter that a client gave an OID.
func paramType(oid uint32) (cubeloom.ColumnType, error) {
	t, ok := paramTypes[oid]
	for elem, array := range arrayOIDs {
		if array == oid {
			t, ok = algebra.TArray(paramTypes[elem]), true
		}
	}
	if !ok {
		return cubeloom.ColumnType{}, value.Errorf(value.CodeFeatureNotSupported, "parameters of the type with OID %d are not supported", oid)
	}
	return cubeloom.ColumnType{Type: t}, nil
}
