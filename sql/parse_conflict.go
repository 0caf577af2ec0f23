package sql

// onConflict reads ON CONFLICT, if it comes next.
func (p writeParser) onConflict() *OnConflict {
	c := &OnConflict{List: NoPos, Pos: Pos(p.Peek().Pos)}
	if !p.Accept("on", "conflict") {
		return nil
	}
	p.conflictTarget(c)
	p.Expect("do")
	if p.Accept("nothing") {
		return c
	}
	p.Expect("update")
	c.Set = p.assignments()
	c.Where = p.where()
	return c
}

// conflictTarget reads (columns) [WHERE …] or ON CONSTRAINT name, if one comes next.
func (p writeParser) conflictTarget(c *OnConflict) {
	if p.Accept("on", "constraint") {
		c.Constraint = p.ident()
		return
	}
	at := Pos(p.Peek().Pos)
	if !p.Accept("(") {
		return
	}
	c.List = at
	for {
		if p.NextIs("(") || p.PeekAt(1).Is("(") {
			c.Exprs = append(c.Exprs, p.expr())
		} else {
			c.Columns = append(c.Columns, p.ident())
		}
		if !p.Peek().IsOneOf(",", ")") {
			panic(p.refuseConflictOption())
		}
		if !p.Accept(",") {
			break
		}
	}
	p.Expect(")")
	if p.Accept("where") {
		c.Matching = p.expr()
	}
}

// refuseConflictOption is the error for what stands behind a column of ON CONFLICT.
func (p writeParser) refuseConflictOption() error {
	if p.NextIs("collate") || p.Peek().IsWord() {
		return p.refuse("a collation or an operator class in ON CONFLICT")
	}
	return p.Unexpected()
}
