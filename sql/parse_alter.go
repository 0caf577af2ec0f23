package sql

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/dialect"
)

// alter reads ALTER of tables, views, roles, owners and default privileges.
func (p tableParser) alter() Statement {
	s := &AlterTable{Kind: "table", Pos: Pos(p.Next().Pos)}
	if kind, ok := p.acceptRole(); ok {
		return roleParser(p).alterRole(s.Pos, kind)
	}
	switch {
	case p.Accept("schema"):
		return roleParser(p).alterOwner(s.Pos, "schema")
	case p.Accept("index"):
		return p.alterIndex(s.Pos)
	case p.Accept("sequence"):
		return p.alterSequence(s.Pos)
	case p.Accept("type"):
		return p.alterType(s.Pos)
	case p.Accept("domain"):
		return p.alterDomain(s.Pos)
	case p.Accept("function"):
		return p.alterFunction(s.Pos)
	case p.Accept("database"):
		return roleParser(p).alterOwner(s.Pos, "database")
	case p.Accept("default", "privileges"):
		return roleParser(p).defaultPrivileges(s.Pos)
	case p.Accept("table"):
		if p.NextIs("all", "in") {
			panic(p.refuse("ALTER TABLE ALL"))
		}
	case p.acceptAny("view", "hierarchy"):
		s.Kind = "view"
	case p.Accept("materialized", "view"):
		s.Kind = "materialized view"
	default:
		if p.NextIs("large", "object") || p.NextIs("system") {
			panic(p.refuse("ALTER " + strings.ToUpper(p.Peek().Text)))
		}
		panic(p.refuseObject("ALTER"))
	}
	return p.alterRelation(s)
}

// alterRelation reads the name behind ALTER TABLE, VIEW or MATERIALIZED VIEW, and the actions.
func (p tableParser) alterRelation(s *AlterTable) Statement {
	s.IfExists = p.Accept("if", "exists")
	if s.Kind == "table" {
		table := p.namedTable()
		s.Name, s.Only = table.Name, table.Only
	} else {
		s.Name = p.tableName()
	}
	switch {
	case p.NextIs("rename"):
		s.Actions = []AlterAction{p.rename()}
	case s.Kind == "table" && p.Peek().IsOneOf("attach", "detach"):
		s.Actions = []AlterAction{p.partitionAction()}
	default:
		s.Actions = dialect.CommaList(p.Cursor, func() AlterAction { return p.alterAction(s) })
	}
	return s
}

// rename reads RENAME TO name, RENAME [COLUMN] name TO name and RENAME CONSTRAINT.
func (p tableParser) rename() AlterAction {
	p.Next()
	if p.Accept("to") {
		return &RenameTable{To: p.ident()}
	}
	constraint := p.Accept("constraint")
	if !constraint {
		p.Accept("column")
	}
	from := p.ident()
	p.Expect("to")
	to := p.ident()
	if constraint {
		return &RenameConstraint{From: from, To: to}
	}
	return &RenameColumn{From: from, To: to}
}

// alterAction reads one of the actions between commas.
func (p tableParser) alterAction(s *AlterTable) AlterAction {
	t := p.Peek()
	if a := p.storageAction(); a != nil {
		return a
	}
	switch {
	case p.Accept("add"):
		return p.addColumn(s.Name)
	case p.Accept("drop"):
		return p.dropColumn()
	case p.Accept("alter"):
		return p.alterColumn()
	case p.Accept("cluster", "on"):
		return &ClusterOn{Index: p.ident()}
	case p.Accept("set", "without", "cluster"):
		return &ClusterOn{}
	case p.Accept("owner", "to"):
		to := p.roleRef()
		return &ChangeOwner{To: to}
	case p.Accept("set", "schema"):
		return &SetSchema{To: p.ident()}
	case p.Accept("validate", "constraint"):
		return &ValidateConstraint{Name: p.ident()}
	case t.IsOneOf("disable", "enable", "force", "inherit", "no", "not", "of", "options",
		"owner", "replica", "reset", "set", "validate"):
		panic(p.refuse(strings.ToUpper(t.Text) + " in ALTER TABLE"))
	}
	panic(p.Unexpected())
}

// dropConstraint reads what follows DROP CONSTRAINT.
func (p tableParser) dropConstraint() AlterAction {
	a := &DropConstraint{}
	p.dropped(&a.Name, &a.IfExists, &a.Cascade)
	return a
}

