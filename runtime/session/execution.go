package session

import (
	"fmt"
	"time"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Keep adds a statement to those of the session.
func (s *Session) Keep(p *Prepared) error {
	if p.Name != "" && s.Prepared[p.Name] != nil {
		return value.Errorf(value.CodeDuplicatePrepared, "prepared statement %q already exists", p.Name)
	}
	if s.Prepared == nil {
		s.Prepared = map[string]*Prepared{}
	}
	if err := s.Kept.Grow(p.bytes()); err != nil {
		return err
	}
	s.ForgetPrepared(p.Name)
	p.Time = time.Now()
	s.Prepared[p.Name] = p
	return nil
}

// execution is what EXECUTE runs: a statement, and the values of its parameters.
func (s *Session) execution(stmt *sql.Execute) (*Prepared, []planner.Param, error) {
	p, err := s.FindPrepared(stmt.Name.Name)
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
	types := make([]algebra.Type, len(stmt.Args))
	for i, t := range p.Description.Params {
		types[i] = t.Type
		if t.Kind == algebra.Unknown {
			types[i] = algebra.TText
		}
	}
	params, err := planner.Arguments(stmt.Args, types, s.Catalog(), s.PlanOptions())
	return p, params, err
}

// WithPrepared calls run with the prepared statement of EXECUTE while its
// parameters are those of the session. The places of errors are in another text.
func (s *Session) WithPrepared(stmt *sql.Execute, run func(*Prepared) error) error {
	p, params, err := s.execution(stmt)
	if err != nil {
		return err
	}
	outer := s.Params
	s.Params = params
	defer func() { s.Params = outer }()
	return WithoutPos(run(p))
}

// DeallocateAll forgets the statements that have a name.
func (s *Session) DeallocateAll() {
	for name := range s.Prepared {
		if name != "" {
			s.ForgetPrepared(name)
		}
	}
}

// FindPrepared finds a prepared statement; one that is not there is an error of
// 26000.
func (s *Session) FindPrepared(name string) (*Prepared, error) {
	if p := s.Prepared[name]; p != nil {
		return p, nil
	}
	if name == "" {
		return nil, value.Errorf(value.CodeUndefinedPrepared, "unnamed prepared statement does not exist")
	}
	return nil, value.Errorf(value.CodeUndefinedPrepared, "prepared statement %q does not exist", name)
}

// ForgetPrepared forgets a prepared statement; one that is not there is no error.
func (s *Session) ForgetPrepared(name string) {
	if p := s.Prepared[name]; p != nil {
		s.Kept.Shrink(p.bytes())
		delete(s.Prepared, name)
	}
}
