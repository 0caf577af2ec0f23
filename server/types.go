package server

import (
	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// The OIDs of types that have no counterpart, or are narrower than it.
const (
	oidOID     = 26
	oidFloat4  = 700
	oidUnknown = 705
)

// wireType is how clients know a type.
type wireType struct {
	oid      uint32
	size     int16 // in bytes, -1 for a varying length
	modifier int32 // typmod, -1 for none
}

// wireTypeOf says how clients know a type. Numerics have a modifier where the user
// gave them their precision.
func wireTypeOf(t cubeloom.ColumnType) wireType {
	wire := wireType{t.OID(), int16(t.Size()), -1}
	switch {
	case t.Kind == algebra.Array:
		wire.modifier = wireTypeOf(cubeloom.ColumnType{Type: t.Element()}).modifier
	case t.Kind != algebra.Decimal || t.Declared:
		wire.modifier = t.Typmod()
	}
	return wire
}

// paramType is the type of a parameter that a client gave an OID.
func (s *session) paramType(oid uint32) (cubeloom.ColumnType, error) {
	t, ok := algebra.OfOID(oid)
	if ok {
		return cubeloom.ColumnType{Type: t}, nil
	}
	made, ok := s.db.TypeOf(oid)
	if !ok {
		return cubeloom.ColumnType{}, value.Errorf(value.CodeFeatureNotSupported, "parameters of the type with OID %d are not supported", oid)
	}
	return made, nil
}
