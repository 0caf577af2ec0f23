package dialect

// definedColumns reads AS [name] (column type, …).
func (r tableReader) definedColumns(m *TableFunction) {
	r.Accept("as")
	if !r.NextIs("(") {
		m.Alias.Name = r.ident()
	}
	r.Expect("(")
	for {
		name := r.Ident()
		typ := r.TypeName()
		if r.NextIs("collate") {
			panic(Unsupported(r.Peek(), "COLLATE of a column is"))
		}
		if m.Defined = append(m.Defined, DefinedColumn{Name: name, Type: typ}); !r.Accept(",") {
			r.Expect(")")
			return
		}
	}
}

// noCall is the error for what should be a function's call and is not.
func (r tableReader) noCall() error {
	if t := r.Peek(); t.IsName() || t.isTypeOrFunction() {
		r.qualified(r.ident())
	}
	return r.Unexpected()
}

// tableCall reads a function call without the clauses of aggregates.
func (r tableReader) tableCall() *fragment {
	t := r.Peek()
	if read := r.special(t, r.PeekAt(1)); read != nil {
		return read()
	}
	name := r.qualified(r.ident())
	if len(name) == 1 && !t.isTypeOrFunction() || len(name) > 1 && !t.IsName() {
		panic(r.Unexpected())
	}
	m := &Call{Name: name, Pos: t.Pos}
	r.Next()
	args, _ := r.arguments(m)
	return r.call("f", m, args...)
}
