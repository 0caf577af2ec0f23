package cubeloom

import (
	"context"
	goruntime "runtime"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/session/settings"
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

// Parse parses the statements between the semicolons of text; text without a
// statement gives none. An error in any is an error of all, and fails the
// session's transaction; so does the end of ctx.
func (s *Session) Parse(ctx context.Context, text string) ([]*Statement, error) {
	ctx, cancel := s.limited(ctx)
	defer cancel()
	account := s.db.memory.Below(s.settings.MemoryLimit)
	defer account.Close()
	looks, each := int64(0), min(parsedBytes, tokenBytes*int64(len(text)))
	list, err := sql.ParseScript(text, func() error {
		// Each look but the first stands for some thousand tokens, and what becomes of them.
		if err := account.Grow(min(looks, 1) * each); err != nil {
			return err
		}
		looks++
		goruntime.Gosched() // short statements of others need not wait for a long text
		return ctx.Err()
	})
	if err != nil {
		s.Fail()
		return nil, userError(ctx, err)
	}
	statements := make([]*Statement, len(list))
	for i := range list {
		statements[i] = &Statement{parsed: list[i]}
	}
	return statements, nil
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

// Describe plans a statement without values of its parameters and says what it
// takes and gives. Given are the types that are known beforehand; those of kind
// Unknown, and those beyond its end, are inferred from their uses. An error
// fails the session's transaction.
func (s *Session) Describe(ctx context.Context, st *Statement, given []ColumnType) (d *Description, err error) {
	defer func() {
		if p := recover(); p != nil {
			d, err = nil, internalError(p)
		}
		if err != nil {
			s.Fail()
			err = userError(ctx, err)
		}
		s.account.Close()
		s.account = nil
	}()
	s.account = s.db.memory.Below(s.settings.MemoryLimit)
	ctx, cancel := s.limited(ctx)
	defer cancel()
	defer s.enter(ctx)()
	if err := s.describedSnapshot(st); err != nil {
		return nil, err
	}
	s.describing = true
	defer func() { s.describing = false }()
	d, err = s.describe(st, s.inferring(given))
	if err != nil {
		return nil, err
	}
	for len(d.Params) < len(given) {
		d.Params = append(d.Params, given[len(d.Params)])
	}
	return d, nil
}

// describedSnapshot takes the snapshot of the transaction before a statement is
// described, but where that may have to wait.
func (s *Session) describedSnapshot(st *Statement) error {
	if !needsSnapshot(st.parsed.Statement) || s.settings.Client[settings.CurrentModes+"deferrable"] == settings.OnOff(true) {
		return nil
	}
	return s.snapshot(s.ctx, st.parsed.Statement)
}

// inferring are the options of planning a statement for the types of its
// parameters, of which some are given.
func (s *Session) inferring(given []ColumnType) planner.Options {
	opts := planner.Options{
		InferParams: true, Meter: s.meter, Now: s.now(), Zone: s.settings.Location(), Style: s.settings.DateStyle(), SQLFunctions: s.sqlFunction, Params: make([]planner.Param, len(given)),
	}
	for i, t := range given {
		opts.Params[i].Type = t.Type
	}
	return opts
}

// describe finds out what a statement takes and gives.
func (s *Session) describe(st *Statement, opts planner.Options) (*Description, error) {
	switch stmt := st.parsed.Statement.(type) {
	case *sql.Query:
		plan, err := planner.Build(stmt, s.catalog(), opts)
		if err != nil {
			return nil, err
		}
		return &Description{Params: columnTypes(plan.Params), HasRows: true, Columns: planColumns(plan)}, nil
	case *sql.Insert:
		plan, err := planner.BuildInsert(stmt, s.catalog(), opts)
		if err != nil {
			return nil, err
		}
		return describeWrite(plan.Source, len(plan.Target.Columns), stmt.Returning), nil
	case *sql.Update:
		plan, err := planner.BuildUpdate(stmt, s.catalog(), opts)
		if err != nil {
			return nil, err
		}
		return describeWrite(plan.Source, 1+len(plan.Set), stmt.Returning), nil
	case *sql.Delete:
		plan, err := planner.BuildDelete(stmt, s.catalog(), opts)
		if err != nil {
			return nil, err
		}
		return describeWrite(plan.Source, 1, stmt.Returning), nil
	case *sql.Execute:
		p := s.prepared[stmt.Name.Name]
		if p == nil || p.executable() != nil {
			return &Description{}, nil // running it is what fails
		}
		return &Description{HasRows: p.Description.HasRows, Columns: p.Description.Columns}, nil
	case *sql.Explain:
		if explainedExecute(stmt) != nil {
			return &Description{HasRows: true, Columns: textColumns("QUERY PLAN")}, nil
		}
		query, err := explainedQuery(stmt.Statement, stmt.Pos)
		if err != nil {
			return nil, err
		}
		plan, err := planner.Build(query, s.catalog(), opts)
		if err != nil {
			return nil, err
		}
		return &Description{Params: columnTypes(plan.Params), HasRows: true, Columns: textColumns("QUERY PLAN")}, nil
	case *sql.Declare:
		plan, err := planner.Build(stmt.Query, s.catalog(), opts)
		if err != nil {
			return nil, err
		}
		return &Description{Params: columnTypes(plan.Params)}, nil
	case *sql.Fetch:
		c, err := s.cursor(stmt.Name.Name)
		if err != nil || stmt.Move {
			return &Description{}, err
		}
		return &Description{HasRows: true, Columns: c.result.Columns}, nil
	case *sql.Show:
		res, err := s.show(stmt)
		if err != nil {
			return nil, err
		}
		return &Description{HasRows: true, Columns: res.Columns}, nil
	}
	return &Description{}, nil
}

// describeWrite describes a statement that changes rows, of whose plan the
// columns behind the first own ones are those of RETURNING.
func describeWrite(source *planner.Plan, own int, returning []sql.SelectItem) *Description {
	d := &Description{Params: columnTypes(source.Params), HasRows: returning != nil}
	if d.HasRows {
		d.Columns = planColumns(source)[own:]
	}
	return d
}

// columnTypes are the types as the API gives them.
func columnTypes(types []algebra.Type) []ColumnType {
	out := make([]ColumnType, len(types))
	for i, t := range types {
		out[i] = ColumnType{Type: t}
	}
	return out
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
