package sql

import (
	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// copy reads COPY t [(columns)] FROM|TO file [options] and COPY (query) TO.
func (p writeParser) copy() (Statement, error) {
	s := &Copy{Pos: Pos(p.Next().Pos)}
	if err := p.copySource(s); err != nil {
		return nil, err
	}
	switch {
	case p.Accept("to"):
	case s.Query == nil && p.Accept("from"):
		s.From = true
	default:
		return nil, p.Unexpected()
	}
	if err := p.copyFile(s); err != nil {
		return nil, err
	}
	if t := p.Peek(); s.Query == nil && t.IsOneOf("using", "delimiters") {
		return nil, p.refuse("COPY … DELIMITERS")
	}
	p.Accept("with")
	if err := p.copyOptions(s); err != nil {
		return nil, err
	}
	return s, p.copyWhere(s)
}

// copyWhere reads WHERE, which COPY … FROM can have.
func (p writeParser) copyWhere(s *Copy) (err error) {
	t := p.Peek()
	if s.Query != nil || !p.Accept("where") {
		return nil
	}
	if s.Where, err = p.expr(); err == nil && !s.From {
		err = sqlstate.ErrorAt(t.Pos, sqlstate.Syntax, "WHERE clause not allowed with COPY TO")
	}
	return err
}

// copySource reads the table or the query.
func (p writeParser) copySource(s *Copy) error {
	var err error
	if p.Accept("(") {
		if p.Peek().IsOneOf("insert", "update", "delete", "merge") {
			return p.refuse("COPY of a statement that writes")
		}
		if s.Query, err = p.query(); err != nil {
			return err
		}
		return p.Expect(")")
	}
	if t := p.Peek(); p.PeekAt(1).IsName() && p.Accept("binary") {
		s.Options = append(s.Options, binaryFormat(t))
	}
	if s.Table, err = p.tableName(); err != nil {
		return err
	}
	s.Columns, err = p.columnList()
	return err
}

func binaryFormat(t dialect.Token) Option {
	return Option{Name: "format", Value: "binary", Pos: Pos(t.Pos)}
}

// copyFile reads a file's name, or STDIN or STDOUT, either of which means what
// the direction needs.
func (p writeParser) copyFile(s *Copy) error {
	if p.NextIs("program") {
		return p.refuse("COPY … PROGRAM")
	}
	if p.acceptAny("stdin", "stdout") {
		return nil
	}
	t := p.Peek()
	var err error
	if s.File, err = p.stringValue(); err != nil {
		return err
	}
	if s.File == "" {
		return dialect.Unsupported(t, "an empty file name in COPY is")
	}
	return nil
}

// copyOptions reads (options), or the options as they were before PostgreSQL 9.
func (p writeParser) copyOptions(s *Copy) error {
	if p.NextIs("(") {
		list, err := p.options(copyStyle)
		s.Options = append(s.Options, list...)
		return err
	}
	for {
		t := p.Peek()
		o := Option{Name: t.Text, Pos: Pos(t.Pos)}
		var err error
		switch {
		case p.Accept("binary"):
			o = binaryFormat(t)
		case p.Accept("csv"):
			o.Name, o.Value = "format", "csv"
		case p.acceptAny("freeze", "header"):
			o.Bare = true
		case p.acceptAny("delimiter", "null", "quote", "escape"):
			p.Accept("as")
			o.Value, err = p.stringValue()
		case p.Accept("encoding"):
			o.Value, err = p.stringValue()
		case p.Accept("force"):
			err = p.forceOption(&o)
		default:
			return nil
		}
		if err != nil {
			return err
		}
		s.Options = append(s.Options, o)
	}
}

// forceOption reads FORCE QUOTE, FORCE NULL or FORCE NOT NULL and its columns.
func (p writeParser) forceOption(o *Option) error {
	switch {
	case p.Accept("quote"):
		o.Name = "force_quote"
	case p.Accept("not", "null"):
		o.Name = "force_not_null"
	case p.Accept("null"):
		o.Name = "force_null"
	default:
		return p.Unexpected()
	}
	if p.Accept("*") {
		o.Value = "*"
		return nil
	}
	columns, err := dialect.CommaList(p.Cursor, p.Ident)
	for _, id := range columns {
		o.List = append(o.List, id.Name)
	}
	return err
}

// export reads EXPORT DATABASE 'directory' [(options)].
func (p writeParser) export() (Statement, error) {
	s := &ExportDatabase{Pos: Pos(p.Next().Pos)}
	var err error
	if s.Directory, err = p.databaseDirectory(); err != nil {
		return nil, err
	}
	p.Accept("with")
	if p.NextIs("(") {
		s.Options, err = p.options(copyStyle)
	}
	return s, err
}

// importDatabase reads IMPORT DATABASE 'directory'.
func (p writeParser) importDatabase() (Statement, error) {
	first := p.Next()
	if p.NextIs("foreign") {
		return nil, dialect.Unsupported(first, "IMPORT FOREIGN SCHEMA is")
	}
	s := &ImportDatabase{Pos: Pos(first.Pos)}
	var err error
	s.Directory, err = p.databaseDirectory()
	return s, err
}

// databaseDirectory reads DATABASE 'directory'.
func (p writeParser) databaseDirectory() (string, error) {
	if err := p.Expect("database"); err != nil {
		return "", err
	}
	t := p.Peek()
	dir, err := p.stringValue()
	if err == nil && dir == "" {
		err = sqlstate.ErrorAt(t.Pos, sqlstate.InvalidParameter, "the name of the directory is empty")
	}
	return dir, err
}
