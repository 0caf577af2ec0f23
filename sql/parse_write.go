package sql

import "strings"

// write reads INSERT, UPDATE or DELETE, with WITH before it.
func (p writeParser) write() (Statement, error) {
	first := Pos(p.Peek().Pos)
	var with *With
	if p.NextIs("with") {
		q, err := p.part(p.With())
		if err != nil {
			return nil, err
		}
		with = q.With
	}
	switch t := p.Peek(); {
	case t.Is("insert"):
		return p.insert(&Insert{With: with, Pos: first})
	case t.Is("update"):
		return p.update(&Update{With: with, Pos: first})
	case t.Is("delete"):
		return p.delete(&Delete{With: with, Pos: first})
	default:
		return nil, p.refuse(strings.ToUpper(t.Text))
	}
}

// insert reads INSERT INTO t [AS a] [(columns)] query or DEFAULT VALUES, with ON CONFLICT
// and RETURNING.
func (p writeParser) insert(s *Insert) (Statement, error) {
	p.Next()
	if err := p.Expect("into"); err != nil {
		return nil, err
	}
	var err error
	if s.Table, err = p.tableName(); err != nil {
		return nil, err
	}
	if p.Accept("as") {
		if s.Alias, err = p.ident(); err != nil {
			return nil, err
		}
	}
	if p.NextIs("(") && !p.AtQuery() && !p.PeekAt(1).Is("(") {
		if s.Columns, err = p.columnList(); err != nil {
			if p.NextIs(".") || p.NextIs("[") {
				err = p.refuse("a part of a column in INSERT")
			}
			return nil, err
		}
	}
	if p.Accept("overriding") {
		if s.Overriding = p.Peek().Text; !p.acceptAny("user", "system") {
			return nil, p.Unexpected()
		}
		if err := p.Expect("value"); err != nil {
			return nil, err
		}
	}
	switch {
	case s.Columns == nil && s.Overriding == "" && p.Accept("default"):
		if err := p.Expect("values"); err != nil {
			return nil, err
		}
	default:
		if s.Query, err = p.query(); err != nil {
			return nil, err
		}
	}
	if s.OnConflict, err = p.onConflict(); err != nil {
		return nil, err
	}
	s.Returning, err = p.returning()
	return s, err
}

// delete reads DELETE FROM t [AS a] [USING …] [WHERE …] [RETURNING …].
func (p writeParser) delete(s *Delete) (Statement, error) {
	p.Next()
	if err := p.Expect("from"); err != nil {
		return nil, err
	}
	var err error
	if s.Table, s.Alias, err = p.changedTable(); err != nil {
		return nil, err
	}
	if s.Using, err = p.tables("using"); err != nil {
		return nil, err
	}
	if s.Where, err = p.where(); err != nil {
		return nil, err
	}
	s.Returning, err = p.returning()
	return s, err
}

// update reads UPDATE t [AS a] SET … [FROM …] [WHERE …] [RETURNING …].
func (p writeParser) update(s *Update) (Statement, error) {
	p.Next()
	var err error
	if s.Table, s.Alias, err = p.changedTable(); err != nil {
		return nil, err
	}
	if s.Set, err = p.assignments(); err != nil {
		return nil, err
	}
	if s.From, err = p.tables("from"); err != nil {
		return nil, err
	}
	if s.Where, err = p.where(); err != nil {
		return nil, err
	}
	s.Returning, err = p.returning()
	return s, err
}

// changedTable reads the name of the table whose rows are changed, with its
// alias.
func (p writeParser) changedTable() (Name, Ident, error) {
	only := p.Accept("only")
	inner := only && p.Accept("(")
	name, err := p.tableName()
	if err != nil {
		return nil, Ident{}, err
	}
	if inner {
		if err := p.Expect(")"); err != nil {
			return nil, Ident{}, err
		}
	}
	if !only {
		p.Accept("*")
	}
	var alias Ident
	switch {
	case p.Accept("as"):
		alias, err = p.ident()
	case p.Peek().IsName() && !p.NextIs("set"):
		alias, err = p.ident()
	}
	return name, alias, err
}

// tables reads the list of FROM or USING, if there is one.
func (p writeParser) tables(word string) ([]TableExpr, error) {
	if !p.Accept(word) {
		return nil, nil
	}
	s, err := p.selectPart(p.From())
	if err != nil {
		return nil, err
	}
	return s.From, nil
}

// returning reads RETURNING, if there is one.
func (p writeParser) returning() ([]SelectItem, error) {
	if !p.Accept("returning") {
		return nil, nil
	}
	s, err := p.selectPart(p.Items())
	if err != nil {
		return nil, err
	}
	return s.Items, nil
}

// truncate reads TRUNCATE [TABLE] t, ….
func (p writeParser) truncate() (Statement, error) {
	s := &Truncate{Pos: Pos(p.Next().Pos)}
	var err error
	if s.Names, err = p.namedTables(); err != nil {
		return nil, err
	}
	if s.Restart = p.Accept("restart"); s.Restart || p.Accept("continue") {
		if err := p.Expect("identity"); err != nil {
			return nil, err
		}
	}
	if s.Cascade = p.Accept("cascade"); !s.Cascade {
		p.Accept("restrict")
	}
	return s, nil
}
