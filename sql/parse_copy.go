package sql

import (
	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// copy reads COPY t [(columns)] FROM|TO file [options] and COPY (query) TO.
func (p writeParser) copy() Statement {
	s := &Copy{Pos: Pos(p.Next().Pos)}
	p.copySource(s)
	switch {
	case p.Accept("to"):
	case s.Query == nil && p.Accept("from"):
		s.From = true
	default:
		panic(p.Unexpected())
	}
	p.copyFile(s)
	if t := p.Peek(); s.Query == nil && t.IsOneOf("using", "delimiters") {
		panic(p.refuse("COPY … DELIMITERS"))
	}
	p.Accept("with")
	p.copyOptions(s)
	p.copyWhere(s)
	return s
}

// copyWhere reads WHERE, which COPY … FROM can have.
func (p writeParser) copyWhere(s *Copy) {
	t := p.Peek()
	if s.Query != nil || !p.Accept("where") {
		return
	}
	s.Where = p.expr()
	if !s.From {
		panic(sqlstate.ErrorAt(t.Pos, sqlstate.Syntax, "WHERE clause not allowed with COPY TO"))
	}
}

// copySource reads the table or the query.
func (p writeParser) copySource(s *Copy) {
	if p.Accept("(") {
		if p.Peek().IsOneOf("insert", "update", "delete", "merge") || p.WritesAfterWith() {
			s.Query = p.write()
		} else {
			s.Query = p.query()
		}
		p.Expect(")")
		return
	}
	if t := p.Peek(); p.PeekAt(1).IsName() && p.Accept("binary") {
		s.Options = append(s.Options, binaryFormat(t))
	}
	s.Table = p.tableName()
	s.Columns = p.columnList()
}

func binaryFormat(t dialect.Token) Option {
	return Option{Name: "format", Value: "binary", Pos: Pos(t.Pos)}
}

// copyFile reads a file's name, or STDIN or STDOUT, either of which means what
// the direction needs.
func (p writeParser) copyFile(s *Copy) {
	if p.NextIs("program") {
		panic(p.refuse("COPY … PROGRAM"))
	}
	if p.acceptAny("stdin", "stdout") {
		return
	}
	t := p.Peek()
	s.File = p.stringValue()
	if s.File == "" {
		panic(dialect.Unsupported(t, "an empty file name in COPY is"))
	}
}

// copyOptions reads (options), or the options as they were before PostgreSQL 9.
func (p writeParser) copyOptions(s *Copy) {
	if p.NextIs("(") {
		s.Options = append(s.Options, p.options(copyStyle)...)
		return
	}
	for {
		t := p.Peek()
		o := Option{Name: t.Text, Pos: Pos(t.Pos)}
		switch {
		case p.Accept("binary"):
			o = binaryFormat(t)
		case p.Accept("csv"):
			o.Name, o.Value = "format", "csv"
		case p.acceptAny("freeze", "header"):
			o.Bare = true
		case p.acceptAny("delimiter", "null", "quote", "escape"):
			p.Accept("as")
			o.Value = p.stringValue()
		case p.Accept("encoding"):
			o.Value = p.stringValue()
		case p.Accept("force"):
			p.forceOption(&o)
		default:
			return
		}
		s.Options = append(s.Options, o)
	}
}

// forceOption reads FORCE QUOTE, FORCE NULL or FORCE NOT NULL and its columns.
func (p writeParser) forceOption(o *Option) {
	switch {
	case p.Accept("quote"):
		o.Name = "force_quote"
	case p.Accept("not", "null"):
		o.Name = "force_not_null"
	case p.Accept("null"):
		o.Name = "force_null"
	default:
		panic(p.Unexpected())
	}
	if p.Accept("*") {
		o.Value = "*"
		return
	}
	for _, id := range dialect.CommaList(p.Cursor, p.Ident) {
		o.List = append(o.List, id.Name)
	}
}

// export reads EXPORT DATABASE 'directory' [(options)].
func (p writeParser) export() Statement {
	s := &ExportDatabase{Pos: Pos(p.Next().Pos)}
	s.Directory = p.databaseDirectory()
	p.Accept("with")
	if p.NextIs("(") {
		s.Options = p.options(copyStyle)
	}
	return s
}

// importDatabase reads IMPORT DATABASE 'directory'.
func (p writeParser) importDatabase() Statement {
	first := p.Next()
	if p.NextIs("foreign") {
		panic(dialect.Unsupported(first, "IMPORT FOREIGN SCHEMA is"))
	}
	s := &ImportDatabase{Pos: Pos(first.Pos)}
	s.Directory = p.databaseDirectory()
	return s
}

// databaseDirectory reads DATABASE 'directory'.
func (p writeParser) databaseDirectory() string {
	p.Expect("database")
	t := p.Peek()
	dir := p.stringValue()
	if dir == "" {
		panic(sqlstate.ErrorAt(t.Pos, sqlstate.InvalidParameter, "the name of the directory is empty"))
	}
	return dir
}
