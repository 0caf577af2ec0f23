package sql

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// grant reads GRANT and REVOKE, of privileges and of roles.
func (p roleParser) grant() (Statement, error) {
	g := &Grant{Pos: Pos(p.Peek().Pos), Revoke: p.Next().Is("revoke")}
	admin := g.Revoke && p.NextIs("admin", "option")
	g.Option = g.Revoke && p.NextIs("grant")
	if admin || g.Option {
		p.Next()
		if err := p.Expect("option", "for"); err != nil {
			return nil, err
		}
	}
	other := p.Peek() // an option of PostgreSQL 16
	later := g.Revoke && !admin && !g.Option && p.PeekAt(1).Is("option") && other.IsName()
	if later {
		p.Next()
		p.Next()
		if err := p.Expect("for"); err != nil {
			return nil, err
		}
	}
	all := p.NextIs("all")
	items, err := p.privileges()
	if err != nil {
		return nil, err
	}
	if p.NextIs("on") && !admin && !later {
		g.Privileges = items
		return g, p.grantOn(g)
	}
	if g.Option || all {
		return nil, p.Unexpected()
	}
	r := &GrantRole{Revoke: g.Revoke, Admin: admin, Pos: g.Pos}
	for _, item := range items {
		r.Roles = append(r.Roles, Ident{Name: item.Name, Pos: item.Pos})
	}
	err = p.grantRole(r)
	for _, item := range items {
		if item.Columns != nil && err == nil {
			err = sqlstate.ErrorAt(int(item.Pos), sqlstate.Syntax, "column names cannot be included in GRANT/REVOKE ROLE")
		}
	}
	if later && err == nil {
		err = dialect.Unsupported(other, strings.ToUpper(other.Text)+" OPTION FOR is")
	}
	return r, err
}

// privileges reads a list of privileges with their columns, or of roles, or ALL.
func (p roleParser) privileges() ([]Privilege, error) {
	if t := p.Peek(); p.Accept("all") {
		p.Accept("privileges")
		columns, err := p.columnList()
		return []Privilege{{Name: "all", Columns: columns, Pos: Pos(t.Pos)}}, err
	}
	return dialect.CommaList(p.Cursor, func() (Privilege, error) {
		t := p.Peek()
		if !t.IsName() && !t.IsOneOf("select", "references", "create") {
			return Privilege{}, p.Unexpected()
		}
		p.Next()
		columns, err := p.columnList()
		return Privilege{Name: t.Text, Columns: columns, Pos: Pos(t.Pos)}, err
	})
}

// grantOn reads what follows the privileges: objects, and who gets or loses them.
func (p roleParser) grantOn(g *Grant) error {
	p.Next()
	if err := p.grantObjects(g); err != nil {
		return err
	}
	return p.grantees(g)
}

// grantObjects reads the objects behind ON.
func (p roleParser) grantObjects(g *Grant) error {
	if p.NextIs("all") {
		return p.grantAllIn(g)
	}
	t := p.Peek()
	g.On = "table"
	switch {
	case t.IsOneOf("foreign", "language", "large", "parameter", "tablespace", "type", "domain", "procedure") && !p.PeekAt(1).IsOneOf(",", ".", "to", "from"):
		return p.refuse("privileges on a " + strings.ToUpper(t.Text))
	case p.PeekAt(1).IsOneOf(",", ".", "to", "from"):
	case p.Accept("table"):
	case p.Accept("sequence"):
		g.On = "sequence"
	case p.Accept("schema"):
		g.On = "schema"
	case p.Accept("database"):
		g.On = "database"
	case p.Accept("function"):
		g.On = "function"
	case p.Accept("routine"):
		g.On = "routine"
	}
	for {
		name, err := p.tableName()
		if err != nil {
			return err
		}
		g.Names = append(g.Names, name)
		if g.On == "function" || g.On == "routine" {
			args, err := p.functionArgs()
			if err != nil {
				return err
			}
			g.Args = append(g.Args, args)
		}
		if !p.Accept(",") {
			return nil
		}
	}
}

// grantAllIn reads ALL TABLES IN SCHEMA and its like.
func (p roleParser) grantAllIn(g *Grant) error {
	p.Next()
	g.All = true
	switch {
	case p.Accept("tables"):
		g.On = "table"
	case p.Accept("sequences"):
		g.On = "sequence"
	case p.Accept("functions"):
		g.On = "function"
	case p.Accept("routines"):
		g.On = "routine"
	case p.NextIs("procedures"):
		return p.refuse("privileges on PROCEDURES")
	default:
		return p.Unexpected()
	}
	if err := p.Expect("in", "schema"); err != nil {
		return err
	}
	schemas, err := dialect.CommaList(p.Cursor, p.ident)
	for _, id := range schemas {
		g.Names = append(g.Names, Name{id})
	}
	return err
}

