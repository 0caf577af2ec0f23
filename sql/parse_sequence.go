package sql

import (
	"strconv"

	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// createSequence reads CREATE SEQUENCE behind these words.
func (p tableParser) createSequence(pos Pos, temporary bool) (Statement, error) {
	s := &CreateSequence{Temporary: temporary, IfNotExists: p.Accept("if", "not", "exists"), Pos: pos}
	var err error
	if s.Name, err = p.tableName(); err != nil {
		return nil, err
	}
	return s, p.sequenceOptions(&s.Options)
}

// alterSequence reads ALTER SEQUENCE behind these words.
func (p tableParser) alterSequence(pos Pos) (Statement, error) {
	s := &AlterSequence{IfExists: p.Accept("if", "exists"), Pos: pos}
	var err error
	if s.Name, err = p.tableName(); err != nil {
		return nil, err
	}
	switch {
	case p.Accept("rename", "to"):
		s.Rename, err = p.ident()
		return s, err
	case p.Accept("owner", "to"):
		to, err := p.roleRef()
		s.Owner = &to
		return s, err
	case p.Peek().Kind == dialect.End || p.NextIs(";"):
		return nil, p.Unexpected()
	case p.NextIs("set", "schema"):
		return nil, p.refuse("SET SCHEMA of a sequence")
	}
	return s, p.sequenceOptions(&s.Options)
}

// sequenceOptions reads options as long as there are any.
func (p tableParser) sequenceOptions(o *SequenceOptions) error {
	seen := map[string]bool{}
	for {
		t := p.Peek()
		name := t.Text
		if name == "no" {
			name = p.PeekAt(1).Text
		}
		more, err := p.sequenceOption(o)
		if !more || err != nil {
			return err
		}
		if seen[name] {
			return sqlstate.ErrorAt(t.Pos, sqlstate.Syntax, "conflicting or redundant options")
		}
		seen[name] = true
	}
}

// sequenceOption reads one option; false when there is none.
func (p tableParser) sequenceOption(o *SequenceOptions) (bool, error) {
	var err error
	yes, no := true, false
	switch {
	case p.Accept("as"):
		var typ dialect.TypeName
		typ, err = p.TypeName()
		name := typeName(typ)
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
		o.Increment, err = p.signed()
	case p.Accept("start"):
		p.Accept("with")
		o.Start, err = p.signed()
	case p.Accept("minvalue"):
		o.Min, err = p.signed()
	case p.Accept("maxvalue"):
		o.Max, err = p.signed()
	case p.Accept("cache"):
		o.Cache, err = p.signed()
	case p.Accept("restart"):
		o.Restart = true
		if p.Accept("with") || p.Peek().Kind == dialect.Integer || p.NextIs("-") {
			o.RestartAt, err = p.signed()
		}
	case p.Accept("owned", "by"):
		if o.OwnedByNone = p.Accept("none"); !o.OwnedByNone {
			o.OwnedBy, err = p.tableName()
		}
	case p.Accept("sequence", "name"):
		o.Named, err = p.tableName()
	default:
		return false, nil
	}
	return true, err
}

// signed reads an integer with its sign.
func (p tableParser) signed() (*int64, error) {
	sign := ""
	if p.Accept("-") {
		sign = "-"
	} else {
		p.Accept("+")
	}
	t := p.Peek()
	if t.Kind != dialect.Integer {
		return nil, p.Unexpected()
	}
	p.Next()
	n, err := strconv.ParseInt(sign+t.Text, 10, 64)
	if err != nil {
		return nil, sqlstate.ErrorAt(t.Pos, sqlstate.OutOfRange, "value \"%s%s\" is out of range for type bigint", sign, t.Text)
	}
	return &n, nil
}

// identity reads ALWAYS or BY DEFAULT, AS IDENTITY and the options, behind GENERATED.
func (p tableParser) identity() (*Identity, error) {
	i := &Identity{Always: p.Accept("always")}
	if !i.Always {
		if err := p.Expect("by", "default"); err != nil {
			return nil, err
		}
	}
	if err := p.Expect("as"); err != nil {
		return nil, err
	}
	if i.Always && p.NextIs("(") {
		return nil, p.refuse("a GENERATED column")
	}
	if err := p.Expect("identity"); err != nil {
		return nil, err
	}
	if !p.Accept("(") {
		return i, nil
	}
	if err := p.sequenceOptions(&i.Options); err != nil {
		return nil, err
	}
	return i, p.Expect(")")
}
