package sql

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/dialect"
)

// alter reads ALTER of tables, views, roles, owners and default privileges.
func (p tableParser) alter() (Statement, error) {
	s := &AlterTable{Pos: Pos(p.Next().Pos)}
	if kind, ok := p.acceptRole(); ok {
		return roleParser(p).alterRole(s.Pos, kind)
	}
	switch {
	case p.Accept("schema"):
		return roleParser(p).alterOwner(s.Pos, "schema")
	case p.Accept("index"):
		return p.renameIndex(s.Pos)
	case p.Accept("sequence"):
		return p.alterSequence(s.Pos)
	case p.Accept("database"):
		return roleParser(p).alterOwner(s.Pos, "database")
	case p.Accept("default", "privileges"):
		return roleParser(p).defaultPrivileges(s.Pos)
	case p.Accept("table"):
		if p.NextIs("all", "in") {
			return nil, p.refuse("ALTER TABLE ALL")
		}
	case p.acceptAny("view", "hierarchy"):
		s.View = true
	default:
		if p.NextIs("large", "object") || p.NextIs("system") {
			return nil, p.refuse("ALTER " + strings.ToUpper(p.Peek().Text))
		}
		return nil, p.refuseObject("ALTER")
	}
	s.IfExists = p.Accept("if", "exists")
	only := p.Accept("only")
	var err error
	if s.Name, err = p.tableName(); err != nil {
		return nil, err
	}
	if !only {
		p.Accept("*")
	}
	if p.NextIs("rename") {
		a, err := p.rename()
		s.Actions = []AlterAction{a}
		return s, err
	}
	s.Actions, err = dialect.CommaList(p.Cursor, func() (AlterAction, error) { return p.alterAction(s) })
	return s, err
}

// rename reads RENAME TO name, RENAME [COLUMN] name TO name and RENAME CONSTRAINT.
func (p tableParser) rename() (AlterAction, error) {
	p.Next()
	if p.Accept("to") {
		to, err := p.ident()
		return &RenameTable{To: to}, err
	}
	constraint := p.Accept("constraint")
	if !constraint {
		p.Accept("column")
	}
	from, err := p.ident()
	if err != nil {
		return nil, err
	}
	if err := p.Expect("to"); err != nil {
		return nil, err
	}
	to, err := p.ident()
	if constraint {
		return &RenameConstraint{From: from, To: to}, err
	}
	return &RenameColumn{From: from, To: to}, err
}

// alterAction reads one of the actions between commas.
func (p tableParser) alterAction(s *AlterTable) (AlterAction, error) {
	t := p.Peek()
	switch {
	case p.Accept("add"):
		return p.addColumn(s.Name)
	case p.Accept("drop"):
		return p.dropColumn()
	case p.Accept("alter"):
		return p.alterColumn()
	case p.Accept("owner", "to"):
		to, err := p.roleRef()
		return &ChangeOwner{To: to}, err
	case t.IsOneOf("attach", "cluster", "detach", "disable", "enable", "force", "inherit", "no", "not", "of", "options",
		"owner", "replica", "reset", "set", "validate"):
		return nil, p.refuse(strings.ToUpper(t.Text) + " in ALTER TABLE")
	}
	return nil, p.Unexpected()
}

// dropConstraint reads what follows DROP CONSTRAINT.
func (p tableParser) dropConstraint() (AlterAction, error) {
	a := &DropConstraint{}
	return a, p.dropped(&a.Name, &a.IfExists, &a.Cascade)
}

// dropped reads the name of what ALTER TABLE drops, and what stands before and behind it.
func (p tableParser) dropped(name *Ident, ifExists, cascade *bool) (err error) {
	*ifExists = p.Accept("if", "exists")
	if *name, err = p.ident(); err != nil {
		return err
	}
	if *cascade = p.Accept("cascade"); !*cascade {
		p.Accept("restrict")
	}
	return nil
}

