// Package file opens, loads and writes the files that SQL names: CSV, COPY
// text, Parquet and Arrow IPC, one or many by a glob.
package file

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/arrowfile"
	"github.com/cubeloom/cubeloom/runtime/store/binaryfile"
	"github.com/cubeloom/cubeloom/runtime/store/csvfile"
	"github.com/cubeloom/cubeloom/runtime/store/parquetfile"
)

// Format is a file format.
type Format string

// The formats.
const (
	CSV     Format = "csv"
	Text    Format = "text"
	Binary  Format = "binary"
	Parquet Format = "parquet"
	Arrow   Format = "arrow"
)

// extensions are the formats by file extension.
var extensions = map[string]Format{
	".csv": CSV, ".tsv": CSV, ".txt": CSV, ".tbl": CSV,
	".parquet": Parquet, ".pq": Parquet,
	".arrow": Arrow, ".ipc": Arrow, ".feather": Arrow,
}

// TakeFormat takes the option FORMAT out of a list: the format that it names,
// else the one of the path's extension, else PostgreSQL's text format.
func TakeFormat(path string, options []csvfile.Option) (Format, []csvfile.Option, error) {
	format, known := extensions[strings.ToLower(filepath.Ext(path))]
	if !known {
		format = Text
	}
	var rest []csvfile.Option
	for _, o := range options {
		if o.Name != "format" {
			rest = append(rest, o)
			continue
		}
		switch f := Format(strings.ToLower(o.Value)); f {
		case CSV, Text, Binary, Parquet, Arrow:
			format = f
		default:
			return "", nil, value.ErrorAt(o.Pos, value.CodeInvalidParameter, "COPY format %q not recognized", o.Value)
		}
	}
	if format != CSV && format != Text {
		for _, o := range rest {
			return "", nil, value.ErrorAt(o.Pos, value.CodeFeatureNotSupported,
				"option %q is not supported for files of format %s", o.Name, format)
		}
	}
	return format, rest, nil
}

// Settings are what of a session changes how files are read and written.
type Settings struct {
	Threads int            // 0 for one for each core
	Zone    *time.Location // of moments in text; nil is UTC
}

// Load appends the rows of a file to a table: its field i, in the file's order,
// goes to column columns[i] of the table, the columns that are not named get
// NULL. Columns of Parquet and Arrow files must have the table's types; other
// conversions are for INSERT … SELECT. It gives the number of rows.
func Load(ctx context.Context, path string, app *store.Appender, columns []int, options []csvfile.Option, set Settings) (int64, error) {
	format, rest, err := TakeFormat(path, options)
	if err != nil {
		return 0, err
	}
	if format == CSV || format == Text || format == Binary {
		in, err := os.Open(path)
		if err != nil {
			return 0, openError(path, err)
		}
		defer in.Close()
		return load(ctx, csvfile.Input{Reader: in, File: path}, format, app, columns, rest, set)
	}
	source, err := openOne(path, format, rest)
	if err != nil {
		return 0, err
	}
	ordinals, err := matchColumns(path, source, app.Table().Columns(), columns)
	if err != nil {
		return 0, err
	}
	before := app.Rows()
	err = app.AddRelation(ctx, source, ordinals, set.Threads)
	return app.Rows() - before, err
}

// LoadFrom appends the rows that a reader gives, in one of the formats of
// PostgreSQL, as Load does those of a file.
func LoadFrom(ctx context.Context, r io.Reader, app *store.Appender, columns []int, options []csvfile.Option, set Settings) (int64, error) {
	format, rest, err := StreamFormat(options)
	if err != nil {
		return 0, err
	}
	return load(ctx, csvfile.Input{Reader: r}, format, app, columns, rest, set)
}

// StreamFormat takes the format out of the options of a COPY that reads or
// writes a stream: only files can be of the formats that PostgreSQL has not.
func StreamFormat(options []csvfile.Option) (Format, []csvfile.Option, error) {
	format, rest, err := TakeFormat("", options)
	if err == nil && (format == Parquet || format == Arrow) {
		err = value.Errorf(value.CodeFeatureNotSupported, "COPY in format %s is supported for files only", format)
	}
	return format, rest, err
}

