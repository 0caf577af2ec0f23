package sql

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// grant reads GRANT and REVOKE, of privileges and of roles.
func (p roleParser) grant() Statement {
	g := &Grant{Pos: Pos(p.Peek().Pos), Revoke: p.Next().Is("revoke")}
	admin := g.Revoke && p.NextIs("admin", "option")
	g.Option = g.Revoke && p.NextIs("grant")
	if admin || g.Option {
		p.Next()
		p.Expect("option", "for")
	}
	other := p.Peek() // an option of PostgreSQL 16
	later := g.Revoke && !admin && !g.Option && p.PeekAt(1).Is("option") && other.IsName()
	if later {
		p.Next()
		p.Next()
		p.Expect("for")
	}
	all := p.NextIs("all")
	items := p.privileges()
	if p.NextIs("on") && !admin && !later {
		g.Privileges = items
		p.grantOn(g)
		return g
	}
	if g.Option || all {
		panic(p.Unexpected())
	}
	r := &GrantRole{Revoke: g.Revoke, Admin: admin, Pos: g.Pos}
	for _, item := range items {
		r.Roles = append(r.Roles, Ident{Name: item.Name, Pos: item.Pos})
	}
	p.grantRole(r)
	for _, item := range items {
		if item.Columns != nil {
			panic(sqlstate.ErrorAt(int(item.Pos), sqlstate.Syntax, "column names cannot be included in GRANT/REVOKE ROLE"))
		}
	}
	if later {
		panic(dialect.Unsupported(other, strings.ToUpper(other.Text)+" OPTION FOR is"))
	}
	return r
}

// privileges reads a list of privileges with their columns, or of roles, or ALL.
func (p roleParser) privileges() []Privilege {
	if t := p.Peek(); p.Accept("all") {
		p.Accept("privileges")
		return []Privilege{{Name: "all", Columns: p.columnList(), Pos: Pos(t.Pos)}}
	}
	return dialect.CommaList(p.Cursor, func() Privilege {
		t := p.Peek()
		if !t.IsName() && !t.IsOneOf("select", "references", "create") {
			panic(p.Unexpected())
		}
		p.Next()
		columns := p.columnList()
		return Privilege{Name: t.Text, Columns: columns, Pos: Pos(t.Pos)}
	})
}

// grantOn reads what follows the privileges: objects, and who gets or loses them.
func (p roleParser) grantOn(g *Grant) {
	p.Next()
	p.grantObjects(g)
	p.grantees(g)
}

// grantObjects reads the objects behind ON.
func (p roleParser) grantObjects(g *Grant) {
	if p.NextIs("all") {
		p.grantAllIn(g)
		return
	}
	g.On = "table"
	if t := p.Peek(); !p.PeekAt(1).IsOneOf(",", ".", "to", "from") { // else it is a name
		switch {
		case t.IsOneOf("foreign", "language", "large", "parameter", "tablespace", "procedure"):
			panic(p.refuse("privileges on a " + strings.ToUpper(t.Text)))
		case t.IsOneOf("table", "sequence", "schema", "database", "function", "routine", "type", "domain"):
			g.On = p.Next().Text
		}
	}
	for {
		name := p.tableName()
		g.Names = append(g.Names, name)
		if g.On == "function" || g.On == "routine" {
			g.Args = append(g.Args, p.functionArgs())
		}
		if !p.Accept(",") {
			return
		}
	}
}

// grantAllIn reads ALL TABLES IN SCHEMA and its like.
func (p roleParser) grantAllIn(g *Grant) {
	p.Next()
	g.All = true
	switch t := p.Peek(); {
	case t.IsOneOf("tables", "sequences", "functions", "routines"):
		g.On = strings.TrimSuffix(p.Next().Text, "s")
	case t.IsOneOf("procedures"):
		panic(p.refuse("privileges on PROCEDURES"))
	default:
		panic(p.Unexpected())
	}
	p.Expect("in", "schema")
	for _, id := range dialect.CommaList(p.Cursor, p.ident) {
		g.Names = append(g.Names, Name{id})
	}
}

