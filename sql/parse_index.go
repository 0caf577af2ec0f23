package sql

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/dialect"
)

// createIndex reads what follows CREATE [UNIQUE] INDEX.
func (p tableParser) createIndex(pos Pos, unique bool) Statement {
	s := &CreateIndex{Unique: unique, Concurrently: p.Accept("concurrently"), IfNotExists: p.Accept("if", "not", "exists"), Pos: pos}
	if s.IfNotExists || !p.NextIs("on") {
		s.Name = p.ident()
	}
	p.Expect("on")
	table := p.namedTable()
	s.Table, s.Only = table.Name, table.Only
	if p.Accept("using") {
		s.Method = p.ident()
	}
	p.Expect("(")
	s.Columns = dialect.CommaListTo(p.Cursor, ")", p.indexColumn)
	if p.Accept("include") {
		p.Expect("(")
		s.Include = dialect.CommaListTo(p.Cursor, ")", p.ident)
	}
	if p.NextIs("nulls") {
		panic(p.refuse("NULLS of an index"))
	}
	p.storageOptions(&s.Storage)
	p.tablespace(&s.Storage)
	if p.Accept("where") {
		s.Where = p.exprText()
	}
	return s
}

// exprText reads an expression with its text.
func (p tableParser) exprText() *DefaultExpr {
	start := p.Peek().Pos
	e := p.expr()
	return &DefaultExpr{Expr: e, Text: p.Text(start, p.LastEnd())}
}

// indexColumn reads a column or an expression of an index.
func (p tableParser) indexColumn() (c IndexColumn) {
	switch {
	case p.NextIs("("):
		c.Expr = &DefaultExpr{}
		c.Expr.Expr, c.Expr.Text = p.inParens()
	case p.PeekAt(1).IsOneOf("(", "."):
		c.Expr = p.exprText()
	default:
		c.Name = p.ident()
	}
	switch t := p.Peek(); {
	case t.Is("collate"):
		panic(p.refuse("COLLATE of an index"))
	case t.IsName() && !p.NextIs("nulls", "first") && !p.NextIs("nulls", "last"):
		c.Class = p.ident()
	}
	descending := p.Accept("desc")
	if descending {
		c.Order = "DESC"
	} else {
		p.Accept("asc")
	}
	if !p.Accept("nulls") {
		return c
	}
	first := p.Accept("first")
	switch {
	case first && !descending:
		c.Order = "NULLS FIRST"
	case !first && descending:
		c.Order = "DESC NULLS LAST"
	}
	if first {
		return c
	}
	p.Expect("last")
	return c
}

// alterIndex reads what follows ALTER INDEX.
func (p tableParser) alterIndex(pos Pos) Statement {
	s := &RenameIndex{IfExists: p.Accept("if", "exists"), Pos: pos}
	s.Name = p.tableName()
	if p.NextIs("attach") && s.IfExists {
		panic(p.Unexpected())
	}
	if p.Accept("attach") {
		p.Expect("partition")
		return &AttachIndex{Name: s.Name, Part: p.tableName(), Pos: pos}
	}
	if t := p.Peek(); !p.Accept("rename", "to") {
		panic(dialect.Unsupported(t, strings.ToUpper(t.Text)+" in ALTER INDEX is"))
	}
	s.To = p.ident()
	return s
}

// reindex reads REINDEX.
func (p tableParser) reindex() Statement {
	s := &Reindex{Pos: Pos(p.Next().Pos)}
	if p.NextIs("(") {
		panic(p.refuse("an option of REINDEX"))
	}
	if !p.Peek().IsOneOf("index", "table", "schema", "database", "system") {
		panic(p.Unexpected())
	}
	s.Kind = p.Next().Text
	s.Concurrently = p.Accept("concurrently")
	s.Name = p.tableName()
	return s
}