// dropped reads the name of what ALTER TABLE drops, and what stands before and behind it.
func (p tableParser) dropped(name *Ident, ifExists, cascade *bool) {
	*ifExists = p.Accept("if", "exists")
	*name = p.ident()
	if *cascade = p.Accept("cascade"); !*cascade {
		p.Accept("restrict")
	}
}

func (p tableParser) dropColumn() AlterAction {
	if p.Accept("constraint") {
		return p.dropConstraint()
	}
	p.Accept("column")
	a := &DropColumn{}
	p.dropped(&a.Name, &a.IfExists, &a.Cascade)
	return a
}

// alterColumn reads what follows ALTER within ALTER TABLE.
func (p tableParser) alterColumn() AlterAction {
	if p.Accept("constraint") {
		name := p.ident()
		return &AlterConstraint{Name: name, Timing: p.attributes("FOREIGN KEY", false, "NOT VALID").timing()}
	}
	p.Accept("column")
	a := &AlterColumn{}
	a.Name = p.ident()
	if storage := p.columnAction(a.Name); storage != nil {
		return storage
	}
	switch {
	case p.Accept("set", "not", "null"):
		a.SetNotNull = true
	case p.Accept("drop", "not", "null"):
		a.DropNotNull = true
	case p.Accept("set", "default"):
		a.Default = p.defaultExpr(false)
	case p.Accept("drop", "default"):
		a.DropDefault = true
	case p.NextIs("add", "generated"):
		p.Next()
		at := Pos(p.Next().Pos)
		a.Identity = p.identity(p.generatedWhen())
		a.Identity.Pos = at
	case p.Accept("drop", "expression"):
		a.DropExpression, a.IfExists = true, p.Accept("if", "exists")
	case p.Accept("drop", "identity"):
		a.DropIdentity, a.IfExists = true, p.Accept("if", "exists")
	case p.NextIs("restart"), p.NextIs("set", "generated"), p.NextIs("set") && p.setsSequence():
		a.SetIdentity = p.setIdentity()
	case p.Accept("type"), p.Accept("set", "data", "type"):
		p.columnType(a)
	case p.NextIs("set"), p.NextIs("drop"), p.NextIs("reset"), p.NextIs("add"):
		panic(p.refuse(strings.ToUpper(p.Peek().Text+" "+p.PeekAt(1).Text) + " of a column"))
	default:
		panic(p.Unexpected())
	}
	return a
}

// columnType reads the type of ALTER COLUMN … TYPE, with its USING.
func (p tableParser) columnType(a *AlterColumn) {
	t := p.TypeName()
	typ := typeName(t)
	a.Type = &typ
	if next := p.Peek(); p.Accept("collate") {
		p.collation(&typ, next)
	}
	if p.Accept("using") {
		a.Using = p.expr()
	}
}

func (p tableParser) addColumn(table Name) AlterAction {
	if p.Peek().IsOneOf("constraint", "primary", "unique", "check", "foreign", "exclude") {
		return p.addKey()
	}
	p.Accept("column")
	a := &AddColumn{IfNotExists: p.Accept("if", "not", "exists")}
	d := &definition{table: &CreateTable{Name: table}}
	p.column(d)
	a.Column, a.Checks, a.ForeignKeys = d.table.Columns[0], d.table.Checks, d.table.ForeignKeys
	for i, key := range d.table.Keys() {
		a.Keys = append(a.Keys, AddKey{Key: key, Primary: i == 0 && d.table.Primary != nil})
	}
	return a
}

// addKey reads [CONSTRAINT name] and PRIMARY KEY (…), UNIQUE (…), CHECK (…) or FOREIGN KEY (…).
func (p tableParser) addKey() AlterAction {
	a := &AddKey{}
	if p.Accept("constraint") {
		a.Key.Name = p.ident()
	}
	t := p.Peek()
	switch {
	case t.Is("check"):
		return &AddCheck{Check: p.tableCheck(a.Key.Name)}
	case t.Is("foreign"):
		return &AddForeignKey{Key: p.tableForeignKey(a.Key.Name)}
	case t.Is("exclude"):
		panic(p.refuse("ADD EXCLUDE in ALTER TABLE"))
	case !t.IsOneOf("primary", "unique"):
		panic(p.Unexpected())
	}
	a.Primary, a.Key.Pos = t.Is("primary"), Pos(t.Pos)
	if p.NextIs("primary", "key", "using") || p.NextIs("unique", "using") {
		panic(p.refuse("a constraint USING an index"))
	}
	p.key(&a.Key)
	return a
}
