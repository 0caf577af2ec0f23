package parquetfile

import (
	"context"
	"io"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/arrowfile"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Write writes a relation, whose columns are named and typed by columns, with a
// row group for each block, compressed by Snappy. Types are as
// arrowfile.Exporter makes them; intervals fail with 0A000.
func Write(ctx context.Context, w io.Writer, rel runtime.Relation, columns []store.Column) error {
	for _, c := range columns {
		if c.Type.Kind == algebra.Interval {
			return value.Errorf(value.CodeFeatureNotSupported, "column %q: intervals in Parquet files are not supported", c.Name)
		}
	}
	e, err := arrowfile.NewExporter(rel, columns)
	if err != nil {
		return err
	}
	props := parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Snappy), parquet.WithStoreDecimalAsInteger(true))
	fields := localSchema(e.Schema())
	out, err := pqarrow.NewFileWriter(fields, plain{w}, props, pqarrow.DefaultWriterProps())
	if err != nil {
		return writeError(err)
	}
	for i := range e.Records() {
		if err := ctx.Err(); err != nil {
			return err
		}
		rec, err := e.Record(i)
		if err != nil {
			return err
		}
		local := localRecord(fields, rec)
		err = out.Write(local)
		local.Release()
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

// localSchema is a schema with the types that the library writes.
func localSchema(s *arrow.Schema) *arrow.Schema {
	fields := slices.Clone(s.Fields())
	for i, f := range fields {
		fields[i].Type = localType(f.Type)
	}
	return arrow.NewSchema(fields, nil)
}

// localRecord is a record with the types of localSchema. The caller releases it.
func localRecord(s *arrow.Schema, rec arrow.Record) arrow.Record {
	columns := make([]arrow.Array, rec.NumCols())
	for i, c := range rec.Columns() {
		columns[i] = retyped(c, s.Field(i).Type)
	}
	return array.NewRecord(s, columns, rec.NumRows())
}

// plain keeps the writer from closing what it writes to.
type plain struct{ io.Writer }

func writeError(err error) error { return value.Errorf(value.CodeIO, "could not write: %v", err) }
