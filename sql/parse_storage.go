package sql

import "github.com/cubeloom/cubeloom/sql/dialect"

// accessMethod reads [USING method].
func (p tableParser) accessMethod(s *Storage) {
	if p.Accept("using") {
		s.Method = p.ident()
	}
}

// storageOptions reads [WITH (parameter [= value], …)] or WITHOUT OIDS.
func (p tableParser) storageOptions(s *Storage) {
	if !p.Accept("without", "oids") && p.Accept("with") {
		s.Options = p.options(tableStyle)
	}
}

// tablespace reads [TABLESPACE name].
func (p tableParser) tablespace(s *Storage) {
	if p.Accept("tablespace") {
		s.Tablespace = p.ident()
	}
}

// keyStorage reads what stands behind the columns of a constraint that makes an index.
func (p tableParser) keyStorage() (s Storage) {
	p.storageOptions(&s)
	if p.Accept("using", "index") {
		p.Expect("tablespace")
		s.Tablespace = p.ident()
	}
	return s
}

// storageAction reads what ALTER TABLE says of storage; nil: something else.
func (p tableParser) storageAction() *StorageAction {
	start, a := p.Peek().Pos, &StorageAction{}
	switch {
	case p.NextIs("set", "("), p.NextIs("reset", "("):
		p.parameters(a)
	case p.Accept("set", "without", "oids"), p.Accept("set", "logged"),
		p.Accept("set", "unlogged"):
	case p.NextIs("set", "tablespace"):
		p.Next()
		p.tablespace(&a.Storage)
	case p.Accept("replica", "identity"):
		p.replicaIdentity()
	default:
		return nil
	}
	a.Text = p.Text(start, p.LastEnd())
	return a
}

// parameters reads SET (parameter [= value], …) and RESET (parameter, …).
func (p tableParser) parameters(a *StorageAction) {
	if p.Next().Is("set") {
		a.Storage.Options = p.options(tableStyle)
		return
	}
	p.Expect("(")
	dialect.CommaListTo(p.Cursor, ")", p.label)
}

func (p tableParser) replicaIdentity() {
	if !p.acceptAny("default", "full", "nothing") {
		p.Expect("using", "index")
		p.ident()
	}
}

// columnAction reads what ALTER COLUMN says of how PostgreSQL stores a column; nil: something else.
func (p tableParser) columnAction(column Ident) *StorageAction {
	start, a := p.Peek().Pos, &StorageAction{Column: column}
	switch {
	case p.Accept("set", "statistics"):
		p.Accept("-")
		p.Next()
	case p.NextIs("set", "storage"), p.NextIs("set", "compression"):
		p.Next()
		a.Method.Name = p.Next().Text
		a.Method.Value = p.label().Name
	case p.NextIs("set", "("), p.NextIs("reset", "("):
		p.parameters(a)
	default:
		return nil
	}
	a.Text = p.Text(start, p.LastEnd())
	return a
}
