package sql

// CreateSchema is CREATE SCHEMA name AUTHORIZATION role. Without a name it has that of the role;
// Owner is nil where no role is named.
type CreateSchema struct {
	Name        Ident
	IfNotExists bool
	Owner       *RoleRef
	Pos         Pos
}

// SetSchema is SET SCHEMA name in ALTER TABLE and ALTER VIEW.
type SetSchema struct{ To Ident }

func (*CreateSchema) statement() {}
func (*SetSchema) alterAction()  {}

// createSchema reads what follows CREATE SCHEMA.
func (p tableParser) createSchema(pos Pos) Statement {
	s := &CreateSchema{IfNotExists: p.Accept("if", "not"), Pos: pos}
	if s.IfNotExists {
		p.Expect("exists")
	}
	if !p.NextIs("authorization") {
		s.Name = p.ident()
	}
	if p.Accept("authorization") {
		owner := p.roleRef()
		s.Owner = &owner
	}
	if p.Peek().IsOneOf("create", "grant") {
		panic(p.refuse("a statement within CREATE SCHEMA"))
	}
	return s
}
