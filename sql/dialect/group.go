package dialect

// groupBy reads GROUP BY with its elements, or GROUP BY ALL.
func (r queryReader) groupBy() *fragment {
	m := &GroupBy{Pos: r.Peek().Pos}
	r.Expect("group", "by")
	switch {
	case r.Accept("distinct"):
		m.Distinct = true
	case r.Accept("all"):
		if t := r.Peek(); endsItem(t) && !t.Is(",") || t.Is("qualify") {
			m.All = true
			return r.call("g", m)
		}
	}
	return r.call("g", m, CommaList(r.Cursor, r.groupElement)...)
}

// groupElement reads an expression, (), CUBE, ROLLUP or GROUPING SETS.
func (r queryReader) groupElement() *fragment {
	t := r.Peek()
	switch {
	case r.Accept("(", ")"):
		return r.call("g", &Grouping{Kind: GroupSet, Pos: t.Pos})
	case t.Is("cube") && r.PeekAt(1).Is("("):
		return r.grouping(&Grouping{Kind: GroupCube, Pos: t.Pos}, 1, r.groupSet)
	case t.Is("rollup") && r.PeekAt(1).Is("("):
		return r.grouping(&Grouping{Kind: GroupRollup, Pos: t.Pos}, 1, r.groupSet)
	case t.Is("grouping") && r.PeekAt(1).Is("sets"):
		return r.grouping(&Grouping{Kind: GroupingSets, Pos: t.Pos}, 2, r.groupElement)
	}
	return r.groupSet()
}

// grouping reads the elements in parentheses behind so many words.
func (r queryReader) grouping(m *Grouping, words int, read func() *fragment) *fragment {
	r.enter()
	defer r.leave()
	for range words {
		r.Next()
	}
	r.Expect("(")
	elements := CommaList(r.Cursor, read)
	r.Expect(")")
	return r.call("g", m, elements...)
}

// groupSet reads an expression. A row that was written without ROW comes as a
// Row placeholder, which stands for a composite here.
func (r queryReader) groupSet() *fragment { return r.expr(precLowest) }
