// Package transfer moves rows and definitions between the database and files: COPY, EXPORT
// DATABASE and IMPORT DATABASE.
package transfer

import (
	"context"
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/session/write"
	"github.com/cubeloom/cubeloom/runtime/store/csvfile"
	"github.com/cubeloom/cubeloom/runtime/store/file"
	"github.com/cubeloom/cubeloom/runtime/store/fileaccess"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Copy runs COPY.
func Copy(ctx context.Context, s *session.Session, stmt *sql.Copy) *result.Result {
	if stmt.File == "" && (s.Streams == nil || stmt.From && s.Streams.In == nil || !stmt.From && s.Streams.Out == nil) {
		panic(value.ErrorAt(int(stmt.Pos), value.CodeFeatureNotSupported,
			"COPY FROM STDIN and TO STDOUT are for Session.Copy, the prompt and the server: name a file"))
	}
	access := s.FilesToWrite
	if stmt.From {
		access = s.FilesToRead
	}
	var files fileaccess.Access
	if stmt.File != "" {
		files = sqlstate.Must(access())
	}
	_, _, err := file.Options(stmt.File, copyOptions(stmt), copyUse(stmt))
	sqlstate.Check(err)
	if stmt.From {
		return copyFrom(ctx, s, files, stmt)
	}
	return copyTo(ctx, s, files, stmt)
}

// copyTo runs COPY t|(query) TO 'file'. The file gets its name when it is
// complete.
func copyTo(ctx context.Context, s *session.Session, files fileaccess.Access, stmt *sql.Copy) *result.Result {
	stmt = withoutGenerated(s, stmt)
	if slices.ContainsFunc(stmt.Options, func(o sql.Option) bool { return o.List != nil }) {
		sqlstate.Must(copyColumns(s, stmt))
	}
	rows := writeCopy(ctx, s, files, stmt, copied(ctx, s, stmt))
	return &result.Result{Tag: fmt.Sprintf("COPY %d", rows)}
}

// copied returns the rows of COPY TO, which it computes.
func copied(ctx context.Context, s *session.Session, stmt *sql.Copy) *result.Result {
	if change, ok := stmt.Query.(sql.Change); ok {
		sqlstate.Must(copyColumns(s, stmt))
		return write.Run(ctx, s, change)
	}
	return sqlstate.Must(write.Query(ctx, s, copiedQuery(stmt), true))
}

// writeCopy writes the rows of COPY TO and returns their number.
func writeCopy(ctx context.Context, s *session.Session, files fileaccess.Access, stmt *sql.Copy, res *result.Result) int64 {
	columns := result.StoreColumns(res.Columns)
	if stmt.File != "" {
		return sqlstate.Must(file.Write(ctx, files, stmt.File, res.Rows, columns, copyOptions(stmt), writeSettings(s, columns)))
	}
	format, options, err := file.Options("", copyOptions(stmt), csvfile.CopyTo)
	sqlstate.Check(err)
	return sqlstate.Must(file.WriteTo(ctx, s.Streams.Out, format, res.Rows, columns, options, writeSettings(s, columns)))
}
