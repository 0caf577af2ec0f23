// Package arrowfile converts between Arrow and the engine's columns, and reads
// and writes Arrow IPC files.
package arrowfile

import (
	"github.com/apache/arrow/go/v15/arrow"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Columns returns the columns that fields of an Arrow schema become. A type that
// SQL has no counterpart for fails with 0A000 and names the field. No column is
// NOT NULL: what a schema says of that is not checked against the data.
func Columns(schema *arrow.Schema) ([]store.Column, error) {
	columns := make([]store.Column, schema.NumFields())
	for i, f := range schema.Fields() {
		t, ok := typeOf(f.Type)
		if !ok {
			return nil, value.Errorf(value.CodeFeatureNotSupported, "column %q has the Arrow type %v, which is not supported", f.Name, f.Type)
		}
		columns[i] = store.Column{Name: f.Name, Type: t}
	}
	return columns, nil
}

// typeOf is the SQL type for an Arrow type: the narrowest one that holds all
// its values. Timestamps become microseconds, whatever their unit; finer digits
// are cut.
func typeOf(t arrow.DataType) (algebra.Type, bool) {
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
	case arrow.INTERVAL_MONTH_DAY_NANO:
		return algebra.TInterval, true
	case arrow.DICTIONARY:
		d := t.(*arrow.DictionaryType)
		if d.ValueType.ID() == arrow.DICTIONARY {
			return algebra.Type{}, false
		}
		return typeOf(d.ValueType)
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
		if elem, ok = typeOf(f.Type); !ok {
			return algebra.Type{}, false
		}
	}
	_, list := t.(arrow.ListLikeType)
	if t.ID() == arrow.MAP || !list || elem.IsJSON() || elem.Kind == algebra.Array || elem.Kind == algebra.TimestampTZ {
		return algebra.TJSONB, true
	}
	return algebra.TArray(elem), true
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
	case algebra.Interval:
		return arrow.FixedWidthTypes.MonthDayNanoInterval
	case algebra.Array:
		return arrow.ListOf(arrowType(t.Element(), numScale))
	}
	return arrow.BinaryTypes.String
}