// functionArgs reads the types of a function's arguments in parentheses, if there
// are any parentheses.
func (p roleParser) functionArgs() ([]TypeName, error) {
	if !p.Accept("(") {
		return nil, nil
	}
	if p.Accept(")") {
		return []TypeName{}, nil
	}
	return dialect.CommaListTo(p.Cursor, ")", p.functionArg)
}

// functionArg reads the type of an argument, behind IN and a name that it may have.
func (p roleParser) functionArg() (TypeName, error) {
	p.Accept("in")
	first := p.Peek()
	t, err := p.TypeName()
	if err == nil && first.Class != dialect.ColumnName && !p.NextIs(",") && !p.NextIs(")") && p.Peek().IsWord() {
		t, err = p.TypeName() // what came before was the name
	}
	return typeName(t), err
}

// toOrFrom takes TO of GRANT, or FROM of REVOKE.
func (p roleParser) toOrFrom(revoke bool) error {
	if revoke {
		return p.Expect("from")
	}
	return p.Expect("to")
}

// grantees reads who gets privileges, or loses them, and what stands behind.
func (p roleParser) grantees(g *Grant) error {
	if err := p.toOrFrom(g.Revoke); err != nil {
		return err
	}
	var err error
	g.Grantees, err = dialect.CommaList(p.Cursor, func() (RoleRef, error) {
		if p.NextIs("group") && !p.PeekAt(1).IsOneOf(",", ";", "with", "granted", "cascade", "restrict") && p.PeekAt(1).Kind != dialect.End {
			p.Next()
		}
		return p.roleRef()
	})
	if err != nil {
		return err
	}
	if g.Option = g.Option || !g.Revoke && p.Accept("with"); g.Option && !g.Revoke {
		if err := p.Expect("grant", "option"); err != nil {
			return err
		}
	}
	if g.GrantedBy, err = p.grantedBy(); err != nil {
		return err
	}
	g.Cascade = g.Revoke && p.cascade()
	return nil
}

// grantedBy reads GRANTED BY role, if it comes next.
func (p roleParser) grantedBy() (*RoleRef, error) {
	if !p.Accept("granted") {
		return nil, nil
	}
	if err := p.Expect("by"); err != nil {
		return nil, err
	}
	r, err := p.roleRef()
	return &r, err
}

// grantRole reads what follows the roles of GRANT or REVOKE.
func (p roleParser) grantRole(g *GrantRole) error {
	err := p.toOrFrom(g.Revoke)
	if err != nil {
		return err
	}
	if g.Members, err = p.roleRefs(); err != nil {
		return err
	}
	if !g.Revoke && p.Accept("with") {
		if g.Admin = p.Accept("admin", "option"); !g.Admin {
			return p.memberOption()
		}
	}
	if g.GrantedBy, err = p.grantedBy(); err != nil {
		return err
	}
	g.Cascade = g.Revoke && p.cascade()
	return nil
}

// memberOption is the error for an option of a membership that PostgreSQL 15 has not.
func (p roleParser) memberOption() error {
	t := p.Peek()
	if _, err := p.Label(); err != nil {
		return err
	}
	if !p.acceptAny("option", "true", "false") {
		return p.Unexpected()
	}
	return dialect.Unsupported(t, "WITH "+strings.ToUpper(t.Text)+" of a membership is")
}

// defaultPrivileges reads what follows ALTER DEFAULT PRIVILEGES.
func (p roleParser) defaultPrivileges(pos Pos) (Statement, error) {
	s := &DefaultPrivileges{Pos: pos}
	var err error
	for !p.NextIs("grant") && !p.NextIs("revoke") {
		switch {
		case p.Accept("for"):
			if !p.acceptAny("role", "user") {
				return nil, p.Unexpected()
			}
			s.Roles, err = p.roleRefs()
		case p.Accept("in"):
			if err = p.Expect("schema"); err == nil {
				s.Schemas, err = dialect.CommaList(p.Cursor, p.ident)
			}
		default:
			err = p.Unexpected()
		}
		if err != nil {
			return nil, err
		}
	}
	g := &Grant{Pos: Pos(p.Peek().Pos), Revoke: p.Next().Is("revoke")}
	s.Grant = g
	if g.Option = g.Revoke && p.Accept("grant"); g.Option {
		if err = p.Expect("option", "for"); err != nil {
			return nil, err
		}
	}
	if g.Privileges, err = p.privileges(); err != nil {
		return nil, err
	}
	if err = p.Expect("on"); err != nil {
		return nil, err
	}
	t := p.Next()
	if g.On = defaultObjects[t.Text]; g.On == "" || t.Kind != dialect.Word {
		return nil, p.unexpectedAt(t)
	}
	return s, p.grantees(g)
}

// defaultObjects are the kinds of objects that have default privileges.
var defaultObjects = map[string]string{"tables": "table", "sequences": "sequence", "functions": "function", "routines": "routine", "types": "type", "schemas": "schema"}
