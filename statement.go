package cubeloom

import (
	"context"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Statement is one parsed statement. It never changes: any session may describe
// and execute it any number of times.
type Statement struct{ parsed sql.Parsed }

// Text is the statement's text, without the semicolon.
func (st *Statement) Text() string { return st.parsed.Text }

// Notices are what there is to say of the statement before it runs. They are not
// among those of its results.
func (st *Statement) Notices() []Notice {
	var list []Notice
	for _, name := range st.parsed.Cut {
		list = append(list, notice(codeNameTooLong, "identifier %q will be truncated to %q", name.From, name.Cut))
	}
	return list
}

// codeNameTooLong is the SQLSTATE of a name that is cut.
const codeNameTooLong = "42622"

// EndsTransaction reports whether the statement is COMMIT or ROLLBACK in one of
// their forms, which alone go on in a transaction that has failed.
func (st *Statement) EndsTransaction() bool {
	t, ok := st.parsed.Statement.(*sql.Transaction)
	return ok && (t.Kind == sql.Commit || t.Kind == sql.Rollback || t.Kind == sql.RollbackTo)
}

// What a text is charged with while it is parsed, for each look at whether to go on, a
// short one for each of its bytes, and for each of its bytes while its statement runs or
// is prepared: about what tokens and syntax trees take. What is small is not charged.
const (
	parsedBytes  = 1 << 20
	tokenBytes   = 512
	textFactor   = 8
	freeTextSize = 16 << 10
)

// treeBytes is what the syntax tree of a text is charged with.
func treeBytes(text string) int64 { return textFactor * int64(max(len(text)-freeTextSize, 0)) }

// Param is the value of a parameter $n and its type. A text whose type is
// Unknown is read as an untyped literal would be.
type Param struct {
	Value value.Value
	Type  ColumnType
}

// Description says what a statement takes and gives.
type Description struct {
	// Params are the types of $1, $2, …; Unknown where no use says which.
	Params []ColumnType
	// HasRows reports whether the statement gives rows, of these Columns.
	HasRows bool
	Columns []Column
}

// Execute runs a statement with the values of its parameters; it needs as many
// as the statement uses. In all else it is as Query.
func (s *Session) Execute(ctx context.Context, st *Statement, params []Param) (*Result, error) {
	s.params = make([]planner.Param, len(params))
	for i, p := range params {
		s.params[i] = planner.Param{Value: p.Value, Type: p.Type.Type}
	}
	defer func() { s.params = nil }()
	return s.runResult(ctx, st)
}

// ParseValue reads a value of a type from its text form, as a cast of the text
// in this session would. The error is an *Error.
func (s *Session) ParseValue(text string, t ColumnType) (value.Value, error) {
	style := s.settings.DateStyle()
	switch t.Kind {
	case algebra.Unknown:
		return value.Value{Kind: value.Text, S: text}, nil
	case algebra.Numeric:
		n, err := value.ParseNum(text)
		return value.Value{Kind: value.Decimal, Num: n}, err
	case algebra.TimestampTZ:
		micros, err := style.ParseTimestampTZ(text, s.settings.Location())
		return value.Value{Kind: value.Int, I: micros}, err
	case algebra.Date:
		days, err := style.ParseDate(text)
		return value.Value{Kind: value.Int, I: int64(days)}, err
	case algebra.Timestamp:
		micros, err := style.ParseTimestamp(text)
		return value.Value{Kind: value.Int, I: micros}, err
	case algebra.Interval:
		iv, err := style.ParseInterval(text, "")
		return value.Value{Kind: value.Intervals, Interval: iv}, err
	}
	if err := planner.CheckArrayStyle(t.Type, style); err != nil {
		return value.Value{}, err
	}
	return eval.Parse(nil, text, t.Type, false)
}

// ParseBinary reads a value of a type from PostgreSQL's binary format. The error
// is an *Error.
func ParseBinary(b []byte, t ColumnType) (value.Value, error) { return runtime.ParseBinary(b, t.Type) }

// Parse parses the statements between the semicolons of text; text without a
// statement gives none. An error in any is an error of all, and fails the
// session's transaction; so does the end of ctx.
func (s *Session) Parse(ctx context.Context, text string) ([]*Statement, error) {
	return s.parse(ctx, text)
}

// Describe plans a statement without values of its parameters and says what it
// takes and gives. Given are the types that are known beforehand; those of kind
// Unknown, and those beyond its end, are inferred from their uses. An error
// fails the session's transaction.
func (s *Session) Describe(ctx context.Context, st *Statement, given []ColumnType) (*Description, error) {
	return s.describeAlone(ctx, st, given)
}

// Prepare parses a statement, describes it and keeps it under a name, as PREPARE
// does. The text may hold no statement, but not several. Given are the types of
// parameters as for Describe. The name "" is that of a statement which the next
// one of that name takes the place of, and which SQL cannot name. A name that is
// taken is an error of 42P05. Any error fails the session's transaction.
func (s *Session) Prepare(ctx context.Context, name, text string, given []ColumnType) (*Prepared, error) {
	return s.prepareAs(ctx, name, text, given)
}

// Prepared finds a prepared statement; one that is not there is an error of
// 26000.
func (s *Session) Prepared(name string) (*Prepared, error) { return s.findPrepared(name) }

// Deallocate forgets a prepared statement; one that is not there is no error.
func (s *Session) Deallocate(name string) { s.forgetPrepared(name) }
