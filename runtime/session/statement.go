package session

import (
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// CopyDirection says what a statement exchanges with its caller.
type CopyDirection uint8

// The directions of COPY.
const (
	CopyNone CopyDirection = iota // not COPY, or COPY of a file
	CopyIn                        // COPY … FROM STDIN
	CopyOut                       // COPY … TO STDOUT
)

// CopyDirection returns what the statement exchanges with the caller of Session.Copy;
// CopyNone for a statement that is not for it.
func (st *Statement) CopyDirection() CopyDirection {
	stmt, ok := st.Parsed.Statement.(*sql.Copy)
	switch {
	case !ok || stmt.File != "":
		return CopyNone
	case stmt.From:
		return CopyIn
	}
	return CopyOut
}

// Statement is one parsed statement. It never changes: any session may describe
// and execute it any number of times.
type Statement struct{ Parsed sql.Parsed }

// Text is the statement's text, without the semicolon.
func (st *Statement) Text() string { return st.Parsed.Text }

// writes reports whether the statement is no query.
func (st *Statement) writes() bool {
	_, reads := st.Parsed.Statement.(*sql.Query)
	return !reads
}

// Notices are what there is to say of the statement before it runs. They are not
// among those of its results.
func (st *Statement) Notices() []result.Notice {
	var list []result.Notice
	for _, name := range st.Parsed.Cut {
		list = append(list, result.NewNotice(value.CodeNameTooLong, "identifier %q will be truncated to %q", name.From, name.Cut))
	}
	return list
}

// EndsTransaction reports whether the statement is COMMIT or ROLLBACK in one of
// their forms, which alone go on in a transaction that has failed.
func (st *Statement) EndsTransaction() bool {
	t, ok := st.Parsed.Statement.(*sql.Transaction)
	return ok && (t.Kind == sql.Commit || t.Kind == sql.Rollback || t.Kind == sql.RollbackTo)
}

// What a text is charged with while it is parsed, for each look at whether to go on, a
// short one for each of its bytes, and for each of its bytes while its statement runs or
// is prepared: about what tokens and syntax trees take. What is small is not charged.
const (
	parsedBytes  = 1 << 20
	tokenBytes   = 512
	TextFactor   = 8
	freeTextSize = 16 << 10
)

// TreeBytes is what the syntax tree of a text is charged with.
func TreeBytes(text string) int64 { return TextFactor * int64(max(len(text)-freeTextSize, 0)) }

// Description says what a statement takes and returns.
type Description struct {
	// Params are the types of $1, $2, …; Unknown where no use says which.
	Params []result.ColumnType
	// HasRows reports whether the statement returns rows, of these Columns.
	HasRows bool
	Columns []result.Column
}
