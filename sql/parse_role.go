package sql

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// roleRef reads the name of a role, or a word that stands for one.
func (p parts) roleRef() (RoleRef, error) {
	t := p.Peek()
	r := RoleRef{Pos: Pos(t.Pos)}
	if !t.IsWord() && !t.IsOneOf("current_role", "current_user", "session_user") {
		return r, p.Unexpected()
	}
	p.Next()
	switch {
	case t.Text == "none":
		return r, sqlstate.ErrorAt(t.Pos, sqlstate.ReservedName, "role name \"none\" is reserved")
	case t.Text == "public", t.IsOneOf("current_role", "current_user", "session_user"):
		r.Word = t.Text
	default:
		r.Name = t.Text
	}
	return r, nil
}

// roleRefs reads a list of roles.
func (p parts) roleRefs() ([]RoleRef, error) {
	return dialect.CommaList(p.Cursor, p.roleRef)
}

// roleName reads the name of a role, for which no word stands.
func (p roleParser) roleName() (Ident, error) {
	r, err := p.roleRef()
	switch {
	case err != nil:
	case r.Word == "public":
		err = sqlstate.ErrorAt(int(r.Pos), sqlstate.ReservedName, "role name \"public\" is reserved")
	case r.Word != "":
		err = sqlstate.ErrorAt(int(r.Pos), sqlstate.ReservedName, "%s cannot be used as a role name here", strings.ToUpper(r.Word))
	}
	return Ident{Name: r.Name, Pos: r.Pos}, err
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

func (p roleParser) createRole(pos Pos, kind string) (Statement, error) {
	s := &CreateRole{Kind: kind, Pos: pos}
	var err error
	if s.Name, err = p.roleName(); err != nil {
		return nil, err
	}
	p.Accept("with")
	s.Options, err = p.roleOptions(true)
	return s, err
}

// roleOptions reads options up to the end of the statement.
func (p roleParser) roleOptions(create bool) ([]RoleOption, error) {
	var list []RoleOption
	for {
		t := p.Peek()
		if t.Kind == dialect.End || t.Is(";") {
			return list, nil
		}
		o, err := p.roleOption(create)
		if err != nil {
			return nil, err
		}
		if o.Name == "sysid" {
			continue // as by PostgreSQL, which says so in a notice
		}
		list = append(list, o)
	}
}

// roleSwitches are the options that are on, or off with "no" before them.
var roleSwitches = words(`superuser inherit createrole createdb login replication bypassrls`)

func (p roleParser) roleOption(create bool) (RoleOption, error) {
	t := p.Next()
	o := RoleOption{Pos: Pos(t.Pos)}
	off, isOff := strings.CutPrefix(t.Text, "no")
	var err error
	switch {
	case t.Kind == dialect.Quoted:
		err = errRoleOption(t)
	case t.Kind != dialect.Word:
		err = p.unexpectedAt(t)
	case roleSwitches[t.Text]:
		o.Name, o.On = t.Text, true
	case isOff && roleSwitches[off]:
		o.Name = off
	case t.Text == "password", t.Text == "encrypted", t.Text == "unencrypted":
		err = p.rolePassword(t, &o)
	case t.Text == "connection":
		o.Name = "connection limit"
		if err = p.Expect("limit"); err == nil {
			o.Text, err = p.signedInteger()
		}
	case t.Text == "valid":
		o.Name = "valid until"
		if err = p.Expect("until"); err == nil {
			o.Text, err = p.stringValue()
		}
	case create:
		err = p.newRoleOption(t, &o)
	default:
		err = p.unknownRoleOption(t)
	}
	return o, err
}

// newRoleOption reads an option that only CREATE ROLE has.
func (p roleParser) newRoleOption(t dialect.Token, o *RoleOption) (err error) {
	switch t.Text {
	case "sysid":
		o.Name = t.Text
		o.Text, err = p.signedInteger()
		return err
	case "in":
		if !p.acceptAny("role", "group") {
			return p.Unexpected()
		}
		o.Name = "in role"
	case "role", "user":
		o.Name = "role"
	case "admin":
		o.Name = t.Text
	default:
		return p.unknownRoleOption(t)
	}
	o.Roles, err = p.roleRefs()
	return err
}

// rolePassword reads PASSWORD and what stands for it.
func (p roleParser) rolePassword(t dialect.Token, o *RoleOption) (err error) {
	o.Name = "password"
	if t.Text != "password" {
		err = p.Expect("password")
	} else if o.Null = p.Accept("null"); o.Null {
		return nil
	}
	if err == nil {
		o.Text, err = p.stringValue()
	}
	if err == nil && t.Text == "unencrypted" {
		e := sqlstate.ErrorAt(t.Pos, sqlstate.FeatureNotSupported, "UNENCRYPTED PASSWORD is no longer supported")
		e.Hint = "Remove UNENCRYPTED to store the password in encrypted form instead."
		err = e
	}
	return err
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
func (p roleParser) signedInteger() (string, error) {
	at := 0
	if p.Peek().IsOneOf("+", "-") {
		at = 1
	}
	if p.PeekAt(at).Kind != dialect.Integer {
		if at == 1 {
			p.Next()
		}
		return "", p.Unexpected()
	}
	return p.value()
}

// alterRole reads what follows ALTER ROLE, USER or GROUP.
func (p roleParser) alterRole(pos Pos, kind string) (Statement, error) {
	if kind != "group" && p.NextIs("all") {
		p.Next()
		return p.alterRoleSet(&AlterRoleSet{Pos: pos})
	}
	at := p.Peek()
	role, err := p.roleRef()
	if err != nil {
		return nil, err
	}
	switch {
	case p.NextIs("rename"):
		return p.renameRole(pos, role)
	case kind == "group":
		return p.alterGroup(pos, role)
	case p.NextIs("in"), p.NextIs("set"), p.NextIs("reset"):
		return p.alterRoleSet(&AlterRoleSet{Role: &role, Pos: pos})
	case role.Word == "public":
		return nil, sqlstate.ErrorAt(at.Pos, sqlstate.ReservedName, "role name \"public\" is reserved")
	}
	p.Accept("with")
	s := &AlterRole{Role: role, Pos: pos}
	s.Options, err = p.roleOptions(false)
	return s, err
}

func (p roleParser) renameRole(pos Pos, from RoleRef) (Statement, error) {
	p.Next()
	if from.Word == "public" {
		return nil, sqlstate.ErrorAt(int(from.Pos), sqlstate.ReservedName, "role name \"public\" is reserved")
	}
	if from.Word != "" {
		return nil, sqlstate.ErrorAt(int(from.Pos), sqlstate.ReservedName, "%s cannot be used as a role name here", strings.ToUpper(from.Word))
	}
	if err := p.Expect("to"); err != nil {
		return nil, err
	}
	to, err := p.roleName()
	return &RenameRole{From: Ident{Name: from.Name, Pos: from.Pos}, To: to, Pos: pos}, err
}

// alterGroup reads ADD or DROP USER.
func (p roleParser) alterGroup(pos Pos, group RoleRef) (Statement, error) {
	o := RoleOption{Name: "role", On: p.NextIs("add"), Pos: Pos(p.Peek().Pos)}
	if !p.acceptAny("add", "drop") {
		return nil, p.Unexpected()
	}
	err := p.Expect("user")
	if err == nil {
		o.Roles, err = p.roleRefs()
	}
	return &AlterRole{Group: true, Role: group, Options: []RoleOption{o}, Pos: pos}, err
}

// alterRoleSet reads [IN DATABASE name] SET or RESET.
func (p roleParser) alterRoleSet(s *AlterRoleSet) (Statement, error) {
	var err error
	if !s.Owner && p.Accept("in") {
		if err = p.Expect("database"); err != nil {
			return nil, err
		}
		if s.Database, err = p.ident(); err != nil {
			return nil, err
		}
	}
	t, settings := p.Peek(), sessionParser(p)
	switch {
	case p.NextIs("reset"):
		var set Statement
		if set, err = settings.reset(); err == nil {
			s.Set = set.(*Set)
		}
	case p.Accept("set"):
		s.Set = &Set{Pos: Pos(t.Pos)}
		if err = settings.setRest(s.Set); err == nil && !s.Set.Default {
			s.Limit = p.Accept("limit")
		}
	default:
		err = p.Unexpected()
	}
	return s, err
}

// dropRole reads what follows DROP ROLE, USER or GROUP.
func (p roleParser) dropRole(pos Pos) (Statement, error) {
	s := &DropRole{Pos: pos, IfExists: p.Accept("if", "exists")}
	var err error
	s.Roles, err = p.roleRefs()
	return s, err
}

// dropOwned reads what follows DROP OWNED.
func (p roleParser) dropOwned(pos Pos) (Statement, error) {
	s := &DropOwned{Pos: pos}
	err := p.Expect("by")
	if err == nil {
		s.Roles, err = p.roleRefs()
	}
	s.Cascade = p.cascade()
	return s, err
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
func (p roleParser) reassign() (Statement, error) {
	s := &ReassignOwned{Pos: Pos(p.Next().Pos)}
	err := p.Expect("owned", "by")
	if err != nil {
		return nil, err
	}
	if s.Roles, err = p.roleRefs(); err != nil {
		return nil, err
	}
	if err = p.Expect("to"); err == nil {
		s.To, err = p.roleRef()
	}
	return s, err
}

// alterOwner reads ALTER SCHEMA or DATABASE.
func (p roleParser) alterOwner(pos Pos, kind string) (Statement, error) {
	s := &AlterOwner{Kind: kind, Pos: pos}
	var err error
	if s.Name, err = p.ident(); err != nil {
		return nil, err
	}
	if kind == "database" && (p.NextIs("set") || p.NextIs("reset")) {
		return p.alterRoleSet(&AlterRoleSet{Database: s.Name, Owner: true, Pos: pos})
	}
	if !p.NextIs("owner", "to") {
		return nil, p.otherAlteration(kind)
	}
	p.Next()
	p.Next()
	s.To, err = p.roleRef()
	return s, err
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
		if _, err := p.Ident(); err != nil {
			return err
		}
		p.Accept("limit")
		p.Accept("=")
		if p.Accept("default") {
			continue
		}
		if _, err := p.value(); err != nil {
			return err
		}
	}
	return refused
}
