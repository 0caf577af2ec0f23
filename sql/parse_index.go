package sql

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/dialect"
)

// createIndex reads what follows CREATE [UNIQUE] INDEX.
func (p tableParser) createIndex(pos Pos, unique bool) (Statement, error) {
	s := &CreateIndex{Unique: unique, Concurrently: p.Accept("concurrently"), IfNotExists: p.Accept("if", "not", "exists"), Pos: pos}
	var err error
	if s.IfNotExists || !p.NextIs("on") {
		if s.Name, err = p.ident(); err != nil {
			return nil, err
		}
	}
	if err := p.Expect("on"); err != nil {
		return nil, err
	}
	p.Accept("only")
	if s.Table, err = p.tableName(); err != nil {
		return nil, err
	}
	if p.Accept("using") {
		if s.Method, err = p.ident(); err != nil {
			return nil, err
		}
	}
	if err := p.Expect("("); err != nil {
		return nil, err
	}
	for {
		c, err := p.indexColumn()
		if err != nil {
			return nil, err
		}
		if s.Columns = append(s.Columns, c); !p.Accept(",") {
			break
		}
	}
	if err := p.Expect(")"); err != nil {
		return nil, err
	}
	switch t := p.Peek(); {
	case t.Is("where"):
		return nil, p.refuse("a partial index")
	case t.IsOneOf("include", "with", "tablespace", "nulls"):
		return nil, p.refuse(strings.ToUpper(t.Text) + " of an index")
	}
	return s, nil
}

// indexColumn reads a column of an index.
func (p tableParser) indexColumn() (c IndexColumn, err error) {
	if p.NextIs("(") || p.PeekAt(1).Is("(") {
		return c, p.refuse("an index of an expression")
	}
	if c.Name, err = p.ident(); err != nil {
		return c, err
	}
	switch t := p.Peek(); {
	case t.Is("collate"):
		return c, p.refuse("COLLATE of an index")
	case t.IsName() && !p.NextIs("nulls", "first") && !p.NextIs("nulls", "last"):
		if c.Class, err = p.ident(); err != nil {
			return c, err
		}
	}
	descending := p.Accept("desc")
	if descending {
		c.Order = "DESC"
	} else {
		p.Accept("asc")
	}
	if !p.Accept("nulls") {
		return c, nil
	}
	first := p.Accept("first")
	switch {
	case first && !descending:
		c.Order = "NULLS FIRST"
	case !first && descending:
		c.Order = "DESC NULLS LAST"
	}
	if first {
		return c, nil
	}
	return c, p.Expect("last")
}

// renameIndex reads what follows ALTER INDEX.
func (p tableParser) renameIndex(pos Pos) (Statement, error) {
	s := &RenameIndex{IfExists: p.Accept("if", "exists"), Pos: pos}
	var err error
	if s.Name, err = p.tableName(); err != nil {
		return nil, err
	}
	if t := p.Peek(); !p.Accept("rename", "to") {
		return nil, dialect.Unsupported(t, strings.ToUpper(t.Text)+" in ALTER INDEX is")
	}
	s.To, err = p.ident()
	return s, err
}

// reindex reads REINDEX.
func (p tableParser) reindex() (Statement, error) {
	s := &Reindex{Pos: Pos(p.Next().Pos)}
	if p.NextIs("(") {
		return nil, p.refuse("an option of REINDEX")
	}
	if !p.Peek().IsOneOf("index", "table", "schema", "database", "system") {
		return nil, p.Unexpected()
	}
	s.Kind = p.Next().Text
	s.Concurrently = p.Accept("concurrently")
	var err error
	s.Name, err = p.tableName()
	return s, err
}
