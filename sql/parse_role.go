package sql

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// roleRef reads the name of a role, or a word that stands for one.
func (p parts) roleRef() RoleRef {
	t := p.Peek()
	r := RoleRef{Pos: Pos(t.Pos)}
	if !t.IsWord() && !t.IsOneOf("current_role", "current_user", "session_user") {
		panic(p.Unexpected())
	}
	p.Next()
	switch {
	case t.Text == "none":
		panic(sqlstate.ErrorAt(t.Pos, sqlstate.ReservedName, "role name \"none\" is reserved"))
	case t.Text == "public", t.IsOneOf("current_role", "current_user", "session_user"):
		r.Word = t.Text
	default:
		r.Name = t.Text
	}
	return r
}

// roleRefs reads a list of roles.
func (p parts) roleRefs() []RoleRef {
	return dialect.CommaList(p.Cursor, p.roleRef)
}

// roleName reads the name of a role, for which no word stands.
func (p roleParser) roleName() Ident {
	r := p.roleRef()
	switch {
	case r.Word == "public":
		panic(sqlstate.ErrorAt(int(r.Pos), sqlstate.ReservedName, "role name \"public\" is reserved"))
	case r.Word != "":
		panic(sqlstate.ErrorAt(int(r.Pos), sqlstate.ReservedName, "%s cannot be used as a role name here", strings.ToUpper(r.Word)))
	}
	return Ident{Name: r.Name, Pos: r.Pos}
}

// acceptRole takes ROLE, USER or GROUP.
func (p parts) acceptRole() (kind string, ok bool) {
	for _, word := range []string{"role", "user", "group"} {
		if !p.NextIs(word) || word == "user" && p.PeekAt(1).Is("mapping") {
			continue
		}
		p.Next()
		return word, true
	}
	return "", false
}

func (p roleParser) createRole(pos Pos, kind string) Statement {
	s := &CreateRole{Kind: kind, Pos: pos}
	s.Name = p.roleName()
	p.Accept("with")
	s.Options = p.roleOptions(true)
	return s
}

// roleOptions reads options up to the end of the statement.
func (p roleParser) roleOptions(create bool) []RoleOption {
	var list []RoleOption
	for {
		t := p.Peek()
		if t.Kind == dialect.End || t.Is(";") {
			return list
		}
		o := p.roleOption(create)
		if o.Name == "sysid" {
			continue // as by PostgreSQL, which says so in a notice
		}
		list = append(list, o)
	}
}

// roleSwitches are the options that are on, or off with "no" before them.
var roleSwitches = words(`superuser inherit createrole createdb login replication bypassrls`)

func (p roleParser) roleOption(create bool) RoleOption {
	t := p.Next()
	o := RoleOption{Pos: Pos(t.Pos)}
	off, isOff := strings.CutPrefix(t.Text, "no")
	switch {
	case t.Kind == dialect.Quoted:
		panic(errRoleOption(t))
	case t.Kind != dialect.Word:
		panic(p.unexpectedAt(t))
	case roleSwitches[t.Text]:
		o.Name, o.On = t.Text, true
	case isOff && roleSwitches[off]:
		o.Name = off
	case t.Text == "password", t.Text == "encrypted", t.Text == "unencrypted":
		p.rolePassword(t, &o)
	case t.Text == "connection":
		o.Name = "connection limit"
		p.Expect("limit")
		o.Text = p.signedInteger()
	case t.Text == "valid":
		o.Name = "valid until"
		p.Expect("until")
		o.Text = p.stringValue()
	case create:
		p.newRoleOption(t, &o)
	default:
		panic(p.unknownRoleOption(t))
	}
	return o
}

// newRoleOption reads an option that only CREATE ROLE has.
func (p roleParser) newRoleOption(t dialect.Token, o *RoleOption) {
	switch t.Text {
	case "sysid":
		o.Name = t.Text
		o.Text = p.signedInteger()
		return
	case "in":
		if !p.acceptAny("role", "group") {
			panic(p.Unexpected())
		}
		o.Name = "in role"
	case "role", "user":
		o.Name = "role"
	case "admin":
		o.Name = t.Text
	default:
		panic(p.unknownRoleOption(t))
	}
	o.Roles = p.roleRefs()
}

// rolePassword reads PASSWORD and what stands for it.
func (p roleParser) rolePassword(t dialect.Token, o *RoleOption) {
	o.Name = "password"
	if t.Text != "password" {
		p.Expect("password")
	} else if o.Null = p.Accept("null"); o.Null {
		return
	}
	o.Text = p.stringValue()
	if t.Text == "unencrypted" {
		err := sqlstate.ErrorAt(t.Pos, sqlstate.FeatureNotSupported, "UNENCRYPTED PASSWORD is no longer supported")
		err.Hint = "Remove UNENCRYPTED to store the password in encrypted form instead."
		panic(err)
	}
}

// unknownRoleOption is the error of a word that is no option.
func (p roleParser) unknownRoleOption(t dialect.Token) error {
	if t.Class == dialect.NotKeyword {
		return errRoleOption(t)
	}
	return p.unexpectedAt(t)
}

func errRoleOption(t dialect.Token) error {
	return sqlstate.ErrorAt(t.Pos, sqlstate.Syntax, "unrecognized role option \"%s\"", t.Text)
}

// unexpectedAt is the syntax error at a token that was taken.
func (p parts) unexpectedAt(t dialect.Token) error {
	return sqlstate.ErrorAt(t.Pos, sqlstate.Syntax, "syntax error at or near \"%s\"", p.Text(t.Pos, t.End))
}

