package sql

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/dialect"
)

// set reads SET in all its forms.
func (p sessionParser) set() (Statement, error) {
	first := p.Next()
	s := &Set{Pos: Pos(first.Pos)}
	switch {
	case p.NextIs("constraints") && !p.assigns():
		return nil, p.refuse("SET CONSTRAINTS")
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
	return s, p.setRest(s)
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
func (p sessionParser) setRest(s *Set) error {
	if !p.assigns() {
		for _, w := range settingWords {
			if p.Accept(w.words...) {
				s.Name = w.name
				return p.namedSetting(s)
			}
		}
		if p.NextIs("xml") || p.NextIs("catalog") {
			return p.refuse("SET " + strings.ToUpper(p.Peek().Text))
		}
	}
	var err error
	if s.Name, err = p.settingName(); err != nil {
		return err
	}
	if t := p.Peek(); p.Accept("from") {
		if !p.NextIs("current") {
			return p.Unexpected()
		}
		return dialect.Unsupported(t, "SET … FROM CURRENT is")
	}
	if !p.acceptAny("to", "=") {
		return p.Unexpected()
	}
	if p.Accept("default") {
		s.Default = true
		return nil
	}
	return p.setValues(s)
}

// namedSetting reads the value of a setting that stands without TO.
func (p sessionParser) namedSetting(s *Set) error {
	switch s.Name {
	case "timezone":
		if p.acceptAny("default", "local") {
			s.Default = true
			return nil
		}
		if p.NextIs("interval") {
			return p.intervalZone(s)
		}
	case "client_encoding":
		if t := p.Peek(); t.Kind == dialect.End || t.IsOneOf(";", "default") {
			p.Accept("default")
			s.Default = true
			return nil
		}
	case "session_authorization":
		if p.Accept("default") {
			s.Default = true
			return nil
		}
	}
	t := p.Peek()
	plain := t.Kind == dialect.Word && t.Class == dialect.NotKeyword || t.Kind == dialect.Quoted
	number := s.Name == "timezone" && t.Kind != dialect.Word && t.Kind != dialect.Quoted
	switch {
	case t.Kind == dialect.String, s.Name == "timezone" && plain, number,
		(s.Name == "role" || s.Name == "session_authorization") && t.IsWord():
		var err error
		s.Value, err = p.value()
		return err
	}
	return p.Unexpected()
}

// intervalZone reads INTERVAL 'text' with its fields, which are hours and minutes.
func (p sessionParser) intervalZone(s *Set) error {
	p.Next()
	text, err := p.stringValue()
	if err != nil {
		return err
	}
	s.Value = "INTERVAL '" + text + "'"
	switch {
	case !p.Accept("hour"):
	case p.Accept("to"):
		return p.Expect("minute")
	}
	return nil
}

// settingName reads a name, with a prefix or without.
func (p sessionParser) settingName() (string, error) {
	var parts []string
	for {
		id, err := p.Ident()
		if err != nil {
			return "", err
		}
		parts = append(parts, strings.ToLower(id.Name))
		if !p.Accept(".") {
			return strings.Join(parts, "."), nil
		}
	}
}

func (p sessionParser) setValues(s *Set) error {
	values, err := dialect.CommaList(p.Cursor, p.value)
	s.Value = strings.Join(values, ", ")
	return err
}

func (p sessionParser) setTransaction(first dialect.Token, kind TransactionKind, words ...string) (Statement, error) {
	if err := p.Expect(words...); err != nil {
		return nil, err
	}
	if p.NextIs("snapshot") {
		return nil, p.refuse("SET TRANSACTION SNAPSHOT")
	}
	s := &Transaction{Kind: kind, Pos: Pos(first.Pos)}
	var err error
	s.Modes, err = p.modes()
	if err == nil && len(s.Modes) == 0 {
		err = p.Unexpected()
	}
	return s, err
}

// shown reads the name behind RESET or SHOW.
func (p sessionParser) shown() (string, error) {
	switch {
	case p.Accept("all"):
		return "all", nil
	case p.Accept("time", "zone"):
		return "timezone", nil
	case p.Accept("transaction", "isolation"):
		return "transaction_isolation", p.Expect("level")
	case p.Accept("session", "authorization"):
		return "session_authorization", nil
	}
	return p.settingName()
}

func (p sessionParser) reset() (Statement, error) {
	s := &Set{Default: true, Reset: true, Pos: Pos(p.Next().Pos)}
	var err error
	s.Name, err = p.shown()
	return s, err
}

func (p sessionParser) show() (Statement, error) {
	s := &Show{Pos: Pos(p.Next().Pos)}
	var err error
	s.Name, err = p.shown()
	return s, err
}
