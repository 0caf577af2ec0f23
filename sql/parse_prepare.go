package sql

import "github.com/cubeloom/cubeloom/sql/dialect"

// prepare reads PREPARE name [(types)] AS statement.
func (p *parser) prepare() (Statement, error) {
	s := &Prepare{Pos: Pos(p.Next().Pos)}
	var err error
	if s.Name, err = p.ident(); err != nil {
		return nil, err
	}
	if p.Accept("(") {
		if s.Types, err = p.typeNames(); err != nil {
			return nil, err
		}
	}
	if err := p.Expect("as"); err != nil {
		return nil, err
	}
	first := p.Peek()
	if first.Is("merge") {
		return nil, dialect.Unsupported(first, "MERGE is")
	}
	if !startsQuery(first) && !first.IsOneOf("insert", "update", "delete") {
		return nil, p.Unexpected()
	}
	if s.Statement, err = p.statement(); err != nil {
		return nil, err
	}
	s.Text = p.Text(first.Pos, p.LastEnd())
	return s, nil
}

// typeNames reads a list of types up to its closing parenthesis.
func (p *parser) typeNames() ([]TypeName, error) {
	var list []TypeName
	for {
		t, err := p.TypeName()
		if err != nil {
			return nil, err
		}
		list = append(list, typeName(t))
		if !p.Accept(",") {
			return list, p.Expect(")")
		}
	}
}

// execute reads EXECUTE name [(arguments)].
func (p *parser) execute() (*Execute, error) {
	s := &Execute{Pos: Pos(p.Next().Pos)}
	var err error
	if s.Name, err = p.ident(); err != nil || !p.Accept("(") {
		return s, err
	}
	for {
		e, err := p.expr()
		if err != nil {
			return nil, err
		}
		s.Args = append(s.Args, e)
		if !p.Accept(",") {
			return s, p.Expect(")")
		}
	}
}
