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
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

// tableFiles writes the tables of a set to files, one after the other.
type tableFiles struct {
	dir, format string
	tables      []workload.Table
	current     string
	file        *os.File
	writer      recordWriter
}

// recordWriter is a file format that takes records.
type recordWriter interface {
	Write(arrow.Record) error
	Close() error
}

// write appends a record to its table's file.
func (f *tableFiles) write(table string, rec arrow.Record) error {
	if table != f.current {
		if err := f.close(true); err != nil {
			return err
		}
		if err := f.open(table, rec.Schema()); err != nil {
			return err
		}
	}
	return f.writer.Write(rec)
}

// open starts the file of a table under a name that says it is not complete.
func (f *tableFiles) open(table string, schema *arrow.Schema) error {
	file, err := os.Create(f.path(table) + ".partial")
	if err != nil {
		return err
	}
	f.current, f.file = table, file
	f.writer, err = newRecordWriter(f.format, file, schema)
	return err
}

// path is the file of a table.
func (f *tableFiles) path(table string) string {
	return filepath.Join(f.dir, table+"."+f.format)
}

// close ends the file that is open: gives it its name, or removes it where the
// table did not become complete.
func (f *tableFiles) close(complete bool) error {
	if f.file == nil {
		return nil
	}
	partial := f.file.Name()
	var err error
	if f.writer != nil {
		err = f.writer.Close()
	}
	if closeErr := f.file.Close(); !errors.Is(closeErr, os.ErrClosed) {
		err = errors.Join(err, closeErr)
	}
	f.file, f.writer = nil, nil
	if err != nil || !complete {
		return errors.Join(err, os.Remove(partial))
	}
	return os.Rename(partial, f.path(f.current))
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
