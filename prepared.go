package cubeloom

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Prepared is a statement that a session keeps under a name: one of PREPARE, or
// of Session.Prepare. EXECUTE runs either. It never changes, but for what its
// owner notes in Client.
type Prepared struct {
	Name        string
	Text        string     // as it was given: PREPARE and all
	Statement   *Statement // nil where the text had none
	Description *Description
	FromSQL     bool      // made by PREPARE
	Time        time.Time // when it was made
	// Client is for whoever serves the session to keep with the statement.
	Client any
}

// newPrepared is a statement to keep.
func (s *Session) newPrepared(ctx context.Context, name, text string, given []ColumnType) (*Prepared, error) {
	list, err := s.parse(ctx, text)
	if err != nil {
		return nil, err
	}
	p := &Prepared{Name: name, Text: text, Description: &Description{}}
	switch {
	case len(list) == 0:
		return p, nil
	case len(list) > 1:
		return nil, value.Errorf(value.CodeSyntax, "cannot insert multiple commands into a prepared statement")
	}
	p.Statement = list[0]
	if s.failed() && !p.Statement.EndsTransaction() {
		return nil, errFailedTransaction()
	}
	p.Description, err = s.describeAlone(ctx, p.Statement, given)
	return p, err
}

// keep adds a statement to those of the session.
func (s *Session) keep(p *Prepared) error {
	if p.Name != "" && s.prepared[p.Name] != nil {
		return value.Errorf(value.CodeDuplicatePrepared, "prepared statement %q already exists", p.Name)
	}
	if s.prepared == nil {
		s.prepared = map[string]*Prepared{}
	}
	if err := s.kept.Grow(p.bytes()); err != nil {
		return err
	}
	s.forgetPrepared(p.Name)
	p.Time = time.Now()
	s.prepared[p.Name] = p
	return nil
}

// bytes is what the session is charged with for a prepared statement.
func (p *Prepared) bytes() int64 {
	const overhead = 4 << 10
	return overhead + int64(len(p.Text)) + treeBytes(p.Text)
}

// prepare runs PREPARE.
func (s *Session) prepare(stmt *sql.Prepare, text string) (*answer, error) {
	types, err := planner.ParamTypes(stmt.Types)
	if err != nil {
		return nil, err
	}
	inner := &Statement{parsed: sql.Parsed{Statement: stmt.Statement, Text: stmt.Text}}
	opts := s.inferring(columnTypes(types))
	d, err := s.describe(inner, opts)
	if err != nil {
		return nil, err
	}
	for i := range max(len(d.Params), len(types)) {
		if i == len(d.Params) {
			d.Params = append(d.Params, ColumnType{Type: types[i]})
		}
		if d.Params[i].Kind == algebra.Unknown {
			return nil, value.Errorf(value.CodeIndeterminateType, "could not determine data type of parameter $%d", i+1)
		}
	}
	if err := s.keep(&Prepared{Name: stmt.Name.Name, Statement: inner, Description: d, FromSQL: true, Text: text}); err != nil {
		return nil, err
	}
	return &answer{Tag: "PREPARE"}, nil
}

// execution is what EXECUTE runs: a statement, and the values of its parameters.
func (s *Session) execution(stmt *sql.Execute) (*Prepared, []planner.Param, error) {
	p, err := s.findPrepared(stmt.Name.Name)
	if err != nil {
		return nil, nil, err
	}
	if err := p.executable(); err != nil {
		return nil, nil, err
	}
	if want := len(p.Description.Params); want != len(stmt.Args) {
		return nil, nil, &value.Error{
			Code: value.CodeSyntax, Pos: value.NoPos,
			Message: fmt.Sprintf("wrong number of parameters for prepared statement %q", p.Name),
			Detail:  fmt.Sprintf("Expected %d parameters but got %d.", want, len(stmt.Args)),
		}
	}
	types := make([]algebra.Type, len(stmt.Args))
	for i, t := range p.Description.Params {
		types[i] = t.Type
		if t.Kind == algebra.Unknown {
			types[i] = algebra.TText
		}
	}
	params, err := planner.Arguments(stmt.Args, types, s.catalog(), s.planOptions())
	return p, params, err
}

