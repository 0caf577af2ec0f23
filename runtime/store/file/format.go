package file

import (
	"path/filepath"
	"strings"

	"github.com/cubeloom/cubeloom/runtime/store/csvfile"
	"github.com/cubeloom/cubeloom/sql/value"
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

// formats are the formats by name.
var formats = map[Format]bool{CSV: true, Text: true, Binary: true, Parquet: true, Arrow: true}

// endings are the formats by file name ending.
var endings = map[string]Format{
	".csv": CSV, ".tsv": CSV, ".txt": CSV, ".tbl": CSV,
	".copy": Text, ".data": Text,
	".parquet": Parquet, ".pq": Parquet,
	".arrow": Arrow, ".ipc": Arrow, ".feather": Arrow,
}

// gzipEnding stands behind the ending of a file that is compressed.
const gzipEnding = ".gz"

// isCompressed reports whether a file's name says that it is compressed.
func isCompressed(path string) bool { return strings.EqualFold(filepath.Ext(path), gzipEnding) }

// TakeFormat takes the option FORMAT out of a list: the format that it names, else
// the one of the path's ending, else, where the path has none, a given one. An ending
// that says no format fails with 0A000.
func TakeFormat(path string, otherwise Format, options []csvfile.Option) (Format, []csvfile.Option, error) {
	var format Format
	var rest []csvfile.Option
	for _, o := range options {
		switch {
		case o.Name != "format":
			rest = append(rest, o)
			continue
		case format != "":
			return "", nil, value.ErrorAt(o.Pos, value.CodeSyntax, "conflicting or redundant options")
		case o.Bare:
			return "", nil, value.Errorf(value.CodeSyntax, "format requires a parameter")
		}
		format = Format(strings.ToLower(o.Value))
		if !formats[format] {
			return "", nil, value.ErrorAt(o.Pos, value.CodeInvalidParameter, "COPY format %q not recognized", o.Value)
		}
	}
	if format == "" {
		var err error
		if format, err = formatOf(path, otherwise); err != nil {
			return "", nil, err
		}
	}
	if isCompressed(path) && (format == Parquet || format == Arrow) {
		return "", nil, value.Errorf(value.CodeFeatureNotSupported, "file %q: files of format %s compress by themselves, and are not read or written through gzip", path, format)
	}
	return format, rest, nil
}

// Options are the format of a file, or of a stream where path is empty, and the other
// options that it is read or written with.
func Options(path string, options []csvfile.Option, use csvfile.Use) (Format, csvfile.Options, error) {
	format, rest, err := TakeFormat(path, Text, options)
	if err != nil {
		return format, csvfile.Options{}, err
	}
	if path == "" && (format == Parquet || format == Arrow) {
		return format, csvfile.Options{}, value.Errorf(value.CodeFeatureNotSupported, "COPY in format %s is supported for files only", format)
	}
	if err := checkUnformatted(format, rest); err != nil {
		return format, csvfile.Options{}, err
	}
	parsed, err := csvfile.ParseOptions(format != CSV, rest, use)
	return format, parsed, err
}

// checkUnformatted refuses options that formats which are no text do not have.
func checkUnformatted(format Format, options []csvfile.Option) error {
	for _, o := range options {
		switch {
		case format == CSV || format == Text:
			return nil
		case format != Binary:
			return value.ErrorAt(o.Pos, value.CodeFeatureNotSupported, "option %q is not supported for files of format %s", o.Name, format)
		case o.Name == "delimiter" || o.Name == "null":
			return value.Errorf(value.CodeSyntax, "cannot specify %s in BINARY mode", strings.ToUpper(o.Name))
		case o.Name == "header":
			return value.Errorf(value.CodeFeatureNotSupported, "cannot specify HEADER in BINARY mode")
		}
	}
	return nil
}

// formatOf is the format that a path's ending says, or the other one where it has no
// ending.
func formatOf(path string, otherwise Format) (Format, error) {
	if isCompressed(path) {
		path = path[:len(path)-len(gzipEnding)]
	}
	ending := strings.ToLower(filepath.Ext(path))
	if ending == "" {
		return otherwise, nil
	}
	format, known := endings[ending]
	if !known {
		e := value.Errorf(value.CodeFeatureNotSupported, "the ending %q of file %q says no format that is supported", ending, path)
		e.Hint = "COPY takes WITH (FORMAT csv), text, binary, parquet or arrow; a query reads a file of any name by read_csv('file'), read_parquet('file') or read_arrow('file')."
		return "", e
	}
	return format, nil
}
