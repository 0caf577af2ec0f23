package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/csv"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"
)

// tableFiles writes the tables of a set, a file each. Their batches may
// alternate.
type tableFiles struct {
	dir, format string
	open        map[string]*tableFile
}

// tableFile is the file of one table while it is written, under a name that
// says that it is not complete.
type tableFile struct {
	path   string
	file   *os.File
	writer recordWriter
}

// recordWriter is a file format that takes records.
type recordWriter interface {
	Write(arrow.Record) error
	Close() error
}

// write appends a record to its table's file.
func (f *tableFiles) write(table string, rec arrow.Record) error {
	out := f.open[table]
	if out == nil {
		var err error
		if out, err = f.create(table, rec.Schema()); err != nil {
			return err
		}
	}
	return out.writer.Write(rec)
}

// create starts the file of a table.
func (f *tableFiles) create(table string, schema *arrow.Schema) (*tableFile, error) {
	out := &tableFile{path: filepath.Join(f.dir, table+"."+f.format)}
	var err error
	if out.file, err = os.Create(out.path + ".partial"); err != nil {
		return nil, err
	}
	f.open[table] = out
	out.writer, err = newRecordWriter(f.format, out.file, schema)
	return out, err
}

// close ends all files.
func (f *tableFiles) close(complete bool) error {
	var errs []error
	for _, out := range f.open {
		errs = append(errs, out.close(complete))
	}
	return errors.Join(errs...)
}

// close renames the file to its own name, or removes it where the table did not become
// complete.
func (t *tableFile) close(complete bool) error {
	partial := t.file.Name()
	var err error
	if t.writer != nil {
		err = t.writer.Close()
	}
	if closeErr := t.file.Close(); !errors.Is(closeErr, os.ErrClosed) {
		err = errors.Join(err, closeErr)
	}
	if err != nil || !complete {
		return errors.Join(err, os.Remove(partial))
	}
	return os.Rename(partial, t.path)
}

// newRecordWriter starts a file of the format.
func newRecordWriter(format string, w io.Writer, schema *arrow.Schema) (recordWriter, error) {
	if format == "csv" {
		out := bufio.NewWriterSize(w, 1<<20)
		return &csvFile{out: out, csv: csv.NewWriter(out, schema, csv.WithHeader(true))}, nil
	}
	props := parquet.NewWriterProperties(
		parquet.WithCompression(compress.Codecs.Snappy),
		parquet.WithMaxRowGroupLength(1<<20))
	return pqarrow.NewFileWriter(schema, w, props, pqarrow.NewArrowWriterProperties(pqarrow.WithStoreSchema()))
}

// csvFile writes records as CSV with a header.
type csvFile struct {
	out *bufio.Writer
	csv *csv.Writer
}

// Write implements recordWriter.
func (c *csvFile) Write(rec arrow.Record) error { return c.csv.Write(rec) }

// Close implements recordWriter.
func (c *csvFile) Close() error {
	if err := c.csv.Flush(); err != nil {
		return err
	}
	return c.out.Flush()
}
