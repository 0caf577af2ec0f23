package sql

// inWith reads what changes rows within WITH.
func (p writeParser) inWith() any { return p.write() }

// write reads INSERT, UPDATE, DELETE or MERGE, with WITH before it.
func (p writeParser) write() Change {
	first := Pos(p.Peek().Pos)
	var with *With
	if p.NextIs("with") {
		with = convertQuery(p.With()).With
	}
	switch t := p.Peek(); {
	case t.Is("insert"):
		return p.insert(&Insert{With: with, Pos: first})
	case t.Is("update"):
		return p.update(&Update{With: with, Pos: first})
	case t.Is("delete"):
		return p.delete(&Delete{With: with, Pos: first})
	case t.Is("merge"):
		return p.merge(&Merge{With: with, Pos: first})
	}
	panic(p.Unexpected())
}

// insert reads INSERT INTO t [AS a] [(columns)] query or DEFAULT VALUES, with ON CONFLICT
// and RETURNING.
func (p writeParser) insert(s *Insert) Change {
	p.Next()
	p.Expect("into")
	s.Table = p.tableName()
	if p.Accept("as") {
		s.Alias = p.ident()
	}
	if !p.AtQuery() && !p.PeekAt(1).Is("(") {
		p.insertColumns(s)
	}
	p.overriding(s)
	switch {
	case s.Columns == nil && s.Overriding == "" && p.Accept("default"):
		p.Expect("values")
	default:
		s.Query = p.query()
	}
	s.OnConflict = p.onConflict()
	s.Returning = p.returning()
	return s
}

// delete reads DELETE FROM t [AS a] [USING …] [WHERE …] [RETURNING …].
func (p writeParser) delete(s *Delete) Change {
	p.Next()
	p.Expect("from")
	s.Table, s.Only, s.Alias = p.changedTable()
	s.Using = p.tables("using")
	s.Where = p.where()
	s.Returning = p.returning()
	return s
}

// update reads UPDATE t [AS a] SET … [FROM …] [WHERE …] [RETURNING …].
func (p writeParser) update(s *Update) Change {
	p.Next()
	s.Table, s.Only, s.Alias = p.changedTable()
	s.Set = p.assignments()
	s.From = p.tables("from")
	s.Where = p.where()
	s.Returning = p.returning()
	return s
}

// tables reads the list of FROM or USING, if there is one.
func (p writeParser) tables(word string) []TableExpr {
	if !p.Accept(word) {
		return nil
	}
	return selectPart(p.From()).From
}

// returning reads RETURNING, if there is one.
func (p writeParser) returning() []SelectItem {
	if !p.Accept("returning") {
		return nil
	}
	return selectPart(p.Items()).Items
}

// truncate reads TRUNCATE [TABLE] t, ….
func (p writeParser) truncate() Statement {
	s := &Truncate{Pos: Pos(p.Next().Pos)}
	s.Names = p.namedTables()
	if s.Restart = p.Accept("restart"); s.Restart || p.Accept("continue") {
		p.Expect("identity")
	}
	if s.Cascade = p.Accept("cascade"); !s.Cascade {
		p.Accept("restrict")
	}
	return s
}
