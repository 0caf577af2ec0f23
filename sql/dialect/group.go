package dialect

// groupBy reads GROUP BY with its elements, or GROUP BY ALL.
func (r *rewriter) groupBy() (*fragment, error) {
	m := &GroupBy{Pos: r.Peek().Pos}
	if err := r.Expect("group", "by"); err != nil {
		return nil, err
	}
	switch {
	case r.Accept("distinct"):
		m.Distinct = true
	case r.Accept("all"):
		if t := r.Peek(); endsItem(t) && !t.Is(",") || t.Is("qualify") {
			m.All = true
			return r.call("g", m), nil
		}
	}
	elements, err := CommaList(r.Cursor, r.groupElement)
	if err != nil {
		return nil, err
	}
	return r.call("g", m, elements...), nil
}

// groupElement reads an expression, (), CUBE, ROLLUP or GROUPING SETS.
func (r *rewriter) groupElement() (*fragment, error) {
	t := r.Peek()
	switch {
	case r.Accept("(", ")"):
		return r.call("g", &Grouping{Kind: GroupSet, Pos: t.Pos}), nil
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
func (r *rewriter) grouping(m *Grouping, words int, read func() (*fragment, error)) (*fragment, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	defer r.leave()
	for range words {
		r.Next()
	}
	if err := r.Expect("("); err != nil {
		return nil, err
	}
	elements, err := CommaList(r.Cursor, read)
	if err != nil {
		return nil, err
	}
	return r.call("g", m, elements...), r.Expect(")")
}

// groupSet reads an expression. A row that was written without ROW comes as a
// Row placeholder, which stands for a composite here.
func (r *rewriter) groupSet() (*fragment, error) { return r.expr(precLowest) }
