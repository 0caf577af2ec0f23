package parquetfile

import (
	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/parquet/schema"
)

// The library reads timestamps without a time zone as moments, and writes them as moments, too, where
// their Arrow type has no time zone.

// local is a time zone that the library takes for none when it writes.
const local = "local"

// localType is a type whose timestamps without a time zone are of none to the library.
func localType(t arrow.DataType) arrow.DataType {
	return mapLeaves(t, func(leaf arrow.DataType) arrow.DataType {
		if t, ok := leaf.(*arrow.TimestampType); ok && t.TimeZone == "" {
			return &arrow.TimestampType{Unit: t.Unit, TimeZone: local}
		}
		return leaf
	})
}

// zonedType is a type as the library reads it, but with a time zone only where the file's columns of
// values say so, which are leaves.
func zonedType(t arrow.DataType, leaves []int, columns *schema.Schema) arrow.DataType {
	return mapLeaves(t, func(leaf arrow.DataType) arrow.DataType {
		column := columns.Column(leaves[0])
		leaves = leaves[1:]
		if t, ok := leaf.(*arrow.TimestampType); ok && isLocal(column) {
			return &arrow.TimestampType{Unit: t.Unit}
		}
		return leaf
	})
}

// isLocal reports whether a column has timestamps without a time zone.
func isLocal(c *schema.Column) bool {
	t, ok := c.LogicalType().(*schema.TimestampLogicalType)
	return ok && !t.IsAdjustedToUTC()
}

// mapLeaves replaces the types within a type that have none within them, in the order of the file's columns.
func mapLeaves(t arrow.DataType, replace func(leaf arrow.DataType) arrow.DataType) arrow.DataType {
	field := func(f arrow.Field) arrow.Field {
		f.Type = mapLeaves(f.Type, replace)
		return f
	}
	switch t := t.(type) {
	case *arrow.ListType:
		return arrow.ListOfField(field(t.ElemField()))
	case *arrow.FixedSizeListType:
		return arrow.FixedSizeListOfField(t.Len(), field(t.ElemField()))
	case *arrow.MapType:
		key := mapLeaves(t.KeyType(), replace)
		return arrow.MapOf(key, mapLeaves(t.ItemType(), replace))
	case *arrow.StructType:
		fields := t.Fields()
		for i, f := range fields {
			fields[i] = field(f)
		}
		return arrow.StructOf(fields...)
	}
	return replace(t)
}

// retyped is an array as one of another type, whose values have the same form.
func retyped(a arrow.Array, t arrow.DataType) arrow.Array {
	if arrow.TypeEqual(a.DataType(), t) {
		return a
	}
	return array.MakeFromData(retypedData(a.Data(), t))
}

func retypedData(d arrow.ArrayData, t arrow.DataType) arrow.ArrayData {
	var children []arrow.ArrayData
	if nested, ok := t.(arrow.NestedType); ok {
		for i, f := range nested.Fields() {
			children = append(children, retypedData(d.Children()[i], f.Type))
		}
	}
	return array.NewData(t, d.Len(), d.Buffers(), children, d.NullN(), d.Offset())
}
