package sql

import (
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/sql/dialect"
)

// parts reads what statements are made of: names, options, expressions, queries. Queries go
// by way of package dialect and Vitess.
type parts struct{ *dialect.Cursor }

// Readers of statements, each of one subject; parser reads any statement.
type (
	sessionParser struct{ parts } // settings, transactions, cursors, prepared statements
	roleParser    struct{ parts } // roles, and what is granted to them
	tableParser   struct{ parts } // tables and what else the catalog has
	writeParser   struct{ parts } // what changes or copies rows
	parser        struct{ parts }
)

// refuse is the error for a construct at the next token that PostgreSQL has.
func (p parts) refuse(what string) error { return dialect.Unsupported(p.Peek(), what+" is") }

// query reads a query.
func (p parts) query() *Query {
	return convertQuery(p.Query())
}

// tableName reads a table's name.
func (p parts) tableName() Name {
	return idents(p.QualifiedName())
}

// namedTable reads a table's name, with ONLY or *.
func (p parts) namedTable() NamedTable {
	name, only := p.Relation()
	return NamedTable{Name: idents(name), Only: only}
}

// columnList reads the names in parentheses, if there are any.
func (p parts) columnList() []Ident {
	if !p.NextIs("(") {
		return nil
	}
	return idents(p.Idents())
}

// ident reads a name.
func (p parts) ident() Ident {
	return ident(p.Ident())
}

// label reads a name for which any keyword serves.
func (p parts) label() Ident {
	return ident(p.Label())
}

// acceptAny takes the next token if it is one of the words.
func (p parts) acceptAny(words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return p.Accept(w) })
}

func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// startsQuery reports whether a statement that begins so can only be a query.
func startsQuery(t dialect.Token) bool {
	return t.IsOneOf("select", "with", "values", "table", "(")
}

// objects are what CREATE and DROP know in PostgreSQL, tables and views aside.
var objects = words(`access aggregate cast collation conversion constraint database default domain
event extension foreign function group index language operator policy procedural
procedure publication role routine rule schema sequence server statistics subscription tablespace
text transform trigger trusted type unique user owned`)

// refuseObject is the error for CREATE or DROP of what we have not.
func (p parts) refuseObject(verb string) error {
	t := p.Peek()
	if t.Kind != dialect.Word || !objects[t.Text] {
		return p.Unexpected()
	}
	name := verb + " " + strings.ToUpper(t.Text)
	if longObjects[t.Text] {
		name += " " + strings.ToUpper(p.PeekAt(1).Text)
	}
	return p.refuse(name)
}

// longObjects are the objects whose name has a second word.
var longObjects = words(`access constraint event foreign operator procedural text unique`)

// expr reads an expression, or DEFAULT.
func (p parts) expr() Expr {
	return selectPart(p.Expr(false)).Items[0].Expr
}

// selectPart converts the intermediate SQL of a part that stands in the SELECT itself.
func selectPart(intermediate dialect.Intermediate) *Select {
	return convertQuery(intermediate).Body.(*Select)
}
