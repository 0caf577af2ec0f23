package parquetfile

import (
	"context"
	"io"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"
	"github.com/apache/arrow/go/v15/parquet/schema"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/arrowfile"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Write writes a relation, whose columns are named and typed by columns, with a
// row group for each block, compressed by Snappy. Types are as
// arrowfile.Exporter makes them; intervals fail with 0A000.
func Write(ctx context.Context, w io.Writer, rel runtime.Relation, columns []store.Column) (err error) {
	defer sqlstate.Catch(&err)
	for _, c := range columns {
		if c.Type.Kind == algebra.Interval {
			return value.Errorf(value.CodeFeatureNotSupported, "column %q: intervals in Parquet files are not supported", c.Name)
		}
	}
	e := sqlstate.Must(arrowfile.NewExporter(rel, columns))
	props := parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Snappy), parquet.WithStoreDecimalAsInteger(true))
	root, err := rootOf(e.Schema(), props)
	if err != nil {
		return writeError(err)
	}
	out := file.NewParquetWriter(plain{w}, root, file.WithWriterProps(props))
	for i := range e.Records() {
		sqlstate.Check(ctx.Err())
		rec := sqlstate.Must(e.Record(i))
		err := writeRecord(ctx, out, rec)
		rec.Release()
		if err != nil {
			return writeError(err)
		}
	}
	if err := out.Close(); err != nil {
		return writeError(err)
	}
	return nil
}

// rootOf is the library's schema, with types that it would write as others: timestamps
// and times without a time zone, and uuids.
func rootOf(s *arrow.Schema, props *parquet.WriterProperties) (_ *schema.GroupNode, err error) {
	defer sqlstate.Catch(&err)
	made := sqlstate.Must(pqarrow.ToParquet(s, props, pqarrow.DefaultWriterProps()))
	root := made.Root()
	nodes := make(schema.FieldList, root.NumFields())
	for i := range nodes {
		nodes[i] = sqlstate.Must(nodeOf(root.Field(i), s.Field(i).Type))
	}
	return schema.NewGroupNode(root.Name(), root.RepetitionType(), nodes, -1)
}

// nodeOf is a node of the library's schema for a type.
func nodeOf(n schema.Node, t arrow.DataType) (schema.Node, error) {
	var logical schema.LogicalType
	physical, size := parquet.Types.Int64, -1
	switch t := t.(type) {
	case *arrow.ListType:
		entries := n.(*schema.GroupNode).Field(0).(*schema.GroupNode)
		elem, err := nodeOf(entries.Field(0), t.Elem())
		if err == nil {
			entries, err = schema.NewGroupNode(entries.Name(), entries.RepetitionType(), schema.FieldList{elem}, -1)
		}
		if err != nil {
			return nil, err
		}
		return schema.NewGroupNodeLogical(n.Name(), n.RepetitionType(), schema.FieldList{entries}, schema.NewListLogicalType(), -1)
	case *arrow.TimestampType:
		logical = schema.NewTimestampLogicalType(t.TimeZone != "", schema.TimeUnitMicros)
	case *arrow.Time64Type:
		logical = schema.NewTimeLogicalType(false, schema.TimeUnitMicros)
	case *arrow.FixedSizeBinaryType:
		logical, physical, size = schema.UUIDLogicalType{}, parquet.Types.FixedLenByteArray, t.ByteWidth
	default:
		return n, nil
	}
	return schema.NewPrimitiveNodeLogical(n.Name(), n.RepetitionType(), logical, physical, size, -1)
}

// writeRecord writes a record as a row group.
func writeRecord(ctx context.Context, out *file.Writer, rec arrow.Record) (err error) {
	defer sqlstate.Catch(&err)
	props := pqarrow.DefaultWriterProps()
	ctx = pqarrow.NewArrowWriteContext(ctx, &props)
	group := out.AppendRowGroup()
	for i, c := range rec.Columns() {
		w := sqlstate.Must(group.NextColumn())
		nullable := rec.Schema().Field(i).Nullable
		values, definitions, repetitions := c, definitionsOf(c, nullable), []int16(nil)
		if list, ok := c.(*array.List); ok {
			values, nullable = list.ListValues(), true
			definitions, repetitions = levelsOf(list, definitions)
		}
		sqlstate.Check(pqarrow.WriteArrowToColumn(ctx, w, values, definitions, repetitions, nullable))
		sqlstate.Check(w.Close())
	}
	return group.Close()
}

// definitionsOf say of each value whether there is one; nil where there must be.
func definitionsOf(c arrow.Array, nullable bool) []int16 {
	if !nullable {
		return nil
	}
	levels := make([]int16, c.Len())
	for i := range levels {
		if c.IsValid(i) {
			levels[i] = 1
		}
	}
	return levels
}

// levelsOf are the levels of lists' elements, which may be NULL, and of lists that have none: how much of
// list, entry and element there is, and whether an element is not the first of its list. The lists may be NULL
// where they have definitions.
func levelsOf(a *array.List, lists []int16) (definitions, repetitions []int16) {
	add := func(definition, repetition int16) {
		definitions, repetitions = append(definitions, definition), append(repetitions, repetition)
	}
	elems := a.ListValues()
	for i := range a.Len() {
		list := int16(0)
		if lists != nil {
			list = lists[i]
		}
		from, to := a.ValueOffsets(i)
		if from == to {
			add(list, 0)
		}
		for k := from; k < to; k++ {
			entry := list + 1
			if elems.IsValid(int(k)) {
				entry++
			}
			add(entry, int16(min(k-from, 1)))
		}
	}
	return definitions, repetitions
}

// plain keeps the writer from closing what it writes to.
type plain struct{ io.Writer }

func writeError(err error) error { return value.Errorf(value.CodeIO, "could not write: %v", err) }
