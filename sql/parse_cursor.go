package sql

import "github.com/cubeloom/cubeloom/sql/dialect"

// cursorStatements read the statements about cursors and prepared statements, by
// their first word.
var cursorStatements = map[string]func(sessionParser) Statement{
	"declare":    sessionParser.declare,
	"fetch":      sessionParser.fetch,
	"move":       sessionParser.fetch,
	"close":      sessionParser.closeCursor,
	"deallocate": sessionParser.deallocate,
	"discard":    sessionParser.discard,
	"unlisten":   sessionParser.unlisten,
}

// declare reads DECLARE name [options] CURSOR [WITH|WITHOUT HOLD] FOR query.
func (p sessionParser) declare() Statement {
	s := &Declare{Pos: Pos(p.Next().Pos)}
	s.Name = p.ident()
	for !p.Accept("cursor") {
		switch {
		case p.acceptAny("insensitive", "asensitive"):
		case p.NextIs("scroll"), p.NextIs("no"):
			scroll := !p.Accept("no")
			p.Expect("scroll")
			s.Scroll = &scroll
		case p.NextIs("binary"):
			panic(p.refuse("DECLARE BINARY"))
		default:
			panic(p.Unexpected())
		}
	}
	switch {
	case p.Accept("with", "hold"):
		s.Hold = true
	case p.Accept("without", "hold"):
	}
	p.Expect("for")
	s.Query = p.query()
	return s
}

// fetch reads FETCH or MOVE [direction] [FROM|IN] name.
func (p sessionParser) fetch() Statement {
	first := p.Next()
	s := &Fetch{Count: 1, Move: first.Is("move"), Pos: Pos(first.Pos)}
	p.direction(s)
	p.acceptAny("from", "in")
	s.Name = p.ident()
	return s
}

// direction reads which rows FETCH takes. A word that stands alone is the
// cursor's name.
func (p sessionParser) direction(s *Fetch) {
	if next := p.PeekAt(1); next.Kind == dialect.End || next.Is(";") {
		return
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
		p.fetchCount(s)
		return
	case p.Accept("relative"):
		s.Relative = true
		p.fetchCount(s)
		return
	case p.Accept("backward"):
		p.fetchCount(s)
		s.Count = -s.Count
		return
	default:
		p.Accept("forward")
		p.fetchCount(s)
		return
	}
}

// fetchCount reads ALL or a number, if there is one.
func (p sessionParser) fetchCount(s *Fetch) {
	if !s.Absolute && !s.Relative && p.Accept("all") {
		s.Count = FetchAll
		return
	}
	negative := p.Accept("-")
	if !negative {
		p.Accept("+")
	}
	t := p.Peek()
	if t.Kind != dialect.Integer {
		if negative || s.Absolute || s.Relative {
			panic(p.Unexpected())
		}
		return
	}
	if s.Count = p.Int(); negative {
		s.Count = -s.Count
	}
}

// closeCursor reads CLOSE name or CLOSE ALL.
func (p sessionParser) closeCursor() Statement {
	s := &CloseCursor{Pos: Pos(p.Next().Pos)}
	if s.All = p.Accept("all"); !s.All {
		s.Name = p.ident()
	}
	return s
}

// deallocate reads DEALLOCATE [PREPARE] name or ALL.
func (p sessionParser) deallocate() Statement {
	s := &Deallocate{Pos: Pos(p.Next().Pos)}
	if next := p.PeekAt(1); next.Kind != dialect.End && !next.Is(";") {
		p.Accept("prepare")
	}
	if s.All = p.Accept("all"); !s.All {
		s.Name = p.ident()
	}
	return s
}

// discard reads DISCARD ALL, PLANS, SEQUENCES, TEMP or TEMPORARY.
func (p sessionParser) discard() Statement {
	s := &Discard{Pos: Pos(p.Next().Pos)}
	t := p.Peek()
	if !p.acceptAny("all", "plans", "sequences", "temp", "temporary") {
		panic(p.Unexpected())
	}
	if s.What = t.Text; s.What == "temporary" {
		s.What = "temp"
	}
	return s
}

// unlisten reads UNLISTEN name or UNLISTEN *, which connection pools send.
func (p sessionParser) unlisten() Statement {
	s := &Unlisten{Pos: Pos(p.Next().Pos)}
	if s.All = p.Accept("*"); !s.All {
		s.Name = p.ident()
	}
	return s
}

// typeNames reads a list of types up to its closing parenthesis.
func (p parts) typeNames() []TypeName {
	return dialect.CommaListTo(p.Cursor, ")", func() TypeName {
		return typeName(p.TypeName())
	})
}

// execute reads EXECUTE name [(arguments)].
func (p sessionParser) execute() *Execute {
	s := &Execute{Pos: Pos(p.Next().Pos)}
	s.Name = p.ident()
	if p.Accept("(") {
		s.Args = dialect.CommaListTo(p.Cursor, ")", p.expr)
	}
	return s
}
