// Package file opens, loads and writes the files that SQL names: CSV, COPY
// text, Parquet and Arrow IPC, one or many by a glob.
package file

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/arrowfile"
	"github.com/cubeloom/cubeloom/runtime/store/binaryfile"
	"github.com/cubeloom/cubeloom/runtime/store/csvfile"
	"github.com/cubeloom/cubeloom/runtime/store/fileaccess"
	"github.com/cubeloom/cubeloom/runtime/store/parquetfile"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Settings are what of a session changes how files are read and written.
type Settings struct {
	Threads int            // 0 for one for each core
	Zone    *time.Location // of moments in text; nil is UTC
	Style   value.Style    // of dates, intervals and floats in text
	// Names returns, when writing, the name of an object identifier that is written as
	// one; it may be nil where no column is of such a type.
	Names func(algebra.Alias, int64) string
}

// Load appends the rows of a file to a table: its field i, in the file's order,
// goes to column columns[i] of the table, the columns that are not named get
// NULL. Columns of Parquet and Arrow files must have the table's types or ones whose
// values all are values of these, or be texts that are read as such, which fail with
// 22001 where they are too long; other conversions are for INSERT … SELECT. It returns
// the number of rows.
func Load(ctx context.Context, files fileaccess.Access, path string, app *store.Appender, columns []int, options []csvfile.Option, set Settings) (_ int64, err error) {
	defer sqlstate.Catch(&err)
	format, opt, err := Options(path, options, csvfile.CopyFrom)
	sqlstate.Check(err)
	if format == CSV || format == Text || format == Binary {
		in := sqlstate.Must(files.Stream(ctx, path))
		defer in.Close()
		var r io.Reader = in
		if isCompressed(path) {
			r = sqlstate.Must(newGzipReader(in, path))
		}
		return load(ctx, csvfile.Input{Reader: r, File: path}, format, app, columns, opt, set)
	}
	source := sqlstate.Must(openOne(ctx, files, path, format, nil))
	return loadColumns(ctx, source, origin{file: path}, app, columns, set)
}

// LoadRecords appends the rows of Arrow records to a table, as Load does those of a file:
// column i of them goes to column i of the table. Errors count the rows of the records.
func LoadRecords(ctx context.Context, records *arrowfile.Records, app *store.Appender, set Settings) error {
	columns := lists.Upto[int](len(app.Table().Columns()))
	_, err := loadColumns(ctx, records, origin{table: app.Table().Name()}, app, columns, set)
	return err
}

// loadColumns appends the rows of what has whole columns.
func loadColumns(ctx context.Context, source store.Source, from origin, app *store.Appender, columns []int, set Settings) (_ int64, err error) {
	defer sqlstate.Catch(&err)
	ordinals := matchColumns(from, source, app.Table().Columns(), columns)
	rel := parsed(source, from, app.Table().Columns(), ordinals)
	before := app.Rows()
	err = app.AddRelation(ctx, rel, ordinals, set.Threads)
	return app.Rows() - before, err
}

// String names what has the columns.
func (o origin) String() string {
	if o.file == "" {
		return "the records"
	}
	return fmt.Sprintf("file %q", o.file)
}

// LoadFrom appends the rows that a reader returns, in one of the formats of
// PostgreSQL, as Load does those of a file.
func LoadFrom(ctx context.Context, r io.Reader, app *store.Appender, columns []int, options []csvfile.Option, set Settings) (int64, error) {
	format, opt, err := Options("", options, csvfile.CopyFrom)
	if err != nil {
		return 0, err
	}
	return load(ctx, csvfile.Input{Reader: r}, format, app, columns, opt, set)
}

// load appends the rows of an input in one of the formats of PostgreSQL.
func load(ctx context.Context, in csvfile.Input, format Format, app *store.Appender, columns []int, opt csvfile.Options, set Settings) (int64, error) {
	if format == Binary {
		return binaryfile.Load(ctx, in.Reader, app, columns)
	}
	opt.Zone, opt.Style = set.Zone, set.Style
	return csvfile.Load(ctx, in, app, columns, opt, set.Threads)
}

