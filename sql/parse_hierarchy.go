package sql

// CreateHierarchy is CREATE HIERARCHY h FROM edges (child, parent, weight) ON elements (id).
// Weight and On may be missing; On has a column, ID, where it is there.
type CreateHierarchy struct {
	Name        Name
	IfNotExists bool
	Temporary   bool
	Edges       Name
	Columns     []Ident // child, parent and perhaps weight
	On          Name
	ID          Ident
	Pos         Pos
}

func (*CreateHierarchy) statement() {}

// createHierarchy reads what stands behind CREATE HIERARCHY, which is ours.
func (p *parser) createHierarchy(c creation) (Statement, error) {
	if c.orReplace {
		return nil, p.refuse("OR REPLACE of a hierarchy")
	}
	s := &CreateHierarchy{Temporary: c.temporary, Pos: c.pos}
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
func (p *parser) columnsOf(least, most int) (Name, []Ident, error) {
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

func (f *formatter) createHierarchy(s *CreateHierarchy) {
	f.create(false, s.Temporary, "hierarchy")
	f.putIf(s.IfNotExists, "if not exists ")
	f.name(s.Name)
	f.put(" from ")
	f.name(s.Edges)
	f.columns(s.Columns)
	if s.On != nil {
		f.put(" on ")
		f.name(s.On)
		f.columns([]Ident{s.ID})
	}
}
