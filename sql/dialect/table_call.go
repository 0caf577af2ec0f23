package dialect

// definedColumns reads AS [name] (column type, …).
func (r *rewriter) definedColumns(m *TableFunction) error {
	r.Accept("as")
	if !r.NextIs("(") {
		m.Alias.Name = r.ident()
	}
	if err := r.Expect("("); err != nil {
		return err
	}
	for {
		name, err := r.Ident()
		if err != nil {
			return err
		}
		typ, err := r.TypeName()
		if err != nil {
			return err
		}
		if r.NextIs("collate") {
			return Unsupported(r.Peek(), "COLLATE of a column is")
		}
		if m.Defined = append(m.Defined, DefinedColumn{Name: name, Type: typ}); !r.Accept(",") {
			return r.Expect(")")
		}
	}
}

// noCall is the error for what should be a function's call and is not.
func (r *rewriter) noCall() error {
	if t := r.Peek(); t.IsName() || t.isTypeOrFunction() {
		if _, err := r.qualified(r.ident()); err != nil {
			return err
		}
	}
	return r.Unexpected()
}

// tableCall reads a function call without the clauses of aggregates.
func (r *rewriter) tableCall() (*fragment, error) {
	t := r.Peek()
	if read := r.special(t, r.PeekAt(1)); read != nil {
		return read()
	}
	name, err := r.qualified(r.ident())
	if err != nil {
		return nil, err
	}
	if len(name) == 1 && !t.isTypeOrFunction() || len(name) > 1 && !t.IsName() {
		return nil, r.Unexpected()
	}
	m := &Call{Name: name, Pos: t.Pos}
	r.Next()
	args, _, err := r.arguments(m)
	if err != nil {
		return nil, err
	}
	return r.call("f", m, args...), nil
}
