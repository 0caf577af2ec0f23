package sql

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/dialect"
)

// parser reads statements; queries go by way of package dialect and Vitess.
type parser struct{ *dialect.Cursor }

// statement reads one statement up to its semicolon.
func (p *parser) statement() (Statement, error) {
	t := p.Peek()
	if p.WritesAfterWith() {
		return p.write()
	}
	if startsQuery(t) {
		return p.query()
	}
	if t.Kind != dialect.Word {
		return nil, p.Unexpected()
	}
	switch t.Text {
	case "insert", "delete", "update":
		return p.write()
	case "truncate":
		return p.truncate()
	case "lock":
		return p.lock()
	case "comment":
		return p.comment()
	case "alter":
		return p.alter()
	case "create":
		return p.create()
	case "drop":
		return p.drop()
	case "copy":
		return p.copy()
	case "export":
		return p.export()
	case "import":
		return p.importDatabase()
	case "grant", "revoke":
		return p.grant()
	case "reassign":
		return p.reassign()
	case "explain":
		return p.explain()
	case "prepare":
		return p.prepare()
	case "execute":
		return p.execute()
	case "set":
		return p.set()
	case "reset":
		return p.reset()
	case "show":
		return p.show()
	case "begin", "start", "commit", "end", "rollback", "abort", "savepoint", "release":
		return p.transaction()
	}
	if read := cursorStatements[t.Text]; read != nil {
		return read(p)
	}
	if unsupportedStatements[t.Text] {
		return nil, dialect.Unsupported(t, strings.ToUpper(t.Text)+" is")
	}
	return nil, p.Unexpected()
}

// startsQuery reports whether a statement that begins so can only be a query.
func startsQuery(t dialect.Token) bool {
	return t.IsOneOf("select", "with", "values", "table", "(")
}

// unsupportedStatements are the first words of PostgreSQL's other statements.
var unsupportedStatements = words(`analyse analyze call checkpoint cluster
do listen load merge notify
refresh reindex security vacuum`)

func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// refuse is the error for a construct at the next token that PostgreSQL has.
func (p *parser) refuse(what string) error { return dialect.Unsupported(p.Peek(), what+" is") }

// query reads a query.
func (p *parser) query() (*Query, error) {
	intermediate, err := p.Query()
	if err != nil {
		return nil, err
	}
	return convertQuery(intermediate)
}

// tableName reads a table's name.
func (p *parser) tableName() (Name, error) {
	name, err := p.QualifiedName()
	return idents(name), err
}

// columnList reads the names in parentheses, if there are any.
func (p *parser) columnList() ([]Ident, error) {
	if !p.NextIs("(") {
		return nil, nil
	}
	list, err := p.Idents()
	return idents(list), err
}

// ident reads a name.
func (p *parser) ident() (Ident, error) {
	id, err := p.Ident()
	return ident(id), err
}

// label reads a name for which any keyword serves.
func (p *parser) label() (Ident, error) {
	id, err := p.Label()
	return ident(id), err
}

// acceptAny takes the next token if it is one of the words.
func (p *parser) acceptAny(words ...string) bool {
	for _, w := range words {
		if p.Accept(w) {
			return true
		}
	}
	return false
}

// drop reads DROP of tables, views and roles.
func (p *parser) drop() (Statement, error) {
	s := &Drop{Pos: Pos(p.Next().Pos)}
	if _, ok := p.acceptRole(); ok {
		return p.dropRole(s.Pos)
	}
	switch {
	case p.Accept("owned"):
		return p.dropOwned(s.Pos)
	case p.Accept("table"):
	case p.Accept("view"):
		s.View = true
	default:
		return nil, p.refuseObject("DROP")
	}
	s.IfExists = p.Accept("if", "exists")
	for {
		name, err := p.tableName()
		if err != nil {
			return nil, err
		}
		s.Names = append(s.Names, name)
		if !p.Accept(",") {
			break
		}
	}
	if s.Cascade = p.Accept("cascade"); !s.Cascade {
		p.Accept("restrict")
	}
	return s, nil
}

// objects are what CREATE and DROP know in PostgreSQL, tables and views aside.
var objects = words(`access aggregate cast collation conversion constraint database default domain
event extension foreign function group index language materialized operator policy procedural
procedure publication role routine rule schema sequence server statistics subscription tablespace
text transform trigger trusted type unique user owned`)

// refuseObject is the error for CREATE or DROP of what we have not.
func (p *parser) refuseObject(verb string) error {
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
var longObjects = words(`access constraint event foreign materialized operator procedural text unique`)

// explain reads EXPLAIN [ANALYZE] [VERBOSE] or EXPLAIN (options).
func (p *parser) explain() (Statement, error) {
	s := &Explain{Pos: Pos(p.Next().Pos)}
	var err error
	if p.NextIs("(") && !p.AtQuery() && !p.PeekAt(1).Is("(") {
		if s.Options, err = p.options(explainStyle); err != nil {
			return nil, err
		}
	} else {
		for _, words := range [][]string{{"analyze", "analyse"}, {"verbose"}} {
			if t := p.Peek(); p.acceptAny(words...) {
				s.Options = append(s.Options, Option{Name: words[0], Bare: true, Pos: Pos(t.Pos)})
			}
		}
	}
	switch t := p.Peek(); {
	case startsQuery(t), t.IsOneOf("insert", "update", "delete", "create", "execute"):
		s.Statement, err = p.statement()
	case t.IsOneOf("merge", "declare", "refresh"):
		err = p.refuse("EXPLAIN " + strings.ToUpper(t.Text))
	default:
		err = p.Unexpected()
	}
	if err != nil {
		return nil, err
	}
	switch s.Statement.(type) {
	case *Query, *Insert, *Update, *Delete, *CreateTableAs, *Execute:
		return s, nil
	}
	return nil, dialect.Unsupported(dialect.Token{Pos: int(s.Pos)}, "EXPLAIN of this statement is")
}
