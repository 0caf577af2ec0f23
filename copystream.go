package cubeloom

import (
	"context"
	"io"

	"github.com/cubeloom/cubeloom/sql"
)

// streams are what COPY FROM STDIN reads and COPY TO STDOUT writes.
type streams struct {
	in  io.Reader
	out io.Writer
}

// CopyDirection says what a statement exchanges with whoever runs it.
type CopyDirection uint8

// The directions of COPY.
const (
	CopyNone CopyDirection = iota // not COPY, or COPY of a file
	CopyIn                        // COPY … FROM STDIN
	CopyOut                       // COPY … TO STDOUT
)

// CopyDirection reports whether the statement is for Session.Copy.
func (st *Statement) CopyDirection() CopyDirection {
	stmt, ok := st.parsed.Statement.(*sql.Copy)
	switch {
	case !ok || stmt.File != "":
		return CopyNone
	case stmt.From:
		return CopyIn
	}
	return CopyOut
}

// Copy runs COPY FROM STDIN, which reads in to its end, or COPY TO STDOUT, which
// writes to out: each call of out.Write is one row, or what stands before or
// behind all rows. A bad row is an error that names line and column; it leaves
// nothing behind, and the rest of in unread. An *Error of in or out is the error
// of the statement. In may be read by another goroutine, up to the return. In all
// else it is as Execute.
func (s *Session) Copy(ctx context.Context, st *Statement, in io.Reader, out io.Writer) (*Result, error) {
	s.streams = &streams{in: in, out: out}
	defer func() { s.streams = nil }()
	return s.runResult(ctx, st)
}

// CopyFormat says how a COPY of a stream is written.
type CopyFormat struct {
	Binary  bool // PostgreSQL's binary format, and not text or CSV
	Columns int
}

// DescribeCopy checks a COPY FROM STDIN or TO STDOUT and says how it is written.
// An error fails the session's transaction.
func (s *Session) DescribeCopy(st *Statement) (CopyFormat, error) { return s.describeCopy(st) }
