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

// atCall reports whether a function's name and its parenthesis come next.
func (r tableReader) atCall() bool {
	t := r.Peek()
	if !t.IsName() && !t.isTypeOrFunction() {
		return false
	}
	n := 1
	for r.PeekAt(n).Is(".") && r.PeekAt(n+1).isLabel() {
		n += 2
	}
	return r.PeekAt(n).Is("(")
}

// atRowsFrom reports whether ROWS FROM (…) comes next.
func (r tableReader) atRowsFrom() bool {
	return r.NextIs("rows", "from", "(")
}

// tableCalls reads a function call, or ROWS FROM several.
func (r tableReader) tableCalls() *fragment {
	if !r.atRowsFrom() {
		return r.tableCall()
	}
	r.Accept("rows", "from", "(")
	calls := CommaListTo(r.Cursor, ")", func() *fragment {
		call := r.tableCall()
		if t := r.Peek(); t.Is("as") {
			panic(Unsupported(t, "a column definition list in ROWS FROM is"))
		}
		return call
	})
	return list(calls)
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
	if !r.atCall() && r.special(r.Peek(), r.PeekAt(1)) == nil {
		panic(r.noCall())
	}
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
