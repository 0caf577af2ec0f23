package sql

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/dialect"
)

// statement reads one statement up to its semicolon.
func (p parser) statement() Statement {
	t := p.Peek()
	if p.WritesAfterWith() {
		return writeParser(p).write()
	}
	if startsQuery(t) {
		return p.selected()
	}
	if t.Kind != dialect.Word {
		panic(p.Unexpected())
	}
	switch t.Text {
	case "insert", "delete", "update", "merge":
		return writeParser(p).write()
	case "truncate":
		return writeParser(p).truncate()
	case "lock":
		return tableParser(p).lock()
	case "comment":
		return tableParser(p).comment()
	case "alter":
		return tableParser(p).alter()
	case "create":
		return tableParser(p).create()
	case "drop":
		return p.drop()
	case "refresh":
		return tableParser(p).refresh()
	case "vacuum", "analyze", "analyse", "checkpoint":
		return tableParser(p).maintain()
	case "reindex":
		return tableParser(p).reindex()
	case "cluster":
		return tableParser(p).cluster()
	case "copy":
		return writeParser(p).copy()
	case "export":
		return writeParser(p).export()
	case "import":
		return writeParser(p).importDatabase()
	case "grant", "revoke":
		return roleParser(p).grant()
	case "reassign":
		return roleParser(p).reassign()
	case "explain":
		return p.explain()
	case "prepare":
		return p.prepare()
	case "execute":
		return sessionParser(p).execute()
	case "set":
		return sessionParser(p).set()
	case "reset":
		return sessionParser(p).reset()
	case "show":
		return sessionParser(p).show()
	case "begin", "start", "commit", "end", "rollback", "abort", "savepoint", "release":
		return sessionParser(p).transaction()
	}
	if read := cursorStatements[t.Text]; read != nil {
		return read(sessionParser(p))
	}
	if unsupportedStatements[t.Text] {
		panic(dialect.Unsupported(t, strings.ToUpper(t.Text)+" is"))
	}
	panic(p.Unexpected())
}

// selected reads a query, or SELECT INTO.
func (p parser) selected() Statement {
	pos := Pos(p.Peek().Pos)
	p.TakesInto, p.Into = true, nil
	q := p.query()
	p.TakesInto = false
	if p.Into == nil {
		return q
	}
	return &CreateTableAs{Name: idents(p.Into.Name), Temporary: p.Into.Temporary, Query: q, Pos: pos}
}

// unsupportedStatements are the first words of PostgreSQL's other statements.
var unsupportedStatements = words(`call
do listen load notify
security`)

// drop reads DROP of tables, views, hierarchies, indexes, types and roles.
func (p parser) drop() Statement {
	s := &Drop{Pos: Pos(p.Next().Pos)}
	if _, ok := p.acceptRole(); ok {
		return roleParser(p).dropRole(s.Pos)
	}
	switch {
	case p.Accept("owned"):
		return roleParser(p).dropOwned(s.Pos)
	case p.Accept("function"):
		return tableParser(p).dropFunction(s.Pos)
	case p.NextIs("table"), p.NextIs("view"), p.NextIs("hierarchy"), p.NextIs("sequence"), p.NextIs("schema"), p.NextIs("type"), p.NextIs("domain"):
		s.Kind = p.Next().Text
	case p.Accept("materialized", "view"):
		s.Kind = "materialized view"
	case p.Accept("extension"):
		s.Kind = "extension"
	case p.NextIs("index"):
		s.Kind = p.Next().Text
		s.Concurrently = p.Accept("concurrently")
	default:
		panic(p.refuseObject("DROP"))
	}
	s.IfExists = p.Accept("if", "exists")
	name := p.tableName
	if s.Kind == "extension" {
		name = func() Name { return Name{p.ident()} }
	}
	s.Names = dialect.CommaList(p.Cursor, name)
	if s.Cascade = p.Accept("cascade"); !s.Cascade {
		p.Accept("restrict")
	}
	return s
}

// explain reads EXPLAIN [ANALYZE] [VERBOSE] or EXPLAIN (options).
func (p parser) explain() Statement {
	s := &Explain{Pos: Pos(p.Next().Pos)}
	if p.NextIs("(") && !p.AtQuery() && !p.PeekAt(1).Is("(") {
		s.Options = p.options(explainStyle)
	} else {
		for _, words := range [][]string{{"analyze", "analyse"}, {"verbose"}} {
			if t := p.Peek(); p.acceptAny(words...) {
				s.Options = append(s.Options, Option{Name: words[0], Bare: true, Pos: Pos(t.Pos)})
			}
		}
	}
	switch t := p.Peek(); {
	case startsQuery(t), t.IsOneOf("insert", "update", "delete", "merge", "create", "execute"):
		s.Statement = p.statement()
	case t.IsOneOf("declare", "refresh"):
		panic(p.refuse("EXPLAIN " + strings.ToUpper(t.Text)))
	default:
		panic(p.Unexpected())
	}
	switch s.Statement.(type) {
	case *Query, Change, *CreateTableAs, *Execute:
		return s
	}
	panic(dialect.Unsupported(dialect.Token{Pos: int(s.Pos)}, "EXPLAIN of this statement is"))
}

// prepare reads PREPARE name [(types)] AS statement.
func (p parser) prepare() Statement {
	s := &Prepare{Pos: Pos(p.Next().Pos)}
	s.Name = p.ident()
	if p.Accept("(") {
		s.Types = p.typeNames()
	}
	p.Expect("as")
	first := p.Peek()
	if !startsQuery(first) && !first.IsOneOf("insert", "update", "delete", "merge") {
		panic(p.Unexpected())
	}
	s.Statement = p.statement()
	s.Text = p.Text(first.Pos, p.LastEnd())
	return s
}