// matchColumns returns the ordinals that AddRelation takes, and checks that the
// source has the columns.
func matchColumns(from origin, source store.Source, table []store.Column, columns []int) []int {
	fields := source.Columns()
	if len(fields) != len(columns) {
		panic(value.Errorf(value.CodeBadCopyFormat, "%v has %d columns, expected %d", from, len(fields), len(columns)))
	}
	ordinals := make([]int, len(table))
	for i := range ordinals {
		ordinals[i] = -1
	}
	for i, c := range columns {
		if !isWithin(fields[i].Type, table[c].Type) && !isWritten(fields[i].Type, table[c].Type) {
			e := value.Errorf(value.CodeDatatypeMismatch, "column %q is of type %v but column %q of %v is of type %v",
				table[c].Name, table[c].Type, fields[i].Name, from, fields[i].Type)
			if from.file != "" {
				e.Hint = "Use INSERT INTO ... SELECT ... FROM 'file' to convert."
			}
			panic(e)
		}
		ordinals[c] = i
	}
	return ordinals
}

// Write writes a relation, whose columns are named and typed by columns, to a
// file, which appears whole or not at all. It returns the number of rows.
func Write(ctx context.Context, files fileaccess.Access, path string, rel runtime.Relation, columns []store.Column, options []csvfile.Option, set Settings) (n int64, err error) {
	format, opt, err := Options(path, options, csvfile.CopyTo)
	if err != nil {
		return 0, err
	}
	out, err := fileaccess.Create(files, path)
	if err != nil {
		return 0, err
	}
	if n, err = writeAll(ctx, out, path, func(w io.Writer) (int64, error) {
		return WriteTo(ctx, w, format, rel, columns, opt, set)
	}); err != nil {
		out.Abort()
		return 0, err
	}
	return n, out.Commit()
}

// writeAll has rows written through a buffer and, where the path says so, gzip.
func writeAll(ctx context.Context, out io.Writer, path string, write func(io.Writer) (int64, error)) (int64, error) {
	failing := &diskWriter{ctx: ctx, w: out, path: path}
	var compressed io.WriteCloser
	var target io.Writer = failing
	if isCompressed(path) {
		compressed = gzip.NewWriter(failing)
		target = compressed
	}
	buffered := bufio.NewWriterSize(target, 1<<20)
	n, err := write(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	if err == nil && compressed != nil {
		err = compressed.Close()
	}
	return n, err
}

// diskWriter adds SQLSTATEs to the errors of writing, and ends with a context.
type diskWriter struct {
	ctx  context.Context
	w    io.Writer
	path string
}

// Write implements io.Writer.
func (d *diskWriter) Write(b []byte) (int, error) {
	if err := d.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := d.w.Write(b)
	if err != nil {
		err = fileaccess.WriteError(d.path, err)
	}
	return n, err
}

// newGzipReader reads a compressed file.
func newGzipReader(in io.Reader, path string) (io.Reader, error) {
	r, err := gzip.NewReader(in)
	if err != nil {
		return nil, gzipError(path, err)
	}
	return &gzipReader{r: r, path: path}, nil
}

// gzipReader adds the SQLSTATE to the errors of decompression.
type gzipReader struct {
	r    *gzip.Reader
	path string
}

// Read implements io.Reader.
func (g *gzipReader) Read(b []byte) (int, error) {
	n, err := g.r.Read(b)
	return n, gzipError(g.path, err)
}

// gzipError names the file that is damaged; other errors, and the end, stay.
func gzipError(path string, err error) error {
	if err == io.ErrUnexpectedEOF || err == gzip.ErrHeader || err == gzip.ErrChecksum || errors.As(err, new(flate.CorruptInputError)) {
		return value.Errorf(value.CodeDataCorrupted, "could not read gzip file %q: %v", path, err)
	}
	return err
}

// WriteTo writes a relation in a format. In the formats of PostgreSQL each call of w.Write is one row, or what
// stands before or behind all of them.
func WriteTo(ctx context.Context, w io.Writer, format Format, rel runtime.Relation, columns []store.Column, opt csvfile.Options, set Settings) (int64, error) {
	switch format {
	case Parquet:
		return rel.Rows(), parquetfile.Write(ctx, w, rel, columns)
	case Arrow:
		return rel.Rows(), arrowfile.Write(ctx, w, rel, columns)
	case Binary:
		return binaryfile.Write(ctx, w, rel, columns)
	}
	opt.Zone, opt.Style, opt.Names = set.Zone, set.Style, set.Names
	return csvfile.Write(ctx, w, rel, columns, opt, set.Threads)
}
