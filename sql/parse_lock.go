package sql

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// lockModes are the modes of LOCK, each before those that it begins with.
var lockModes = []string{
	"access share", "row share", "row exclusive", "share update exclusive",
	"share row exclusive", "share", "access exclusive", "exclusive",
}

// lock reads LOCK [TABLE] t, … [IN mode MODE] [NOWAIT].
func (p tableParser) lock() (Statement, error) {
	s := &Lock{Mode: "access exclusive", Pos: Pos(p.Next().Pos)}
	var err error
	if s.Names, err = p.namedTables(); err != nil {
		return nil, err
	}
	if p.Accept("in") {
		if err := p.lockMode(s); err != nil {
			return nil, err
		}
	}
	s.NoWait = p.Accept("nowait")
	return s, nil
}

// namedTables reads [TABLE] t, ….
func (p parts) namedTables() ([]Name, error) {
	p.Accept("table")
	return dialect.CommaList(p.Cursor, func() (Name, error) {
		only := p.Accept("only")
		name, err := p.tableName()
		if err == nil && !only {
			p.Accept("*")
		}
		return name, err
	})
}

// lockMode reads a mode of LOCK.
func (p tableParser) lockMode(s *Lock) error {
	for _, mode := range lockModes {
		if p.Accept(strings.Fields(mode)...) {
			s.Mode = mode
			return p.Expect("mode")
		}
	}
	return p.Unexpected()
}

// commentKinds are the kinds of objects that COMMENT is for, and whether they are
// relations, which have a qualified name.
var commentKinds = map[string]bool{"table": true, "view": true, "hierarchy": true, "sequence": true, "column": true, "schema": false, "database": false}

// comment reads COMMENT ON kind name IS 'text' | NULL.
func (p tableParser) comment() (Statement, error) {
	s := &Comment{Pos: Pos(p.Next().Pos)}
	if err := p.Expect("on"); err != nil {
		return nil, err
	}
	kind := p.Peek()
	qualified, known := commentKinds[kind.Text]
	switch {
	case kind.Kind != dialect.Word:
		return nil, p.Unexpected()
	case !known:
		return nil, dialect.Unsupported(kind, "COMMENT ON "+strings.ToUpper(kind.Text)+" is")
	}
	p.Next()
	s.Kind = kind.Text
	name, err := p.tableName()
	if err != nil {
		return nil, err
	}
	if s.Name = name; !qualified && len(name) > 1 {
		return nil, p.Unexpected()
	}
	if s.Kind == "column" && len(name) < 2 {
		return nil, sqlstate.ErrorAt(sqlstate.NoPos, sqlstate.Syntax, "column name must be qualified")
	}
	if err := p.Expect("is"); err != nil {
		return nil, err
	}
	text := p.Peek()
	if p.Accept("null") {
		return s, nil
	}
	if text.Kind != dialect.String {
		return nil, p.Unexpected()
	}
	p.Next()
	s.Text = text.Text
	return s, nil
}
