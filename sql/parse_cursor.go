package sql

import (
	"strconv"

	"github.com/cubeloom/cubeloom/sql/dialect"
)

// cursorStatements read the statements about cursors and prepared statements, by
// their first word.
var cursorStatements = map[string]func(sessionParser) (Statement, error){
	"declare":    sessionParser.declare,
	"fetch":      sessionParser.fetch,
	"move":       sessionParser.fetch,
	"close":      sessionParser.closeCursor,
	"deallocate": sessionParser.deallocate,
	"discard":    sessionParser.discard,
	"unlisten":   sessionParser.unlisten,
}

// declare reads DECLARE name [options] CURSOR [WITH|WITHOUT HOLD] FOR query.
func (p sessionParser) declare() (Statement, error) {
	s := &Declare{Pos: Pos(p.Next().Pos)}
	var err error
	if s.Name, err = p.ident(); err != nil {
		return nil, err
	}
	for !p.Accept("cursor") {
		switch {
		case p.acceptAny("insensitive", "asensitive"):
		case p.NextIs("scroll"), p.NextIs("no"):
			scroll := !p.Accept("no")
			if err := p.Expect("scroll"); err != nil {
				return nil, err
			}
			s.Scroll = &scroll
		case p.NextIs("binary"):
			return nil, p.refuse("DECLARE BINARY")
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
func (p sessionParser) fetch() (Statement, error) {
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

// direction reads which rows FETCH takes. A word that stands alone is the
// cursor's name.
func (p sessionParser) direction(s *Fetch) error {
	if next := p.PeekAt(1); next.Kind == dialect.End || next.Is(";") {
		return nil
	}
	switch {
	case p.Accept("next"):
	case p.Accept("prior"):
		s.Count = -1
	case p.Accept("first"):
		s.Absolute = true
	case p.Accept("last"):
		s.Absolute, s.Count = true, -1
	case p.Accept("absolute"):
		s.Absolute = true
		return p.fetchCount(s)
	case p.Accept("relative"):
		s.Relative = true
		return p.fetchCount(s)
	case p.Accept("backward"):
		err := p.fetchCount(s)
		s.Count = -s.Count
		return err
	default:
		p.Accept("forward")
		return p.fetchCount(s)
	}
	return nil
}

// fetchCount reads ALL or a number, if there is one.
func (p sessionParser) fetchCount(s *Fetch) error {
	if !s.Absolute && !s.Relative && p.Accept("all") {
		s.Count = FetchAll
		return nil
	}
	negative := p.Accept("-")
	if !negative {
		p.Accept("+")
	}
	t := p.Peek()
	if t.Kind != dialect.Integer {
		if negative || s.Absolute || s.Relative {
			return p.Unexpected()
		}
		return nil
	}
	n, err := strconv.ParseInt(t.Text, 10, 32)
	if err != nil {
		return p.Unexpected()
	}
	if s.Count = n; negative {
		s.Count = -n
	}
	p.Next()
	return nil
}

// closeCursor reads CLOSE name or CLOSE ALL.
func (p sessionParser) closeCursor() (Statement, error) {
	s := &CloseCursor{Pos: Pos(p.Next().Pos)}
	var err error
	if s.All = p.Accept("all"); !s.All {
		s.Name, err = p.ident()
	}
	return s, err
}

// deallocate reads DEALLOCATE [PREPARE] name or ALL.
func (p sessionParser) deallocate() (Statement, error) {
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
func (p sessionParser) discard() (Statement, error) {
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
func (p sessionParser) unlisten() (Statement, error) {
	s := &Unlisten{Pos: Pos(p.Next().Pos)}
	var err error
	if s.All = p.Accept("*"); !s.All {
		s.Name, err = p.ident()
	}
	return s, err
}

// typeNames reads a list of types up to its closing parenthesis.
func (p parts) typeNames() ([]TypeName, error) {
	return dialect.CommaListTo(p.Cursor, ")", func() (TypeName, error) {
		t, err := p.TypeName()
		return typeName(t), err
	})
}

// execute reads EXECUTE name [(arguments)].
func (p sessionParser) execute() (*Execute, error) {
	s := &Execute{Pos: Pos(p.Next().Pos)}
	var err error
	if s.Name, err = p.ident(); err != nil || !p.Accept("(") {
		return s, err
	}
	s.Args, err = dialect.CommaListTo(p.Cursor, ")", p.expr)
	return s, err
}
