package sql

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/dialect"
)

// set reads SET in all its forms.
func (p sessionParser) set() Statement {
	first := p.Next()
	s := &Set{Pos: Pos(first.Pos)}
	switch {
	case p.NextIs("constraints") && !p.assigns():
		return p.setConstraints(Pos(first.Pos))
	case p.NextIs("local") && !p.assigns():
		p.Next()
		s.Local = true
	case p.NextIs("session") && !p.assigns() && !p.PeekAt(1).Is("authorization") && !p.NextIs("session", "characteristics", "as"):
		p.Next()
	}
	switch {
	case p.NextIs("transaction") && !p.assigns():
		return p.setTransaction(first, SetTransaction, "transaction")
	case p.NextIs("session", "characteristics", "as"):
		return p.setTransaction(first, SetCharacteristics, "session", "characteristics", "as", "transaction")
	}
	p.setRest(s)
	return s
}

// setConstraints reads SET CONSTRAINTS.
func (p sessionParser) setConstraints(pos Pos) Statement {
	p.Expect("constraints")
	s := &SetConstraints{Pos: pos}
	if !p.Accept("all") {
		s.Names = dialect.CommaList(p.Cursor, p.tableName)
	}
	if s.Deferred = p.Accept("deferred"); !s.Deferred {
		p.Expect("immediate")
	}
	return s
}

// assigns reports whether the word that comes next is a setting's name.
func (p sessionParser) assigns() bool { return p.PeekAt(1).IsOneOf("to", "=", ".", "from") }

// settingWords are the settings that have a syntax of their own.
var settingWords = []struct {
	name  string
	words []string
}{
	{"timezone", []string{"time", "zone"}},
	{"search_path", []string{"schema"}},
	{"client_encoding", []string{"names"}},
	{"role", []string{"role"}},
	{"session_authorization", []string{"session", "authorization"}},
}

// setRest reads a setting and its value.
func (p sessionParser) setRest(s *Set) {
	if !p.assigns() {
		for _, w := range settingWords {
			if p.Accept(w.words...) {
				s.Name = w.name
				p.namedSetting(s)
				return
			}
		}
		if p.NextIs("xml") || p.NextIs("catalog") {
			panic(p.refuse("SET " + strings.ToUpper(p.Peek().Text)))
		}
	}
	s.Name = p.settingName()
	if t := p.Peek(); p.Accept("from") {
		if !p.NextIs("current") {
			panic(p.Unexpected())
		}
		panic(dialect.Unsupported(t, "SET … FROM CURRENT is"))
	}
	if !p.acceptAny("to", "=") {
		panic(p.Unexpected())
	}
	if p.Accept("default") {
		s.Default = true
		return
	}
	p.setValues(s)
}

// namedSetting reads the value of a setting that stands without TO.
func (p sessionParser) namedSetting(s *Set) {
	switch s.Name {
	case "timezone":
		if p.acceptAny("default", "local") {
			s.Default = true
			return
		}
		if p.NextIs("interval") {
			p.intervalZone(s)
			return
		}
	case "client_encoding":
		if t := p.Peek(); t.Kind == dialect.End || t.IsOneOf(";", "default") {
			p.Accept("default")
			s.Default = true
			return
		}
	case "session_authorization":
		if p.Accept("default") {
			s.Default = true
			return
		}
	}
	t := p.Peek()
	plain := t.Kind == dialect.Word && t.Class == dialect.NotKeyword || t.Kind == dialect.Quoted
	number := s.Name == "timezone" && t.Kind != dialect.Word && t.Kind != dialect.Quoted
	switch {
	case t.Kind == dialect.String, s.Name == "timezone" && plain, number,
		(s.Name == "role" || s.Name == "session_authorization") && t.IsWord():
		s.Value = p.value()
		return
	}
	panic(p.Unexpected())
}

// intervalZone reads INTERVAL 'text' with its fields, which are hours and minutes.
func (p sessionParser) intervalZone(s *Set) {
	p.Next()
	text := p.stringValue()
	s.Value = "INTERVAL '" + text + "'"
	switch {
	case !p.Accept("hour"):
	case p.Accept("to"):
		p.Expect("minute")
		return
	}
}

// settingName reads a name, with a prefix or without.
func (p sessionParser) settingName() string {
	var parts []string
	for {
		id := p.Ident()
		parts = append(parts, strings.ToLower(id.Name))
		if !p.Accept(".") {
			return strings.Join(parts, ".")
		}
	}
}

func (p sessionParser) setValues(s *Set) {
	values := dialect.CommaList(p.Cursor, p.value)
	for i, v := range values {
		if s.Name == "search_path" {
			values[i] = dialect.QuoteName(v)
		}
	}
	s.Value = strings.Join(values, ", ")
}

func (p sessionParser) setTransaction(first dialect.Token, kind TransactionKind, words ...string) Statement {
	p.Expect(words...)
	if p.NextIs("snapshot") {
		panic(p.refuse("SET TRANSACTION SNAPSHOT"))
	}
	s := &Transaction{Kind: kind, Pos: Pos(first.Pos)}
	s.Modes = p.modes()
	if len(s.Modes) == 0 {
		panic(p.Unexpected())
	}
	return s
}

// shown reads the name behind RESET or SHOW.
func (p sessionParser) shown() string {
	switch {
	case p.Accept("all"):
		return "all"
	case p.Accept("time", "zone"):
		return "timezone"
	case p.Accept("transaction", "isolation"):
		p.Expect("level")
		return "transaction_isolation"
	case p.Accept("session", "authorization"):
		return "session_authorization"
	}
	return p.settingName()
}

func (p sessionParser) reset() Statement {
	s := &Set{Default: true, Reset: true, Pos: Pos(p.Next().Pos)}
	s.Name = p.shown()
	return s
}

func (p sessionParser) show() Statement {
	s := &Show{Pos: Pos(p.Next().Pos)}
	s.Name = p.shown()
	return s
}