func (p tableParser) dropColumn() (AlterAction, error) {
	if p.Accept("constraint") {
		return p.dropConstraint()
	}
	p.Accept("column")
	a := &DropColumn{}
	return a, p.dropped(&a.Name, &a.IfExists, &a.Cascade)
}

// alterColumn reads what follows ALTER within ALTER TABLE.
func (p tableParser) alterColumn() (AlterAction, error) {
	if p.NextIs("constraint") {
		return nil, p.refuse("ALTER CONSTRAINT in ALTER TABLE")
	}
	p.Accept("column")
	a := &AlterColumn{}
	var err error
	if a.Name, err = p.ident(); err != nil {
		return nil, err
	}
	switch {
	case p.Accept("set", "not", "null"):
		a.SetNotNull = true
	case p.Accept("drop", "not", "null"):
		a.DropNotNull = true
	case p.Accept("set", "default"):
		a.Default, err = p.defaultExpr(false)
	case p.Accept("drop", "default"):
		a.DropDefault = true
	case p.NextIs("add", "generated"):
		p.Next()
		at := Pos(p.Next().Pos)
		if a.Identity, err = p.identity(); err == nil {
			a.Identity.Pos = at
		}
	case p.Accept("drop", "identity"):
		a.DropIdentity, a.IfExists = true, p.Accept("if", "exists")
	case p.Accept("type"), p.Accept("set", "data", "type"):
		err = p.columnType(a)
	case p.NextIs("set"), p.NextIs("drop"), p.NextIs("reset"), p.NextIs("add"), p.NextIs("restart"):
		err = p.refuse(strings.ToUpper(p.Peek().Text+" "+p.PeekAt(1).Text) + " of a column")
	default:
		err = p.Unexpected()
	}
	return a, err
}

// columnType reads the type of ALTER COLUMN … TYPE, with its USING.
func (p tableParser) columnType(a *AlterColumn) error {
	t, err := p.TypeName()
	if err != nil {
		return err
	}
	typ := typeName(t)
	a.Type = &typ
	if p.NextIs("collate") {
		return p.refuse("COLLATE of a column")
	}
	if p.Accept("using") {
		a.Using, err = p.expr()
	}
	return err
}

func (p tableParser) addColumn(table Name) (AlterAction, error) {
	if p.Peek().IsOneOf("constraint", "primary", "unique", "check", "foreign", "exclude") {
		return p.addKey()
	}
	p.Accept("column")
	a := &AddColumn{IfNotExists: p.Accept("if", "not", "exists")}
	d := &definition{table: &CreateTable{Name: table}}
	start := p.Peek()
	if err := p.column(d); err != nil {
		return nil, err
	}
	if d.table.Primary != nil || len(d.table.Unique) > 0 {
		return nil, dialect.Unsupported(start, "a key of a column in ALTER TABLE is")
	}
	a.Column = d.table.Columns[0]
	return a, nil
}

// addKey reads [CONSTRAINT name] and PRIMARY KEY (…) or UNIQUE (…).
func (p tableParser) addKey() (AlterAction, error) {
	a := &AddKey{}
	var err error
	if p.Accept("constraint") {
		if a.Key.Name, err = p.ident(); err != nil {
			return nil, err
		}
	}
	t := p.Peek()
	if !t.IsOneOf("primary", "unique") {
		if t.IsOneOf("check", "foreign", "exclude") {
			err = p.refuse("ADD " + strings.ToUpper(t.Text) + " in ALTER TABLE")
		} else {
			err = p.Unexpected()
		}
		return nil, err
	}
	a.Primary, a.Key.Pos = t.Is("primary"), Pos(t.Pos)
	if err = p.keyWords(); err != nil {
		return nil, err
	}
	if p.NextIs("using") {
		return nil, p.refuse("a constraint USING an index")
	}
	columns, err := p.Idents()
	if err != nil {
		return nil, err
	}
	a.Key.Columns = idents(columns)
	return a, p.refuseClause("with", "(", "WITH in a constraint")
}
