package query

import (
	"fmt"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// execution is what EXECUTE runs: a statement, and the values of its parameters.
func execution(s *session.Session, stmt *sql.Execute) (*session.Prepared, []planner.Param, error) {
	p, err := s.Prepared.Find(stmt.Name.Name)
	if err != nil {
		return nil, nil, err
	}
	if err := p.Executable(); err != nil {
		return nil, nil, err
	}
	if want := len(p.Description.Params); want != len(stmt.Args) {
		return nil, nil, &value.Error{
			Code: value.CodeSyntax, Pos: value.NoPos,
			Message: fmt.Sprintf("wrong number of parameters for prepared statement %q", p.Name),
			Detail:  fmt.Sprintf("Expected %d parameters but got %d.", want, len(stmt.Args)),
		}
	}
	of := make([]planner.Parameter, len(stmt.Args))
	for i, t := range p.Description.Params {
		of[i] = planner.Parameter{Type: t.Type, Domain: s.State().DomainOf(algebra.DomainOID(t.Domain))}
		if t.Kind == algebra.Unknown {
			of[i].Type = algebra.TText
		}
	}
	params, err := planner.Arguments(stmt.Args, of, catalog.Of(s), Options(s))
	return p, params, err
}

// WithPrepared calls run with the prepared statement of EXECUTE while its
// parameters are those of the session. The places of errors are in another text.
func WithPrepared(s *session.Session, stmt *sql.Execute, run func(*session.Prepared) error) error {
	p, params, err := execution(s, stmt)
	if err != nil {
		return err
	}
	outer := s.Params
	s.Params = params
	defer func() { s.Params = outer }()
	return value.WithoutPos(run(p))
}
