package parquetfile

import (
	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/parquet/schema"

	"github.com/cubeloom/cubeloom/runtime/store/arrowfile"
)

// logicalField is a field with what the library drops of the types of its columns of values, which are
// leaves: that timestamps have no time zone, and that bytes are uuids.
func logicalField(f arrow.Field, leaves []int, columns *schema.Schema) arrow.Field {
	return mapLeaves(f, func(leaf arrow.Field) arrow.Field {
		column := columns.Column(leaves[0])
		leaves = leaves[1:]
		switch t := column.LogicalType().(type) {
		case *schema.TimestampLogicalType:
			if of, ok := leaf.Type.(*arrow.TimestampType); ok && !t.IsAdjustedToUTC() {
				leaf.Type = &arrow.TimestampType{Unit: of.Unit}
			}
		case schema.UUIDLogicalType:
			leaf.Metadata = arrowfile.UUIDs
		}
		return leaf
	})
}

// mapLeaves replaces the fields within a field that have none within them, in the order of the file's columns.
func mapLeaves(f arrow.Field, replace func(leaf arrow.Field) arrow.Field) arrow.Field {
	switch t := f.Type.(type) {
	case *arrow.ListType:
		f.Type = arrow.ListOfField(mapLeaves(t.ElemField(), replace))
	case *arrow.FixedSizeListType:
		f.Type = arrow.FixedSizeListOfField(t.Len(), mapLeaves(t.ElemField(), replace))
	case *arrow.MapType:
		key, item := mapLeaves(t.KeyField(), replace), mapLeaves(t.ItemField(), replace)
		f.Type = arrow.MapOfWithMetadata(key.Type, key.Metadata, item.Type, item.Metadata)
	case *arrow.StructType:
		fields := t.Fields()
		for i := range fields {
			fields[i] = mapLeaves(fields[i], replace)
		}
		f.Type = arrow.StructOf(fields...)
	default:
		return replace(f)
	}
	return f
}

// retyped is an array as one of another type, whose values have the same form.
func retyped(a arrow.Array, t arrow.DataType) arrow.Array {
	if arrow.TypeEqual(a.DataType(), t, arrow.CheckMetadata()) {
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