// load appends the rows of an input in one of the formats of PostgreSQL.
func load(ctx context.Context, in csvfile.Input, format Format, app *store.Appender, columns []int, options []csvfile.Option, set Settings) (int64, error) {
	if format == Binary {
		return binaryfile.Load(ctx, in.Reader, app, columns)
	}
	opt, err := csvfile.ParseOptions(format == Text, options)
	if err != nil {
		return 0, err
	}
	opt.Zone = set.Zone
	return csvfile.Load(ctx, in, app, columns, opt, set.Threads)
}

// matchColumns gives the ordinals that AddRelation takes, and checks that the
// file has the columns.
func matchColumns(path string, source store.Source, table []store.Column, columns []int) ([]int, error) {
	fields := source.Columns()
	if len(fields) != len(columns) {
		return nil, value.Errorf(value.CodeBadCopyFormat, "file %q has %d columns, expected %d", path, len(fields), len(columns))
	}
	ordinals := make([]int, len(table))
	for i := range ordinals {
		ordinals[i] = -1
	}
	for i, c := range columns {
		if !sameType(fields[i].Type, table[c].Type) {
			e := value.Errorf(value.CodeDatatypeMismatch, "column %q is of type %v but column %q of file %q is of type %v",
				table[c].Name, table[c].Type, fields[i].Name, path, fields[i].Type)
			e.Hint = "Use INSERT INTO ... SELECT ... FROM 'file' to convert."
			return nil, e
		}
		ordinals[c] = i
	}
	return ordinals, nil
}

// openError is PostgreSQL's error for a file that cannot be opened.
func openError(path string, err error) error {
	if os.IsNotExist(err) {
		return value.Errorf(value.CodeUndefinedFile, "could not open file %q for reading: No such file or directory", path)
	}
	return value.Errorf(value.CodeIO, "could not open file %q for reading: %v", path, err)
}

// Write writes a relation, whose columns are named and typed by columns, to a
// file, which appears whole or not at all. It gives the number of rows.
func Write(ctx context.Context, path string, rel runtime.Relation, columns []store.Column, options []csvfile.Option, set Settings) (n int64, err error) {
	format, rest, err := TakeFormat(path, options)
	if err != nil {
		return 0, err
	}
	out, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return 0, value.Errorf(value.CodeIO, "could not open file %q for writing: %v", path, err)
	}
	defer func() {
		if err != nil {
			out.Close()
			os.Remove(out.Name())
		}
	}()
	buffered := bufio.NewWriterSize(out, 1<<20)
	if n, err = WriteTo(ctx, buffered, format, rel, columns, rest, set); err != nil {
		return 0, err
	}
	for _, step := range []func() error{
		buffered.Flush, func() error { return out.Chmod(0o644) }, out.Close, func() error { return os.Rename(out.Name(), path) },
	} {
		if err := step(); err != nil {
			return 0, value.Errorf(value.CodeIO, "could not write to file %q: %v", path, err)
		}
	}
	return n, nil
}

// WriteTo writes a relation in a format. Options are those that TakeFormat
// leaves. In the formats of PostgreSQL each call of w.Write is one row, or what
// stands before or behind all of them.
func WriteTo(ctx context.Context, w io.Writer, format Format, rel runtime.Relation, columns []store.Column, options []csvfile.Option, set Settings) (int64, error) {
	switch format {
	case Parquet:
		return rel.Rows(), parquetfile.Write(ctx, w, rel, columns)
	case Arrow:
		return rel.Rows(), arrowfile.Write(ctx, w, rel, columns)
	case Binary:
		return binaryfile.Write(ctx, w, rel, columns)
	}
	opt, err := csvfile.ParseOptions(format == Text, options)
	if err != nil {
		return 0, err
	}
	opt.Zone = set.Zone
	return csvfile.Write(ctx, w, rel, columns, opt, set.Threads)
}
