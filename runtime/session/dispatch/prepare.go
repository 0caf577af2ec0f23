package dispatch

import (
	"context"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// newPrepared is a statement to keep.
func newPrepared(ctx context.Context, s *session.Session, name, text string, given []result.ColumnType) (*session.Prepared, error) {
	list, err := s.Parse(ctx, text)
	if err != nil {
		return nil, err
	}
	p := &session.Prepared{Name: name, Text: text, Description: &session.Description{}}
	switch {
	case len(list) == 0:
		return p, nil
	case len(list) > 1:
		return nil, value.Errorf(value.CodeSyntax, "cannot insert multiple commands into a prepared statement")
	}
	p.Statement = list[0]
	if s.Failed() && !p.Statement.EndsTransaction() {
		return nil, session.ErrFailedTransaction()
	}
	p.Description, err = DescribeAlone(ctx, s, p.Statement, given)
	return p, err
}

// prepare runs PREPARE.
func prepare(s *session.Session, stmt *sql.Prepare, text string) *result.Result {
	declared := sqlstate.Must(planner.ParamTypes(stmt.Types, catalog.Of(s)))
	types := lists.Map(declared, func(p planner.Parameter) result.ColumnType { return result.ColumnType{Type: p.Type, Domain: p.Domain} })
	inner := &session.Statement{Parsed: sql.Parsed{Statement: stmt.Statement, Text: stmt.Text, Locks: true}}
	opts := query.Inferring(s, types)
	d := sqlstate.Must(describe(s, inner, opts))
	for i := range max(len(d.Params), len(types)) {
		if i == len(d.Params) {
			d.Params = append(d.Params, types[i])
		}
		if i < len(types) {
			d.Params[i].Domain = types[i].Domain
		}
		if d.Params[i].Kind == algebra.Unknown {
			panic(value.Errorf(value.CodeIndeterminateType, "could not determine data type of parameter $%d", i+1))
		}
	}
	sqlstate.Check(s.Prepared.Add(&session.Prepared{Name: stmt.Name.Name, Statement: inner, Description: d, FromSQL: true, Text: text}))
	return &result.Result{Tag: "PREPARE"}
}

// executePrepared runs EXECUTE. Run runs one statement.
func executePrepared(s *session.Session, stmt *sql.Execute, run func(*sql.Parsed) (*result.Result, error)) *result.Result {
	var res *result.Result
	sqlstate.Check(query.WithPrepared(s, stmt, func(p *session.Prepared) error {
		if p.Statement == nil {
			res = &result.Result{Tag: "EXECUTE"}
			return nil
		}
		_, reads := p.Statement.Parsed.Statement.(*sql.Query)
		if !reads {
			if err := checkReturning(s, p); err != nil {
				return err
			}
		}
		var err error
		if res, err = run(&p.Statement.Parsed); err == nil && reads {
			err = p.CheckColumns(res.Columns)
		}
		return err
	}))
	return res
}

// checkReturning checks the columns of a statement that changes rows, before it
// does.
func checkReturning(s *session.Session, p *session.Prepared) error {
	if !p.Description.HasRows {
		return nil
	}
	d, err := describe(s, p.Statement, query.Inferring(s, p.Description.Params))
	if err != nil {
		return err
	}
	return p.CheckColumns(d.Columns)
}

// deallocate runs DEALLOCATE.
func deallocate(s *session.Session, stmt *sql.Deallocate) *result.Result {
	if stmt.All {
		s.Prepared.ForgetNamed()
		return &result.Result{Tag: "DEALLOCATE ALL"}
	}
	sqlstate.Must(s.Prepared.Find(stmt.Name.Name))
	s.Prepared.Forget(stmt.Name.Name)
	return &result.Result{Tag: "DEALLOCATE"}
}

// PrepareAs prepares a statement as Session.Prepare of the API does. An error fails the
// session's transaction.
func PrepareAs(ctx context.Context, s *session.Session, name, text string, given []result.ColumnType) (*session.Prepared, error) {
	p, err := newPrepared(ctx, s, name, text, given)
	if err == nil {
		err = s.Prepared.Add(p)
	}
	if err != nil {
		s.Fail()
		return nil, err
	}
	return p, nil
}
