package cubeloom

import (
	"context"
	"io"

	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/dispatch"
	"github.com/cubeloom/cubeloom/runtime/session/transfer"
)

// CopyDirection says what a statement exchanges with its caller.
type CopyDirection = session.CopyDirection

// The directions of COPY.
const (
	CopyNone = session.CopyNone // not COPY, or COPY of a file
	CopyIn   = session.CopyIn   // COPY … FROM STDIN
	CopyOut  = session.CopyOut  // COPY … TO STDOUT
)

// CopyFormat says how a COPY of a stream is written: in PostgreSQL's binary format or not,
// and of how many columns.
type CopyFormat = transfer.CopyFormat

// Copy runs COPY FROM STDIN, which reads in to its end, or COPY TO STDOUT, which
// writes to out: each call of out.Write is one row, or what stands before or
// behind all rows. A bad row is an error that names line and column; it leaves
// nothing behind, and the rest of in unread. An *Error of in or out is the error
// of the statement. In may be read by another goroutine, up to the return. In all
// else it is as Execute.
func (s *Session) Copy(ctx context.Context, st *Statement, in io.Reader, out io.Writer) (*Result, error) {
	return s.result(dispatch.Copy(ctx, s.core, &st.Parsed, in, out))
}

// DescribeCopy checks a COPY FROM STDIN or TO STDOUT and says how it is written.
// An error fails the session's transaction.
func (s *Session) DescribeCopy(st *Statement) (CopyFormat, error) {
	return transfer.DescribeCopy(s.core, st)
}
