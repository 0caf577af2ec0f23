package sql

// creation is what CREATE says before the object.
type creation struct {
	pos       Pos
	orReplace bool
	temporary bool
}

// create reads CREATE [OR REPLACE] [TEMPORARY] TABLE, VIEW or HIERARCHY. CREATE OR
// REPLACE TABLE is ours.
func (p tableParser) create() (Statement, error) {
	c := creation{pos: Pos(p.Next().Pos)}
	if c.orReplace = p.Accept("or"); c.orReplace {
		if err := p.Expect("replace"); err != nil {
			return nil, err
		}
	}
	local := p.acceptAny("local", "global")
	c.temporary = p.acceptAny("temporary", "temp")
	if local && !c.temporary {
		return nil, p.Unexpected()
	}
	unlogged := !c.temporary && p.Accept("unlogged")
	switch {
	case p.Accept("table"):
		return p.createTable(c)
	case unlogged:
		return nil, p.Unexpected()
	case p.Accept("view"):
		return p.createView(c)
	case c.orReplace && p.NextIs("hierarchy"):
		return nil, p.refuse("CREATE OR REPLACE HIERARCHY")
	case p.Accept("hierarchy"):
		return p.createHierarchy(c.pos, c.temporary)
	case p.NextIs("recursive", "view"):
		return nil, p.refuse("CREATE RECURSIVE VIEW")
	}
	if !c.orReplace && p.Accept("sequence") {
		return p.createSequence(c.pos, c.temporary)
	}
	if !c.orReplace && !c.temporary {
		if unique := p.Accept("unique", "index"); unique || p.Accept("index") {
			return p.createIndex(c.pos, unique)
		}
		if kind, ok := p.acceptRole(); ok {
			return roleParser(p).createRole(c.pos, kind)
		}
	}
	return nil, p.refuseObject("CREATE")
}

// createTable reads a table's definition, or the query that makes it.
func (p tableParser) createTable(c creation) (Statement, error) {
	ifNotExists := p.Accept("if", "not")
	if ifNotExists {
		if err := p.Expect("exists"); err != nil {
			return nil, err
		}
	}
	name, err := p.tableName()
	if err != nil {
		return nil, err
	}
	as := &CreateTableAs{Name: name, IfNotExists: ifNotExists, OrReplace: c.orReplace,
		Temporary: c.temporary, Pos: c.pos}
	names := p.NextIs("(") && p.PeekAt(1).IsName() && p.PeekAt(2).IsOneOf(",", ")")
	if names {
		if as.Columns, err = p.columnList(); err != nil {
			return nil, err
		}
	}
	if p.NextIs("on", "commit") && (names || !p.NextIs("(")) {
		if as.OnCommit, err = p.onCommit(); err != nil {
			return nil, err
		}
		if !p.NextIs("as") {
			return nil, p.Unexpected()
		}
	}
	if p.Accept("as") {
		return p.createTableAs(as)
	}
	switch {
	case p.NextIs("of"):
		return nil, p.refuse("CREATE TABLE OF")
	case names || !p.NextIs("("):
		return nil, p.refuseOptions()
	}
	t := &CreateTable{Name: name, IfNotExists: ifNotExists, OrReplace: c.orReplace,
		Temporary: c.temporary, Pos: c.pos}
	d := &definition{table: t}
	if err := p.tableElements(d); err != nil {
		return nil, err
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	return t, p.tableOptions(t)
}

// refuseOptions is the error for what stands between the name and AS.
func (p tableParser) refuseOptions() error {
	for _, o := range [][2]string{{"with", "("}, {"without", "oids"}, {"partition", "of"}} {
		if err := p.refuseClause(o[0], o[1], "an option of CREATE TABLE AS"); err != nil {
			return err
		}
	}
	return p.Unexpected()
}

func (p tableParser) createTableAs(s *CreateTableAs) (Statement, error) {
	var err error
	if p.NextIs("execute") {
		s.Execute, err = sessionParser(p).execute()
	} else {
		s.Query, err = p.query()
	}
	if err != nil {
		return nil, err
	}
	if !p.Accept("with") {
		return s, nil
	}
	s.NoData = p.Accept("no")
	return s, p.Expect("data")
}

// tableOptions reads what stands behind the columns.
func (p tableParser) tableOptions(t *CreateTable) error {
	switch {
	case p.NextIs("inherits"):
		return p.refuse("INHERITS")
	case p.NextIs("partition", "by"):
		return p.refuse("PARTITION BY in CREATE TABLE")
	}
	if p.Accept("with") {
		var err error
		if t.Options, err = p.options(tableStyle); err != nil {
			return err
		}
	}
	if p.NextIs("on", "commit") {
		var err error
		if t.OnCommit, err = p.onCommit(); err != nil {
			return err
		}
	}
	switch {
	case p.NextIs("tablespace"):
		return p.refuse("TABLESPACE")
	case p.NextIs("using"):
		return p.refuse("USING in CREATE TABLE")
	}
	return nil
}

// onCommit reads ON COMMIT and what is to happen then.
func (p tableParser) onCommit() (string, error) {
	if err := p.Expect("on", "commit"); err != nil {
		return "", err
	}
	switch {
	case p.Accept("drop"):
		return "drop", nil
	case p.Accept("delete"):
		return "delete rows", p.Expect("rows")
	}
	return "", p.Expect("preserve", "rows")
}

// createView reads a view; its text is kept.
func (p tableParser) createView(c creation) (Statement, error) {
	s := &CreateView{OrReplace: c.orReplace, Temporary: c.temporary, Pos: c.pos}
	var err error
	if s.Name, err = p.tableName(); err != nil {
		return nil, err
	}
	if s.Columns, err = p.columnList(); err != nil {
		return nil, err
	}
	if p.NextIs("with") {
		return nil, p.refuse("options of a view")
	}
	if err := p.Expect("as"); err != nil {
		return nil, err
	}
	start := p.Peek().Pos
	if s.Query, err = p.query(); err != nil {
		return nil, err
	}
	s.Text = p.Text(start, p.LastEnd())
	if p.NextIs("with") {
		return nil, p.refuse("CHECK OPTION of a view")
	}
	return s, nil
}
