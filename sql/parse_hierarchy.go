package sql

// createHierarchy reads what stands behind CREATE HIERARCHY, which is ours.
func (p tableParser) createHierarchy(pos Pos, temporary bool) (Statement, error) {
	s := &CreateHierarchy{Temporary: temporary, Pos: pos}
	if s.IfNotExists = p.Accept("if", "not"); s.IfNotExists {
		if err := p.Expect("exists"); err != nil {
			return nil, err
		}
	}
	var err error
	if s.Name, err = p.tableName(); err != nil {
		return nil, err
	}
	if err := p.Expect("from"); err != nil {
		return nil, err
	}
	if s.Edges, s.Columns, err = p.columnsOf(2, 3); err != nil || !p.Accept("on") {
		return s, err
	}
	var id []Ident
	if s.On, id, err = p.columnsOf(1, 1); err == nil {
		s.ID = id[0]
	}
	return s, err
}

// columnsOf reads the name of a table and, in parentheses, so many columns of it.
func (p tableParser) columnsOf(least, most int) (Name, []Ident, error) {
	name, err := p.tableName()
	if err != nil {
		return nil, nil, err
	}
	if err := p.Expect("("); err != nil {
		return nil, nil, err
	}
	var columns []Ident
	for {
		column, err := p.ident()
		if err != nil {
			return nil, nil, err
		}
		columns = append(columns, column)
		switch {
		case len(columns) < least:
			err = p.Expect(",")
		case len(columns) == most || !p.Accept(","):
			return name, columns, p.Expect(")")
		}
		if err != nil {
			return nil, nil, err
		}
	}
}
