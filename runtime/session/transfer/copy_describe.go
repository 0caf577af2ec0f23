package transfer

import (
	"context"

	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/store/file"
	"github.com/cubeloom/cubeloom/sql"
)

// DescribeCopy checks a COPY of a stream and says how it is written. An error fails the
// session's transaction.
func DescribeCopy(s *session.Session, st *session.Statement) (f CopyFormat, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = session.InternalError(p)
		}
		if err != nil {
			s.Fail()
			err = session.UserError(context.Background(), err)
		}
	}()
	stmt := st.Parsed.Statement.(*sql.Copy)
	if s.Failed() {
		return f, session.ErrFailedTransaction()
	}
	format, _, err := file.Options("", copyOptions(stmt), copyUse(stmt))
	if err != nil {
		return f, err
	}
	f.Binary = format == file.Binary
	f.Columns, err = copyColumns(s, stmt)
	return f, err
}

// CopyFormat says how a COPY of a stream is written.
type CopyFormat struct {
	Binary  bool // PostgreSQL's binary format, and not text or CSV
	Columns int
}
