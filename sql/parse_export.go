package sql

import (
	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// export reads EXPORT DATABASE 'directory' [(options)].
func (p *parser) export() (Statement, error) {
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
func (p *parser) importDatabase() (Statement, error) {
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
func (p *parser) databaseDirectory() (string, error) {
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
