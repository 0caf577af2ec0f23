package cubeloom

import (
	"context"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/dispatch"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Statement is one parsed statement. It never changes: any session may describe
// and execute it any number of times. EndsTransaction reports whether it is COMMIT or
// ROLLBACK in one of their forms, CopyDirection what it exchanges with Session.Copy.
type Statement = session.Statement

// Description says what a statement takes and returns: the types of its parameters, and the
// columns of its rows.
type Description = session.Description

// Prepared is a statement that a session keeps under a name: one of PREPARE, or
// of Session.Prepare. EXECUTE runs either. It never changes, but for what its
// owner notes in Client.
type Prepared = session.Prepared

// Query runs one statement. When ctx ends the statement ends with SQLSTATE
// 57014 and the session can go on. Errors are *Error wherever a user can cause
// them.
func (s *Session) Query(ctx context.Context, text string) (*Result, error) {
	var result *Result
	err := s.Run(ctx, text, func(r *Result) error {
		if result != nil {
			return value.Errorf(value.CodeSyntax, "Query takes one statement; use Run for several")
		}
		result = r
		return nil
	})
	if err == nil && result == nil {
		err = value.Errorf(value.CodeSyntax, "there is no statement in the text")
	}
	if err != nil {
		return nil, err
	}
	return result, nil
}

// Run runs the statements of text, separated by semicolons, and calls each with
// every result. All of text is parsed before anything runs; the first error
// ends the run, and what ran before it stays done.
func (s *Session) Run(ctx context.Context, text string, each func(*Result) error) error {
	statements, err := s.Parse(ctx, text)
	if err != nil {
		return err
	}
	for _, st := range statements {
		result, err := s.result(dispatch.Run(ctx, s.core, &st.Parsed))
		if err != nil {
			return err
		}
		result.Notices = append(st.Notices(), result.Notices...)
		if err := each(result); err != nil {
			return err
		}
	}
	return nil
}

// Param is the value of a parameter $n and its type. A text whose type is
// Unknown is read as an untyped literal would be.
type Param struct {
	Value value.Value
	Type  ColumnType
}

// Execute runs a statement with the values of its parameters; it needs as many
// as the statement uses. In all else it is as Query.
func (s *Session) Execute(ctx context.Context, st *Statement, params []Param) (*Result, error) {
	values := lists.Map(params, func(p Param) planner.Param { return planner.Param{Value: p.Value, Type: p.Type.Type} })
	return s.result(dispatch.Execute(ctx, s.core, &st.Parsed, values))
}

// TypeOf is the type of an OID that CREATE TYPE has made, or that of its arrays; ok is false where
// there is none.
func (s *Session) TypeOf(oid uint32) (t ColumnType, ok bool) {
	for _, made := range s.core.State().UserTypes() {
		e, ok := made.(*algebra.EnumType)
		if !ok {
			continue
		}
		switch typ := algebra.TEnum(e); oid {
		case typ.OID():
			return ColumnType{Type: typ}, true
		case algebra.TArray(typ).OID():
			return ColumnType{Type: algebra.TArray(typ)}, true
		}
	}
	return ColumnType{}, false
}

// ParseValue reads a value of a type from its text form, as a cast of the text
// in this session would. The error is an *Error.
func (s *Session) ParseValue(text string, t ColumnType) (value.Value, error) {
	style, zone := s.core.Settings.Style(), s.core.Settings.Location()
	switch t.Kind {
	case algebra.Unknown:
		return value.Value{Kind: value.Text, S: text}, nil
	case algebra.Numeric:
		n, err := value.ParseNum(text)
		return value.Value{Kind: value.Decimal, Num: n}, err
	case algebra.Date, algebra.Timestamp, algebra.TimestampTZ, algebra.Interval:
		return algebra.ShownElement(algebra.TArray(t.Type), style, zone).Parse(text, false)
	case algebra.Array:
		array, err := value.ParseArray(nil, text, algebra.ShownElement(t.Type, style, zone), false)
		return value.Value{Kind: value.Text, S: array}, err
	}
	return eval.Parse(nil, text, t.Type, false)
}

// ParseBinary reads a value of a type from PostgreSQL's binary format. The error
// is an *Error.
func ParseBinary(b []byte, t ColumnType) (value.Value, error) {
	return runtime.ParseBinary(b, t.Type)
}

// Parse parses the statements between the semicolons of text; text without a
// statement gives none. An error in any is an error of all, and fails the
// session's transaction; so does the end of ctx.
func (s *Session) Parse(ctx context.Context, text string) ([]*Statement, error) {
	return s.core.Parse(ctx, text)
}

// Describe plans a statement without values of its parameters and says what it
// takes and gives. Given are the types that are known beforehand; those of kind
// Unknown, and those beyond its end, are inferred from their uses. An error
// fails the session's transaction.
func (s *Session) Describe(ctx context.Context, st *Statement, given []ColumnType) (*Description, error) {
	return dispatch.DescribeAlone(ctx, s.core, st, given)
}

// Prepare parses a statement, describes it and keeps it under a name, as PREPARE
// does. The text may hold no statement, but not several. Given are the types of
// parameters as for Describe. The name "" is that of a statement which the next
// one of that name takes the place of, and which SQL cannot name. A name that is
// taken is an error of 42P05. Any error fails the session's transaction.
func (s *Session) Prepare(ctx context.Context, name, text string, given []ColumnType) (*Prepared, error) {
	return dispatch.PrepareAs(ctx, s.core, name, text, given)
}

// Prepared finds a prepared statement; one that is not there is an error of
// 26000.
func (s *Session) Prepared(name string) (*Prepared, error) { return s.core.Prepared.Find(name) }

// Deallocate forgets a prepared statement; one that is not there is no error.
func (s *Session) Deallocate(name string) { s.core.Prepared.Forget(name) }

// CursorColumns returns the columns of a cursor that DECLARE made, false where
// there is none of that name.
func (s *Session) CursorColumns(name string) ([]Column, bool) {
	c := s.core.Cursors[name]
	if c == nil {
		return nil, false
	}
	return c.Result.Columns, true
}

// IsLight reports whether a statement costs next to nothing: one that only looks at
// or changes the session, or a query that reads at most relations of the system.
// Beginning a transaction is not light, since that is not all that will happen in
// it.
func (s *Session) IsLight(st *Statement) bool {
	return st == nil || dispatch.IsLight(s.core, st.Parsed.Statement)
}