// executable reports whether EXECUTE can run a statement: the wire protocol can
// give names to others than PREPARE can.
func (p *Prepared) executable() error {
	if p.Statement == nil {
		return nil
	}
	switch p.Statement.parsed.Statement.(type) {
	case *sql.Transaction, *sql.Execute:
		return value.Errorf(value.CodeFeatureNotSupported, "EXECUTE of EXECUTE and of statements about transactions is not supported")
	}
	if p.Statement.CopyDirection() != CopyNone {
		return value.Errorf(value.CodeFeatureNotSupported, "EXECUTE of COPY FROM STDIN and TO STDOUT is not supported")
	}
	return nil
}

// executePrepared runs EXECUTE. Run runs one statement.
func (s *Session) executePrepared(stmt *sql.Execute, run func(*sql.Parsed) (*answer, error)) (*answer, error) {
	var res *answer
	err := s.withPrepared(stmt, func(p *Prepared) error {
		if p.Statement == nil {
			res = &answer{Tag: "EXECUTE"}
			return nil
		}
		_, reads := p.Statement.parsed.Statement.(*sql.Query)
		if !reads {
			if err := s.checkReturning(p); err != nil {
				return err
			}
		}
		var err error
		if res, err = run(&p.Statement.parsed); err == nil && reads {
			err = p.checkColumns(res.Columns)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return res, nil
}

// withPrepared calls run with the prepared statement of EXECUTE while its
// parameters are those of the session. The places of errors are in another text.
func (s *Session) withPrepared(stmt *sql.Execute, run func(*Prepared) error) error {
	p, params, err := s.execution(stmt)
	if err != nil {
		return err
	}
	outer := s.params
	s.params = params
	defer func() { s.params = outer }()
	return withoutPos(run(p))
}

// checkReturning checks the columns of a statement that changes rows, before it
// does.
func (s *Session) checkReturning(p *Prepared) error {
	if !p.Description.HasRows {
		return nil
	}
	d, err := s.describe(p.Statement, s.inferring(p.Description.Params))
	if err != nil {
		return err
	}
	return p.checkColumns(d.Columns)
}

// checkColumns fails where the statement gives other columns than when it was
// prepared.
func (p *Prepared) checkColumns(now []Column) error {
	if slices.EqualFunc(p.Description.Columns, now, sameColumn) {
		return nil
	}
	return value.Errorf(value.CodeFeatureNotSupported, "cached plan must not change result type")
}

// sameColumn reports whether clients know two columns as the same.
func sameColumn(a, b Column) bool {
	oid, _ := pgcatalog.TypeOID(a.Type.Type)
	other, _ := pgcatalog.TypeOID(b.Type.Type)
	return a.Name == b.Name && oid == other
}

// deallocate runs DEALLOCATE.
func (s *Session) deallocate(stmt *sql.Deallocate) (*answer, error) {
	if stmt.All {
		s.deallocateAll()
		return &answer{Tag: "DEALLOCATE ALL"}, nil
	}
	if _, err := s.findPrepared(stmt.Name.Name); err != nil {
		return nil, err
	}
	s.forgetPrepared(stmt.Name.Name)
	return &answer{Tag: "DEALLOCATE"}, nil
}

// deallocateAll forgets the statements that have a name.
func (s *Session) deallocateAll() {
	for name := range s.prepared {
		if name != "" {
			s.forgetPrepared(name)
		}
	}
}

// prepareAs prepares a statement as Session.Prepare of the API does. An error fails the
// session's transaction.
func (s *Session) prepareAs(ctx context.Context, name, text string, given []ColumnType) (*Prepared, error) {
	p, err := s.newPrepared(ctx, name, text, given)
	if err == nil {
		err = s.keep(p)
	}
	if err != nil {
		s.fail()
		return nil, err
	}
	return p, nil
}

// findPrepared finds a prepared statement; one that is not there is an error of
// 26000.
func (s *Session) findPrepared(name string) (*Prepared, error) {
	if p := s.prepared[name]; p != nil {
		return p, nil
	}
	if name == "" {
		return nil, value.Errorf(value.CodeUndefinedPrepared, "unnamed prepared statement does not exist")
	}
	return nil, value.Errorf(value.CodeUndefinedPrepared, "prepared statement %q does not exist", name)
}

// forgetPrepared forgets a prepared statement; one that is not there is no error.
func (s *Session) forgetPrepared(name string) {
	if p := s.prepared[name]; p != nil {
		s.kept.Shrink(p.bytes())
		delete(s.prepared, name)
	}
}
