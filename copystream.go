package cubeloom

import (
	"context"
	"io"
	"strings"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime/store/file"
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
func (s *Session) DescribeCopy(st *Statement) (f CopyFormat, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = internalError(p)
		}
		if err != nil {
			s.Fail()
			err = userError(context.Background(), err)
		}
	}()
	stmt := st.parsed.Statement.(*sql.Copy)
	if s.tx != nil && s.tx.failed {
		return f, errFailedTransaction()
	}
	format, _, err := file.Options("", copyOptions(stmt), copyUse(stmt))
	if err != nil {
		return f, err
	}
	f.Binary = format == file.Binary
	f.Columns, err = s.copyColumns(stmt)
	return f, err
}

// copyColumns counts the columns that COPY reads or writes.
func (s *Session) copyColumns(stmt *sql.Copy) (int, error) {
	if !stmt.From {
		plan, err := planner.Build(copiedQuery(stmt), s.catalog(), s.planOptions())
		if err == nil {
			err = s.permit(plan.Access)
		}
		if err != nil {
			return 0, err
		}
		var copied []string
		for _, c := range plan.Columns {
			copied = append(copied, c.Name)
		}
		return len(plan.Columns), checkForced(stmt, copied, s.columnsOf(stmt.Table))
	}
	plan, err := s.planCopy(stmt, nil)
	if err != nil {
		return 0, err
	}
	all := s.columnsOf(stmt.Table)
	copied := make([]string, len(plan.Columns))
	for i, c := range plan.Columns {
		copied[i] = all[c]
	}
	return len(copied), checkForced(stmt, copied, all)
}

// columnsOf are the names of the columns of a table; none of no name.
func (s *Session) columnsOf(name sql.Name) []string {
	if len(name) == 0 {
		return nil
	}
	rel, err := s.catalog().Relation(nameParts(name))
	if err != nil || rel == nil {
		return nil
	}
	names := make([]string, len(rel.Columns))
	for i, c := range rel.Columns {
		names[i] = c.Name
	}
	return names
}

// Inline is the first part of a script in which the data of COPY FROM STDIN may
// stand in the lines behind it, as psql takes it.
type Inline struct {
	Text  string // statements, of which the last may be COPY FROM STDIN
	Data  string // what that reads
	Rest  string // what stands behind the data
	Ended bool   // the line \. ended the data
}

// CutCopy cuts a script behind its first COPY FROM STDIN. Without one all of it
// is Text.
func CutCopy(script string) Inline {
	pieces, err := sql.Split(script)
	if err != nil {
		return Inline{Text: script}
	}
	for _, piece := range pieces {
		if !piece.Terminated || !strings.Contains(strings.ToLower(piece.Text), "copy") {
			continue
		}
		stmt, err := sql.Parse(piece.Text)
		if c, ok := stmt.(*sql.Copy); err != nil || !ok || !c.From || c.File != "" {
			continue
		}
		end := piece.Offset + len(piece.Text)
		end += strings.IndexByte(script[end:], ';') + 1
		in := Inline{Text: script[:end]}
		_, lines, _ := strings.Cut(script[end:], "\n")
		in.Data, in.Rest, in.Ended = cutData(lines)
		return in
	}
	return Inline{Text: script}
}

// cutData cuts lines at the line \. that ends the data.
func cutData(lines string) (data, rest string, ended bool) {
	for at := 0; at < len(lines); {
		line, _, _ := strings.Cut(lines[at:], "\n")
		next := min(at+len(line)+1, len(lines))
		if strings.TrimRight(line, "\r") == `\.` {
			return lines[:at], lines[next:], true
		}
		at = next
	}
	return lines, "", false
}
