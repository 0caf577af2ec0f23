package sql

// createHierarchy reads what stands behind CREATE HIERARCHY, which is ours.
func (p tableParser) createHierarchy(pos Pos, temporary bool) Statement {
	s := &CreateHierarchy{Temporary: temporary, Pos: pos}
	if s.IfNotExists = p.Accept("if", "not"); s.IfNotExists {
		p.Expect("exists")
	}
	s.Name = p.tableName()
	p.Expect("from")
	s.Edges, s.Columns = p.columnsOf(2, 3)
	if p.Accept("on") {
		var id []Ident
		s.On, id = p.columnsOf(1, 1)
		s.ID = id[0]
	}
	return s
}

// columnsOf reads the name of a table and, in parentheses, so many columns of it.
func (p tableParser) columnsOf(least, most int) (Name, []Ident) {
	name := p.tableName()
	p.Expect("(")
	var columns []Ident
	for {
		columns = append(columns, p.ident())
		switch {
		case len(columns) < least:
			p.Expect(",")
		case len(columns) == most || !p.Accept(","):
			p.Expect(")")
			return name, columns
		}
	}
}
