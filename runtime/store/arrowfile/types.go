// Package arrowfile converts between Arrow and the engine's columns, and reads
// and writes Arrow IPC files.
package arrowfile

import (
	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/ipc"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Columns returns the columns that fields of an Arrow schema become. One of a type that SQL
// has no counterpart for is a text that CheckReadable refuses. No column is NOT NULL: what
// a schema says of that is not checked against the data.
func Columns(fields []arrow.Field) []store.Column {
	columns := make([]store.Column, len(fields))
	for i, f := range fields {
		t, ok := typeOf(f)
		if !ok {
			t = algebra.TText
		}
		columns[i] = store.Column{Name: f.Name, Type: t}
	}
	return columns
}

// CheckReadable fails with 0A000 for a field of a type that SQL has no counterpart for.
func CheckReadable(f arrow.Field) error {
	if _, ok := typeOf(f); !ok {
		return value.Errorf(value.CodeFeatureNotSupported, "column %q has the type %v, which is not supported", f.Name, f.Type)
	}
	return nil
}

// UUIDs is what the metadata of a field of 16 bytes say where they are uuids.
var UUIDs = arrow.NewMetadata([]string{ipc.ExtensionTypeKeyName}, []string{"arrow.uuid"})

func isUUID(f arrow.Field) bool {
	t, fixed := f.Type.(*arrow.FixedSizeBinaryType)
	name, _ := f.Metadata.GetValue(ipc.ExtensionTypeKeyName)
	return fixed && t.ByteWidth == value.UUIDSize && name == UUIDs.Values()[0]
}

// typeOf is the SQL type for that of an Arrow field: the narrowest one that holds all
// its values. Timestamps and times become microseconds, whatever their unit; finer digits
// are cut.
func typeOf(f arrow.Field) (algebra.Type, bool) {
	t := f.Type
	switch t.ID() {
	case arrow.BOOL:
		return algebra.TBool, true
	case arrow.INT8, arrow.UINT8, arrow.INT16:
		return algebra.TInt16, true
	case arrow.UINT16, arrow.INT32:
		return algebra.TInt32, true
	case arrow.UINT32, arrow.INT64:
		return algebra.TInt64, true
	case arrow.UINT64:
		return algebra.TDecimal(20, 0), true
	case arrow.FLOAT16, arrow.FLOAT32:
		return algebra.TFloat32, true
	case arrow.FLOAT64:
		return algebra.TFloat64, true
	case arrow.DECIMAL128:
		d := t.(*arrow.Decimal128Type)
		ok := d.Precision >= 1 && d.Precision <= 38 && d.Scale >= 0 && d.Scale <= d.Precision
		return algebra.TDecimal(uint8(d.Precision), uint8(d.Scale)), ok
	case arrow.STRING, arrow.LARGE_STRING, arrow.NULL:
		return algebra.TText, true
	case arrow.DATE32, arrow.DATE64:
		return algebra.TDate, true
	case arrow.TIMESTAMP:
		if t.(*arrow.TimestampType).TimeZone != "" {
			return algebra.TTimestampTZ, true
		}
		return algebra.TTimestamp, true
	case arrow.TIME32, arrow.TIME64:
		return algebra.TTime, true
	case arrow.FIXED_SIZE_BINARY:
		return algebra.TUUID, isUUID(f)
	case arrow.BINARY, arrow.LARGE_BINARY:
		return algebra.TBytea, true
	case arrow.INTERVAL_MONTH_DAY_NANO:
		return algebra.TInterval, true
	case arrow.DICTIONARY:
		d := t.(*arrow.DictionaryType)
		if d.ValueType.ID() == arrow.DICTIONARY {
			return algebra.Type{}, false
		}
		return typeOf(arrow.Field{Type: d.ValueType, Metadata: f.Metadata})
	case arrow.LIST, arrow.LARGE_LIST, arrow.FIXED_SIZE_LIST, arrow.STRUCT, arrow.MAP:
		return nestedType(t.(arrow.NestedType))
	}
	return algebra.Type{}, false
}

// nestedType is the SQL type for an Arrow type that has others in it: an array for lists of
// what arrays can hold, and jsonb for what has names or more than one level.
func nestedType(t arrow.NestedType) (algebra.Type, bool) {
	var elem algebra.Type
	for _, f := range t.Fields() {
		var ok bool
		if elem, ok = typeOf(f); !ok {
			return algebra.Type{}, false
		}
	}
	_, list := t.(arrow.ListLikeType)
	if t.ID() == arrow.MAP || !list || elem.IsJSON() || elem.Kind == algebra.Array {
		return algebra.TJSONB, true
	}
	return algebra.TArray(elem), true
}

// arrowField is the Arrow field that a column is exported as.
func arrowField(name string, t algebra.Type, numScale uint8, nullable bool) arrow.Field {
	f := arrow.Field{Name: name, Type: arrowType(t, numScale), Nullable: nullable}
	if t.Kind == algebra.UUID {
		f.Metadata = UUIDs
	}
	return f
}

// arrowType is the Arrow type that a column is exported as. numScale is the
// scale for numerics that have one each, in arrays too: the largest one among them.
func arrowType(t algebra.Type, numScale uint8) arrow.DataType {
	switch t.Kind {
	case algebra.Bool:
		return arrow.FixedWidthTypes.Boolean
	case algebra.Int16:
		return arrow.PrimitiveTypes.Int16
	case algebra.Int32:
		return arrow.PrimitiveTypes.Int32
	case algebra.Int64:
		return arrow.PrimitiveTypes.Int64
	case algebra.Float64:
		return arrow.PrimitiveTypes.Float64
	case algebra.Float32:
		return arrow.PrimitiveTypes.Float32
	case algebra.Decimal:
		return &arrow.Decimal128Type{Precision: int32(t.Precision), Scale: int32(t.Scale)}
	case algebra.Numeric:
		return &arrow.Decimal128Type{Precision: 38, Scale: int32(numScale)}
	case algebra.Date:
		return arrow.FixedWidthTypes.Date32
	case algebra.Timestamp:
		return &arrow.TimestampType{Unit: arrow.Microsecond}
	case algebra.TimestampTZ:
		return &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}
	case algebra.Time:
		return arrow.FixedWidthTypes.Time64us
	case algebra.UUID:
		return &arrow.FixedSizeBinaryType{ByteWidth: value.UUIDSize}
	case algebra.Bytea:
		return arrow.BinaryTypes.Binary
	case algebra.Interval:
		return arrow.FixedWidthTypes.MonthDayNanoInterval
	case algebra.Array:
		return arrow.ListOfField(arrowField("item", t.Element(), numScale, true))
	}
	return arrow.BinaryTypes.String
}
