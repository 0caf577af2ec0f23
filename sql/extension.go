package sql

import "github.com/cubeloom/cubeloom/sql/dialect"

// CreateExtension is CREATE EXTENSION; there is none to install.
type CreateExtension struct {
	Name        Ident
	IfNotExists bool
	Pos         Pos
}

func (*CreateExtension) statement() {}

// createExtension reads what follows CREATE EXTENSION.
func (p tableParser) createExtension(pos Pos) Statement {
	s := &CreateExtension{IfNotExists: p.Accept("if", "not"), Pos: pos}
	if s.IfNotExists {
		p.Expect("exists")
	}
	s.Name = p.ident()
	p.Accept("with")
	for {
		switch {
		case p.Accept("schema"):
			p.ident()
		case p.Accept("version"):
			if t := p.Peek(); t.Kind == dialect.String {
				p.Next()
			} else {
				p.label()
			}
		case !p.Accept("cascade"):
			return s
		}
	}
}
