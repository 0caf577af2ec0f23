package sql

import (
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// ForeignKeyDef is a FOREIGN KEY constraint; its name is empty where none is given. Actions are as
// SQL has them, such as "SET NULL". NotValid says that rows which there are already need not keep
// to it.
type ForeignKeyDef struct {
	Name               Ident
	Columns            []Ident
	Table              Name
	Referenced         []Ident // nil: the primary key
	MatchFull          bool
	OnUpdate, OnDelete string
	SetColumns         []Ident // those that ON DELETE sets; nil: Columns
	NotValid           bool
	Timing             Timing
}

// AddForeignKey is ADD FOREIGN KEY.
type AddForeignKey struct{ Key ForeignKeyDef }

func (*AddForeignKey) alterAction() {}

// tableForeignKey reads FOREIGN KEY (columns) REFERENCES ….
func (p tableParser) tableForeignKey(name Ident) ForeignKeyDef {
	p.Expect("foreign", "key")
	k := p.references(name, idents(p.Idents()))
	seen := p.attributes("FOREIGN KEY", false)
	k.NotValid, k.Timing = seen["NOT VALID"], seen.timing()
	return k
}

// columnForeignKey reads the REFERENCES of a column.
func (p tableParser) columnForeignKey(name, column Ident) ForeignKeyDef {
	k := p.references(name, []Ident{column})
	k.Timing = p.attributes("FOREIGN KEY", true).timing()
	return k
}

// references reads REFERENCES table (columns) and what is to be done with rows that refer to
// others.
func (p tableParser) references(name Ident, columns []Ident) ForeignKeyDef {
	p.Expect("references")
	k := ForeignKeyDef{Name: name, Columns: columns, Table: p.tableName(), Referenced: p.columnList(), OnUpdate: "NO ACTION", OnDelete: "NO ACTION"}
	if match := p.Peek(); p.Accept("match") {
		if p.NextIs("partial") {
			panic(sqlstate.ErrorAt(match.Pos, sqlstate.FeatureNotSupported, "MATCH PARTIAL not yet implemented"))
		}
		if k.MatchFull = p.Accept("full"); !k.MatchFull {
			p.Expect("simple")
		}
	}
	seen := map[string]bool{}
	for p.NextIs("on") && p.PeekAt(1).IsOneOf("update", "delete") {
		on := p.Next()
		if seen[p.Peek().Text] {
			panic(p.Unexpected())
		}
		event := p.Next()
		seen[event.Text] = true
		action, columns := p.referentialAction()
		switch {
		case event.Is("delete"):
			k.OnDelete, k.SetColumns = action, columns
		case columns != nil:
			panic(sqlstate.ErrorAt(on.Pos, sqlstate.FeatureNotSupported, "a column list with %s is only supported for ON DELETE actions", action))
		default:
			k.OnUpdate = action
		}
	}
	return k
}

// referentialAction reads what ON UPDATE or ON DELETE is to do, and to which columns.
func (p tableParser) referentialAction() (action string, columns []Ident) {
	switch {
	case p.Accept("no", "action"):
		return "NO ACTION", nil
	case p.Accept("restrict"):
		return "RESTRICT", nil
	case p.Accept("cascade"):
		return "CASCADE", nil
	case p.Accept("set", "null"):
		action = "SET NULL"
	case p.Accept("set", "default"):
		action = "SET DEFAULT"
	default:
		panic(p.Unexpected())
	}
	return action, p.columnList()
}