// functionArgs reads the types of a function's arguments in parentheses, if there
// are any parentheses.
func (p roleParser) functionArgs() []TypeName {
	if !p.Accept("(") {
		return nil
	}
	if p.Accept(")") {
		return []TypeName{}
	}
	return dialect.CommaListTo(p.Cursor, ")", p.functionArg)
}

// functionArg reads the type of an argument, behind IN and a name that it may have.
func (p roleParser) functionArg() TypeName {
	p.Accept("in")
	first := p.Peek()
	t := p.TypeName()
	if first.Class != dialect.ColumnName && !p.NextIs(",") && !p.NextIs(")") && p.Peek().IsWord() {
		t = p.TypeName() // what came before was the name
	}
	return typeName(t)
}

// toOrFrom takes TO of GRANT, or FROM of REVOKE.
func (p roleParser) toOrFrom(revoke bool) {
	if revoke {
		p.Expect("from")
		return
	}
	p.Expect("to")
}

// grantees reads who gets privileges, or loses them, and what stands behind.
func (p roleParser) grantees(g *Grant) {
	p.toOrFrom(g.Revoke)
	g.Grantees = dialect.CommaList(p.Cursor, func() RoleRef {
		if p.NextIs("group") && !p.PeekAt(1).IsOneOf(",", ";", "with", "granted", "cascade", "restrict") && p.PeekAt(1).Kind != dialect.End {
			p.Next()
		}
		return p.roleRef()
	})
	if g.Option = g.Option || !g.Revoke && p.Accept("with"); g.Option && !g.Revoke {
		p.Expect("grant", "option")
	}
	g.GrantedBy = p.grantedBy()
	g.Cascade = g.Revoke && p.cascade()
}

// grantedBy reads GRANTED BY role, if it comes next.
func (p roleParser) grantedBy() *RoleRef {
	if !p.Accept("granted") {
		return nil
	}
	p.Expect("by")
	role := p.roleRef()
	return &role
}

// grantRole reads what follows the roles of GRANT or REVOKE.
func (p roleParser) grantRole(g *GrantRole) {
	p.toOrFrom(g.Revoke)
	g.Members = p.roleRefs()
	if !g.Revoke && p.Accept("with") {
		if g.Admin = p.Accept("admin", "option"); !g.Admin {
			panic(p.memberOption())
		}
	}
	g.GrantedBy = p.grantedBy()
	g.Cascade = g.Revoke && p.cascade()
}

// memberOption is the error for an option of a membership that PostgreSQL 15 has not.
func (p roleParser) memberOption() error {
	t := p.Peek()
	p.Label()
	if !p.acceptAny("option", "true", "false") {
		return p.Unexpected()
	}
	return dialect.Unsupported(t, "WITH "+strings.ToUpper(t.Text)+" of a membership is")
}

// defaultPrivileges reads what follows ALTER DEFAULT PRIVILEGES.
func (p roleParser) defaultPrivileges(pos Pos) Statement {
	s := &DefaultPrivileges{Pos: pos}
	for !p.NextIs("grant") && !p.NextIs("revoke") {
		switch {
		case p.Accept("for"):
			if !p.acceptAny("role", "user") {
				panic(p.Unexpected())
			}
			s.Roles = p.roleRefs()
		case p.Accept("in"):
			p.Expect("schema")
			s.Schemas = dialect.CommaList(p.Cursor, p.ident)
		default:
			panic(p.Unexpected())
		}
	}
	g := &Grant{Pos: Pos(p.Peek().Pos), Revoke: p.Next().Is("revoke")}
	s.Grant = g
	if g.Option = g.Revoke && p.Accept("grant"); g.Option {
		p.Expect("option", "for")
	}
	g.Privileges = p.privileges()
	p.Expect("on")
	t := p.Next()
	if g.On = defaultObjects[t.Text]; g.On == "" || t.Kind != dialect.Word {
		panic(p.unexpectedAt(t))
	}
	p.grantees(g)
	return s
}

// defaultObjects are the kinds of objects that have default privileges.
var defaultObjects = map[string]string{"tables": "table", "sequences": "sequence", "functions": "function", "routines": "routine", "types": "type", "schemas": "schema"}
