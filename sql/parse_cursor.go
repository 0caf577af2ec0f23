package sql

import (
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/sql/dialect"
)

// cursorStatements read the statements about cursors and prepared statements, by
// their first word.
var cursorStatements = map[string]func(*parser) (Statement, error){
	"declare":    (*parser).declare,
	"fetch":      (*parser).fetch,
	"move":       (*parser).fetch,
	"close":      (*parser).closeCursor,
	"deallocate": (*parser).deallocate,
	"discard":    (*parser).discard,
	"unlisten":   (*parser).unlisten,
}

// declare reads DECLARE name [options] CURSOR [WITH|WITHOUT HOLD] FOR query. A
// cursor only moves forward, so that SCROLL is refused.
func (p *parser) declare() (Statement, error) {
	s := &Declare{Pos: Pos(p.Next().Pos)}
	var err error
	if s.Name, err = p.ident(); err != nil {
		return nil, err
	}
	for !p.Accept("cursor") {
		switch {
		case p.Accept("no", "scroll"), p.acceptAny("insensitive", "asensitive"):
		case p.NextIs("scroll"), p.NextIs("binary"):
			return nil, p.refuse("DECLARE " + strings.ToUpper(p.Peek().Text))
		default:
			return nil, p.Unexpected()
		}
	}
	switch {
	case p.Accept("with", "hold"):
		s.Hold = true
	case p.Accept("without", "hold"):
	}
	if err := p.Expect("for"); err != nil {
		return nil, err
	}
	s.Query, err = p.query()
	return s, err
}

// fetch reads FETCH or MOVE [direction] [FROM|IN] name.
func (p *parser) fetch() (Statement, error) {
	first := p.Next()
	s := &Fetch{Count: 1, Move: first.Is("move"), Pos: Pos(first.Pos)}
	if err := p.direction(s); err != nil {
		return nil, err
	}
	p.acceptAny("from", "in")
	var err error
	s.Name, err = p.ident()
	return s, err
}

// direction reads how many rows FETCH takes. A word that stands alone is the
// cursor's name.
func (p *parser) direction(s *Fetch) error {
	t := p.Peek()
	if next := p.PeekAt(1); next.Kind == dialect.End || next.Is(";") {
		return nil
	}
	switch {
	case t.IsOneOf("prior", "first", "last", "absolute", "relative", "backward"), t.Is("-"):
		return p.refuse(strings.ToUpper(map[bool]string{true: "MOVE ", false: "FETCH "}[s.Move]+t.Text) + ", where cursors only move forward,")
	case p.Accept("next"):
		return nil
	case p.Accept("forward"):
		if !p.Accept("all") {
			return p.fetchCount(s)
		}
		s.Count = FetchAll
	case p.Accept("all"):
		s.Count = FetchAll
	default:
		return p.fetchCount(s)
	}
	return nil
}

// fetchCount reads a number, if there is one.
func (p *parser) fetchCount(s *Fetch) error {
	p.Accept("+")
	t := p.Peek()
	if t.Is("-") || t.Kind == dialect.Integer && strings.Trim(t.Text, "0") == "" {
		return p.refuse("FETCH of this count, where cursors only move forward,")
	}
	if t.Kind != dialect.Integer {
		return nil
	}
	var err error
	if s.Count, err = strconv.ParseInt(t.Text, 10, 64); err != nil {
		return p.Unexpected()
	}
	p.Next()
	return nil
}

// closeCursor reads CLOSE name or CLOSE ALL.
func (p *parser) closeCursor() (Statement, error) {
	s := &CloseCursor{Pos: Pos(p.Next().Pos)}
	var err error
	if s.All = p.Accept("all"); !s.All {
		s.Name, err = p.ident()
	}
	return s, err
}

// deallocate reads DEALLOCATE [PREPARE] name or ALL.
func (p *parser) deallocate() (Statement, error) {
	s := &Deallocate{Pos: Pos(p.Next().Pos)}
	if next := p.PeekAt(1); next.Kind != dialect.End && !next.Is(";") {
		p.Accept("prepare")
	}
	var err error
	if s.All = p.Accept("all"); !s.All {
		s.Name, err = p.ident()
	}
	return s, err
}

// discard reads DISCARD ALL, PLANS, SEQUENCES, TEMP or TEMPORARY.
func (p *parser) discard() (Statement, error) {
	s := &Discard{Pos: Pos(p.Next().Pos)}
	t := p.Peek()
	if !p.acceptAny("all", "plans", "sequences", "temp", "temporary") {
		return nil, p.Unexpected()
	}
	if s.What = t.Text; s.What == "temporary" {
		s.What = "temp"
	}
	return s, nil
}

// unlisten reads UNLISTEN name or UNLISTEN *, which connection pools send.
func (p *parser) unlisten() (Statement, error) {
	s := &Unlisten{Pos: Pos(p.Next().Pos)}
	var err error
	if s.All = p.Accept("*"); !s.All {
		s.Name, err = p.ident()
	}
	return s, err
}
