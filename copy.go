package cubeloom

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/runtime/store/csvfile"
	"github.com/cubeloom/cubeloom/runtime/store/file"
	"github.com/cubeloom/cubeloom/runtime/store/fileaccess"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// copyOptions are the options of a COPY as the files take them.
func copyOptions(stmt *sql.Copy) []csvfile.Option {
	options := make([]csvfile.Option, len(stmt.Options))
	for i, o := range stmt.Options {
		options[i] = csvfile.Option{Name: o.Name, Value: o.Value, List: o.List, Bare: o.Bare, Pos: int(o.Pos)}
	}
	return options
}

// copyUse is what COPY opens a file or a stream for.
func copyUse(stmt *sql.Copy) csvfile.Use {
	if stmt.From {
		return csvfile.CopyFrom
	}
	return csvfile.CopyTo
}

// checkForced fails where an option of COPY names a column that is not among those that
// are copied, or, with another error, not among all of a table.
func checkForced(stmt *sql.Copy, copied, all []string) error {
	for _, o := range stmt.Options {
		for _, name := range o.List {
			switch {
			case slices.Contains(copied, name):
			case slices.Contains(all, name):
				return value.Errorf("42P10", "%s column \"%s\" not referenced by COPY", strings.ToUpper(o.Name), name)
			case len(stmt.Table) > 0:
				return value.Errorf(value.CodeUndefinedColumn, "column \"%s\" of relation \"%s\" does not exist", name, stmt.Table[len(stmt.Table)-1].Name)
			default:
				return value.Errorf(value.CodeUndefinedColumn, "column \"%s\" does not exist", name)
			}
		}
	}
	return nil
}

// copy runs COPY.
func (s *Session) copy(ctx context.Context, stmt *sql.Copy) (*answer, error) {
	if stmt.File == "" && (s.streams == nil || stmt.From && s.streams.in == nil || !stmt.From && s.streams.out == nil) {
		return nil, value.ErrorAt(int(stmt.Pos), value.CodeFeatureNotSupported,
			"COPY FROM STDIN and TO STDOUT are for Session.Copy, the prompt and the server: name a file")
	}
	access := s.filesToWrite
	if stmt.From {
		access = s.filesToRead
	}
	var files fileaccess.Access
	if stmt.File != "" {
		var err error
		if files, err = access(); err != nil {
			return nil, err
		}
	}
	if _, _, err := file.Options(stmt.File, copyOptions(stmt), copyUse(stmt)); err != nil {
		return nil, err
	}
	if stmt.From {
		return s.copyFrom(ctx, files, stmt)
	}
	return s.copyTo(ctx, files, stmt)
}

// copyTo runs COPY t|(query) TO 'file'. The file gets its name when it is
// complete.
func (s *Session) copyTo(ctx context.Context, files fileaccess.Access, stmt *sql.Copy) (*answer, error) {
	if slices.ContainsFunc(stmt.Options, func(o sql.Option) bool { return o.List != nil }) {
		if _, err := s.copyColumns(stmt); err != nil {
			return nil, err
		}
	}
	res, err := s.runQuery(ctx, copiedQuery(stmt), true)
	if err != nil {
		return nil, err
	}
	rows, err := s.writeCopy(ctx, files, stmt, res)
	if err != nil {
		return nil, err
	}
	return &answer{Tag: fmt.Sprintf("COPY %d", rows)}, nil
}

// writeCopy writes the rows of COPY TO and gives their number.
func (s *Session) writeCopy(ctx context.Context, files fileaccess.Access, stmt *sql.Copy, res *answer) (int64, error) {
	columns := storeColumns(res.Columns)
	if stmt.File != "" {
		return file.Write(ctx, files, stmt.File, res.rows, columns, copyOptions(stmt), s.writeSettings(columns))
	}
	format, options, err := file.Options("", copyOptions(stmt), csvfile.CopyTo)
	if err != nil {
		return 0, err
	}
	return file.WriteTo(ctx, s.streams.out, format, res.rows, columns, options, s.writeSettings(columns))
}

// copiedQuery is the query whose rows COPY TO writes.
func copiedQuery(stmt *sql.Copy) *sql.Query {
	if stmt.Query != nil {
		return stmt.Query
	}
	items := []sql.SelectItem{{Expr: &sql.Star{Pos: stmt.Pos}}}
	if len(stmt.Columns) > 0 {
		items = items[:0]
		for _, col := range stmt.Columns {
			items = append(items, sql.SelectItem{Expr: &sql.ColumnRef{Name: sql.Name{col}}})
		}
	}
	from := []sql.TableExpr{&sql.TableName{Name: stmt.Table}}
	return &sql.Query{Body: &sql.Select{Items: items, From: from, Pos: stmt.Pos}, Pos: stmt.Pos}
}
