package sql

// onConflict reads ON CONFLICT, if it comes next.
func (p writeParser) onConflict() (*OnConflict, error) {
	c := &OnConflict{Pos: Pos(p.Peek().Pos)}
	if !p.Accept("on", "conflict") {
		return nil, nil
	}
	if err := p.conflictTarget(c); err != nil {
		return nil, err
	}
	if err := p.Expect("do"); err != nil {
		return nil, err
	}
	if p.Accept("nothing") {
		return c, nil
	}
	if err := p.Expect("update"); err != nil {
		return nil, err
	}
	var err error
	if c.Set, err = p.assignments(); err != nil {
		return nil, err
	}
	c.Where, err = p.where()
	return c, err
}

// conflictTarget reads (columns) [WHERE …] or ON CONSTRAINT name, if one comes next.
func (p writeParser) conflictTarget(c *OnConflict) (err error) {
	if p.Accept("on", "constraint") {
		c.Constraint, err = p.ident()
		return err
	}
	c.List = Pos(p.Peek().Pos)
	if !p.Accept("(") {
		return nil
	}
	for {
		if p.NextIs("(") || p.PeekAt(1).Is("(") {
			return p.refuse("an expression in ON CONFLICT")
		}
		column, err := p.ident()
		if err != nil {
			return err
		}
		if !p.Peek().IsOneOf(",", ")") {
			return p.refuseConflictOption()
		}
		c.Columns = append(c.Columns, column)
		if !p.Accept(",") {
			break
		}
	}
	if err := p.Expect(")"); err != nil {
		return err
	}
	if p.Accept("where") {
		c.Matching, err = p.expr()
	}
	return err
}

// refuseConflictOption is the error for what stands behind a column of ON CONFLICT.
func (p writeParser) refuseConflictOption() error {
	if p.NextIs("collate") || p.Peek().IsWord() {
		return p.refuse("a collation or an operator class in ON CONFLICT")
	}
	return p.Unexpected()
}
