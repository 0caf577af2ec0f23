package sql

import (
	"strconv"

	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// createSequence reads CREATE SEQUENCE behind these words.
func (p tableParser) createSequence(pos Pos, temporary bool) Statement {
	s := &CreateSequence{Temporary: temporary, IfNotExists: p.Accept("if", "not", "exists"), Pos: pos}
	s.Name = p.tableName()
	p.sequenceOptions(&s.Options)
	return s
}

// alterSequence reads ALTER SEQUENCE behind these words.
func (p tableParser) alterSequence(pos Pos) Statement {
	s := &AlterSequence{IfExists: p.Accept("if", "exists"), Pos: pos}
	s.Name = p.tableName()
	switch {
	case p.Accept("rename", "to"):
		s.Rename = p.ident()
		return s
	case p.Accept("owner", "to"):
		to := p.roleRef()
		s.Owner = &to
		return s
	case p.Peek().Kind == dialect.End || p.NextIs(";"):
		panic(p.Unexpected())
	case p.Accept("set", "schema"):
		s.Schema = p.ident()
		return s
	}
	p.sequenceOptions(&s.Options)
	return s
}

// sequenceOptions reads options as long as there are any.
func (p tableParser) sequenceOptions(o *SequenceOptions) {
	seen := map[string]bool{}
	for {
		t := p.Peek()
		name := t.Text
		if name == "no" {
			name = p.PeekAt(1).Text
		}
		if !p.sequenceOption(o) {
			return
		}
		if seen[name] {
			panic(sqlstate.ErrorAt(t.Pos, sqlstate.Syntax, "conflicting or redundant options"))
		}
		seen[name] = true
	}
}

// sequenceOption reads one option; false when there is none.
func (p tableParser) sequenceOption(o *SequenceOptions) bool {
	yes, no := true, false
	switch {
	case p.Accept("as"):
		name := typeName(p.TypeName())
		o.Type = &name
	case p.Accept("no", "minvalue"):
		o.NoMin = true
	case p.Accept("no", "maxvalue"):
		o.NoMax = true
	case p.Accept("no", "cycle"):
		o.Cycle = &no
	case p.Accept("cycle"):
		o.Cycle = &yes
	case p.Accept("increment"):
		p.Accept("by")
		o.Increment = p.signed()
	case p.Accept("start"):
		p.Accept("with")
		o.Start = p.signed()
	case p.Accept("minvalue"):
		o.Min = p.signed()
	case p.Accept("maxvalue"):
		o.Max = p.signed()
	case p.Accept("cache"):
		o.Cache = p.signed()
	case p.Accept("restart"):
		o.Restart = true
		if p.Accept("with") || p.Peek().Kind == dialect.Integer || p.NextIs("-") {
			o.RestartAt = p.signed()
		}
	case p.Accept("owned", "by"):
		if o.OwnedByNone = p.Accept("none"); !o.OwnedByNone {
			o.OwnedBy = p.tableName()
		}
	case p.Accept("sequence", "name"):
		o.Named = p.tableName()
	default:
		return false
	}
	return true
}

// signed reads an integer with its sign.
func (p tableParser) signed() *int64 {
	sign := ""
	if p.Accept("-") {
		sign = "-"
	} else {
		p.Accept("+")
	}
	t := p.Peek()
	if t.Kind != dialect.Integer {
		panic(p.Unexpected())
	}
	p.Next()
	n, err := strconv.ParseInt(sign+t.Text, 10, 64)
	if err != nil {
		panic(sqlstate.ErrorAt(t.Pos, sqlstate.OutOfRange, "value \"%s%s\" is out of range for type bigint", sign, t.Text))
	}
	return &n
}

// generatedWhen reads ALWAYS or BY DEFAULT, and AS, behind GENERATED.
func (p tableParser) generatedWhen() (always bool) {
	if always = p.Accept("always"); !always {
		p.Expect("by", "default")
	}
	p.Expect("as")
	return always
}

// identity reads IDENTITY and the options.
func (p tableParser) identity(always bool) *Identity {
	i := &Identity{Always: always}
	p.Expect("identity")
	if !p.Accept("(") {
		return i
	}
	p.sequenceOptions(&i.Options)
	p.Expect(")")
	return i
}

// setsSequence reports whether SET is followed by an option of a sequence.
func (p tableParser) setsSequence() bool {
	return p.PeekAt(1).IsOneOf("increment", "start", "restart", "minvalue", "maxvalue", "no", "cache", "cycle", "sequence")
}

// setIdentity reads SET GENERATED, SET and options of a sequence, and RESTART, one or more of them.
func (p tableParser) setIdentity() *SetIdentity {
	s := &SetIdentity{}
	for {
		switch {
		case p.Accept("set", "generated"):
			always := p.Accept("always")
			if !always {
				p.Expect("by", "default")
			}
			s.Always = &always
		case p.NextIs("restart"):
			p.sequenceOption(&s.Options)
		case p.NextIs("set") && p.setsSequence():
			p.Next()
			p.sequenceOption(&s.Options)
		default:
			return s
		}
	}
}
