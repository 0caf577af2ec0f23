package sql

import (
	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// CreateDomain is CREATE DOMAIN name AS type with its default and constraints.
type CreateDomain struct {
	Name    Name
	Type    TypeName
	Default *DefaultExpr // nil: none
	NotNull bool
	Checks  []CheckDef
	Pos     Pos
}

// AlterDomain is ALTER DOMAIN with one of its actions.
type AlterDomain struct {
	Name Name
	// Action is "set default", "drop default", "set not null", "drop not null", "add", "drop", "validate" or
	// "rename constraint", "rename", "schema" or "owner".
	Action   string
	Default  *DefaultExpr
	Check    CheckDef
	From, To Ident // names of constraints, of the domain or of a schema
	IfExists bool  // of "drop"
	Cascade  bool
	Owner    *RoleRef
	Pos      Pos
}

func (*CreateDomain) statement() {}
func (*AlterDomain) statement()  {}

// createDomain reads what follows CREATE DOMAIN.
func (p tableParser) createDomain(pos Pos) Statement {
	s := &CreateDomain{Name: p.tableName(), Pos: pos}
	p.Accept("as")
	s.Type = typeName(p.TypeName())
	null := false
	for {
		var name Ident
		constraint := p.Accept("constraint")
		if constraint {
			name = p.ident()
		}
		at := p.Peek()
		switch {
		case p.Accept("not"):
			p.Expect("null")
			s.NotNull = true
		case p.Accept("null"):
			null = true
		case p.Accept("default"):
			if s.Default != nil {
				panic(sqlstate.Errorf(sqlstate.Syntax, "multiple default expressions"))
			}
			s.Default = p.defaultExpr(true)
		case at.Is("check"):
			s.Checks = append(s.Checks, p.checkConstraint(name))
		case p.Accept("collate"):
			p.collation(&s.Type, at)
		case constraint || at.IsOneOf("primary", "unique", "references", "generated", "deferrable", "initially"):
			panic(p.noDomainConstraint(at))
		default:
			return s
		}
		if null && s.NotNull {
			panic(sqlstate.Errorf(sqlstate.Syntax, "conflicting NULL/NOT NULL constraints"))
		}
	}
}

// noDomainConstraint is the error of a constraint that domains cannot have.
func (p tableParser) noDomainConstraint(at dialect.Token) error {
	words := map[string]string{"primary": "primary key constraints", "unique": "unique constraints", "references": "foreign key constraints"}
	if what := words[at.Text]; what != "" && at.Kind == dialect.Word {
		return sqlstate.Errorf(sqlstate.Syntax, "%s not possible for domains", what)
	}
	return p.Unexpected()
}

// alterDomain reads what follows ALTER DOMAIN.
func (p tableParser) alterDomain(pos Pos) Statement {
	s := &AlterDomain{Name: p.tableName(), Pos: pos}
	switch {
	case p.Accept("set", "default"):
		s.Action, s.Default = "set default", p.defaultExpr(false)
	case p.Accept("drop", "default"):
		s.Action = "drop default"
	case p.Accept("set", "not", "null"):
		s.Action = "set not null"
	case p.Accept("drop", "not", "null"):
		s.Action = "drop not null"
	case p.Accept("add"):
		s.Action = "add"
		if p.Accept("constraint") {
			s.From = p.ident()
		}
		if at := p.Peek(); !at.Is("check") {
			panic(p.noDomainConstraint(at))
		}
		s.Check = p.tableCheck(s.From)
	case p.Accept("drop", "constraint"):
		s.Action, s.IfExists = "drop", p.Accept("if", "exists")
		s.From = p.ident()
		if s.Cascade = p.Accept("cascade"); !s.Cascade {
			p.Accept("restrict")
		}
	case p.Accept("validate", "constraint"):
		s.Action, s.From = "validate", p.ident()
	case p.Accept("rename", "constraint"):
		s.Action, s.From = "rename constraint", p.ident()
		p.Expect("to")
		s.To = p.ident()
	default:
		p.alterDomainName(s)
	}
	return s
}

// alterDomainName reads RENAME TO, SET SCHEMA and OWNER TO.
func (p tableParser) alterDomainName(s *AlterDomain) {
	switch {
	case p.Accept("rename", "to"):
		s.Action, s.To = "rename", p.ident()
	case p.Accept("set", "schema"):
		s.Action, s.To = "schema", p.ident()
	case p.Accept("owner", "to"):
		to := p.roleRef()
		s.Action, s.Owner = "owner", &to
	default:
		panic(p.Unexpected())
	}
}