// signedInteger reads an integer with an optional sign.
func (p roleParser) signedInteger() string {
	at := 0
	if p.Peek().IsOneOf("+", "-") {
		at = 1
	}
	if p.PeekAt(at).Kind != dialect.Integer {
		if at == 1 {
			p.Next()
		}
		panic(p.Unexpected())
	}
	return p.value()
}

// alterRole reads what follows ALTER ROLE, USER or GROUP.
func (p roleParser) alterRole(pos Pos, kind string) Statement {
	if kind != "group" && p.NextIs("all") {
		p.Next()
		return p.alterRoleSet(&AlterRoleSet{Pos: pos})
	}
	at := p.Peek()
	role := p.roleRef()
	switch {
	case p.NextIs("rename"):
		return p.renameRole(pos, role)
	case kind == "group":
		return p.alterGroup(pos, role)
	case p.NextIs("in"), p.NextIs("set"), p.NextIs("reset"):
		return p.alterRoleSet(&AlterRoleSet{Role: &role, Pos: pos})
	case role.Word == "public":
		panic(sqlstate.ErrorAt(at.Pos, sqlstate.ReservedName, "role name \"public\" is reserved"))
	}
	p.Accept("with")
	s := &AlterRole{Role: role, Pos: pos}
	s.Options = p.roleOptions(false)
	return s
}

func (p roleParser) renameRole(pos Pos, from RoleRef) Statement {
	p.Next()
	if from.Word == "public" {
		panic(sqlstate.ErrorAt(int(from.Pos), sqlstate.ReservedName, "role name \"public\" is reserved"))
	}
	if from.Word != "" {
		panic(sqlstate.ErrorAt(int(from.Pos), sqlstate.ReservedName, "%s cannot be used as a role name here", strings.ToUpper(from.Word)))
	}
	p.Expect("to")
	return &RenameRole{From: Ident{Name: from.Name, Pos: from.Pos}, To: p.roleName(), Pos: pos}
}

// alterGroup reads ADD or DROP USER.
func (p roleParser) alterGroup(pos Pos, group RoleRef) Statement {
	o := RoleOption{Name: "role", On: p.NextIs("add"), Pos: Pos(p.Peek().Pos)}
	if !p.acceptAny("add", "drop") {
		panic(p.Unexpected())
	}
	p.Expect("user")
	o.Roles = p.roleRefs()
	return &AlterRole{Group: true, Role: group, Options: []RoleOption{o}, Pos: pos}
}

// alterRoleSet reads [IN DATABASE name] SET or RESET.
func (p roleParser) alterRoleSet(s *AlterRoleSet) Statement {
	if !s.Owner && p.Accept("in") {
		p.Expect("database")
		s.Database = p.ident()
	}
	t, settings := p.Peek(), sessionParser(p)
	switch {
	case p.NextIs("reset"):
		s.Set = settings.reset().(*Set)
	case p.Accept("set"):
		s.Set = &Set{Pos: Pos(t.Pos)}
		settings.setRest(s.Set)
		if !s.Set.Default {
			s.Limit = p.Accept("limit")
		}
	default:
		panic(p.Unexpected())
	}
	return s
}

// dropRole reads what follows DROP ROLE, USER or GROUP.
func (p roleParser) dropRole(pos Pos) Statement {
	s := &DropRole{Pos: pos, IfExists: p.Accept("if", "exists")}
	s.Roles = p.roleRefs()
	return s
}

// dropOwned reads what follows DROP OWNED.
func (p roleParser) dropOwned(pos Pos) Statement {
	s := &DropOwned{Pos: pos}
	p.Expect("by")
	s.Roles = p.roleRefs()
	s.Cascade = p.cascade()
	return s
}

// cascade takes CASCADE or RESTRICT.
func (p roleParser) cascade() bool {
	if p.Accept("cascade") {
		return true
	}
	p.Accept("restrict")
	return false
}

// reassign reads REASSIGN OWNED.
func (p roleParser) reassign() Statement {
	s := &ReassignOwned{Pos: Pos(p.Next().Pos)}
	p.Expect("owned", "by")
	s.Roles = p.roleRefs()
	p.Expect("to")
	s.To = p.roleRef()
	return s
}

// alterOwner reads ALTER SCHEMA or DATABASE.
func (p roleParser) alterOwner(pos Pos, kind string) Statement {
	s := &AlterOwner{Kind: kind, Pos: pos}
	s.Name = p.ident()
	if kind == "database" && (p.NextIs("set") || p.NextIs("reset")) {
		return p.alterRoleSet(&AlterRoleSet{Database: s.Name, Owner: true, Pos: pos})
	}
	if kind == "schema" && p.Accept("rename", "to") {
		return &RenameSchema{From: s.Name, To: p.ident(), Pos: pos}
	}
	if !p.NextIs("owner", "to") {
		panic(p.otherAlteration(kind))
	}
	p.Next()
	p.Next()
	s.To = p.roleRef()
	return s
}

// otherAlteration is the error of ALTER SCHEMA or DATABASE that changes something else.
func (p roleParser) otherAlteration(kind string) error {
	t := p.Peek()
	refused := dialect.Unsupported(t, "ALTER "+strings.ToUpper(kind)+" "+strings.ToUpper(t.Text)+" is")
	if t.IsOneOf("rename", "set", "reset", "refresh", "with") {
		return refused
	}
	if kind == "schema" || t.Kind == dialect.End {
		p.Accept("owner")
		return p.Unexpected()
	}
	for p.Peek().Kind != dialect.End && !p.NextIs(";") {
		p.Ident()
		p.Accept("limit")
		p.Accept("=")
		if p.Accept("default") {
			continue
		}
		p.value()
	}
	return refused
}
