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
func (p tableParser) lock() Statement {
	s := &Lock{Mode: "access exclusive", Pos: Pos(p.Next().Pos)}
	s.Names = p.namedTables()
	if p.Accept("in") {
		p.lockMode(s)
	}
	s.NoWait = p.Accept("nowait")
	return s
}

// namedTables reads [TABLE] t, ….
func (p parts) namedTables() []NamedTable {
	p.Accept("table")
	return dialect.CommaList(p.Cursor, p.namedTable)
}

// lockMode reads a mode of LOCK.
func (p tableParser) lockMode(s *Lock) {
	for _, mode := range lockModes {
		if p.Accept(strings.Fields(mode)...) {
			s.Mode = mode
			p.Expect("mode")
			return
		}
	}
	panic(p.Unexpected())
}

// commentKinds are the kinds of objects that COMMENT is for, and whether they are
// relations, which have a qualified name.
var commentKinds = map[string]bool{
	"table": true, "view": true, "materialized": true, "hierarchy": true, "sequence": true, "index": true, "type": true, "domain": true, "function": true, "column": true,
	"constraint": false, "schema": false, "database": false,
}

// comment reads COMMENT ON kind name IS 'text' | NULL.
func (p tableParser) comment() Statement {
	s := &Comment{Pos: Pos(p.Next().Pos)}
	p.Expect("on")
	p.commented(s)
	p.Expect("is")
	text := p.Peek()
	if p.Accept("null") {
		return s
	}
	if text.Kind != dialect.String {
		panic(p.Unexpected())
	}
	p.Next()
	s.Text = text.Text
	return s
}

// commented reads what a comment is about.
func (p tableParser) commented(s *Comment) {
	kind := p.Peek()
	qualified, known := commentKinds[kind.Text]
	switch {
	case kind.Kind != dialect.Word:
		panic(p.Unexpected())
	case !known:
		panic(dialect.Unsupported(kind, "COMMENT ON "+strings.ToUpper(kind.Text)+" is"))
	}
	p.Next()
	if s.Kind = kind.Text; s.Kind == "materialized" {
		p.Expect("view")
		s.Kind = "materialized view"
	}
	if s.Kind == "function" {
		s.Function = p.functionRef()
		s.Name = s.Function.Name
		return
	}
	if s.Name = p.tableName(); !qualified && len(s.Name) > 1 {
		panic(p.Unexpected())
	}
	switch {
	case s.Kind == "column" && len(s.Name) < 2:
		panic(sqlstate.ErrorAt(sqlstate.NoPos, sqlstate.Syntax, "column name must be qualified"))
	case s.Kind == "constraint":
		p.Expect("on")
		if s.OfDomain = p.NextIs("domain") && !p.PeekAt(1).Is("is") && !p.PeekAt(1).Is("."); s.OfDomain {
			p.Next()
		}
		s.Table = p.tableName()
	}
}
