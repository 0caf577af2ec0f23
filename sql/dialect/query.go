package dialect

// query reads [WITH …] arms with set operations [ORDER BY] [LIMIT …].
func (r queryReader) query() *query {
	r.enter()
	defer r.leave()
	first := r.Peek()
	var with *fragment
	if first.Is("with") {
		with = r.with()
		r.refuseWrite("with WITH")
	}
	return r.queryFrom(r.arm(), with, first)
}

// queryFrom reads what follows the first arm of a query.
func (r queryReader) queryFrom(arm *query, with *fragment, first Token) *query {
	q := r.setOps(arm, precUnion)
	if with != nil {
		if q.with != nil {
			panic(syntaxError(first, "multiple WITH clauses not allowed"))
		}
		q.with, q.first = with, first
	}
	r.tail(q)
	return q
}

// arm reads SELECT …, VALUES …, TABLE t, or a query in parentheses.
func (r queryReader) arm() *query {
	t := r.Peek()
	switch {
	case t.Is("("):
		r.Next()
		q := r.query()
		r.Expect(")")
		return q
	case t.Is("select"):
		return r.selectArm()
	case t.Is("table"):
		return r.tableArm()
	case t.Is("values"):
		return r.valuesArm()
	}
	panic(r.Unexpected())
}

// setOps reads set operations that bind at least as tight as prec.
func (r queryReader) setOps(left *query, prec int) *query {
	for {
		t := r.Peek()
		p := setOpPrec(t)
		if p < prec || p == 0 {
			return left
		}
		r.Next()
		all := r.Accept("all")
		if !all {
			r.Accept("distinct")
		}
		right := r.arm()
		right = r.setOps(right, p+1)
		left = r.setOp(t, all, left, right)
	}
}

func (r queryReader) setOp(t Token, all bool, left, right *query) *query {
	word := raw(" union ")
	if all {
		word = raw(" union all ")
	}
	m := &SetOp{Kind: t.Text, All: all, Pos: t.Pos}
	arm := join(raw("(select "), r.name("u", m), raw("() from ("), right.text(r.rewriter), raw(") as `u`)"))
	return &query{
		body:  join(paren(left.text(r.rewriter)), word, arm),
		first: left.first,
	}
}

// with reads WITH [RECURSIVE] and its common table expressions.
func (r queryReader) with() *fragment {
	r.Next()
	takes := r.TakesInto
	r.TakesInto = false
	defer func() { r.TakesInto = takes }()
	word := raw("with ")
	if r.NextIs("recursive") && !r.PeekAt(1).IsOneOf("as", "(") {
		r.Next()
		word = raw("with recursive ")
	}
	ctes := CommaList(r.Cursor, r.cte)
	return join(word, list(ctes), raw(" "))
}

func (r queryReader) cte() *fragment {
	name := r.Ident()
	m := &CTE{Name: name}
	if r.NextIs("(") {
		m.Columns = r.Idents()
	}
	r.Expect("as")
	if r.Accept("not") {
		m.Materialized = new(bool)
		r.Expect("materialized")
	} else if r.Accept("materialized") {
		yes := true
		m.Materialized = &yes
	}
	body := r.cteBody(m)
	if t := r.Peek(); t.IsOneOf("search", "cycle") {
		panic(Unsupported(t, upper(t.Text)+" in WITH is"))
	}
	return join(r.name("t", m), raw(" as ("), body, closing)
}

// cteBody reads what stands in the parentheses of a common table expression.
func (r queryReader) cteBody(m *CTE) *fragment {
	r.enter()
	defer r.leave()
	if r.NextIs("(") && r.Write != nil && (isWrite(r.PeekAt(1)) || r.writesAfterWith(1)) {
		r.Next()
		first := r.Peek()
		m.Write = r.Write()
		r.Expect(")")
		return r.selectOf(first)
	}
	return r.subquery().text(r.rewriter)
}

func (r queryReader) tableArm() *query {
	t := r.Next()
	table := r.relation()
	body := join(raw("select "), r.call("s", &Select{Pos: t.Pos}), comma,
		r.name("c", &Star{Pos: t.Pos}), raw(".* from "),
		table, raw(" as "), r.name("a", &Alias{}))
	return &query{body: body, isSelect: true, first: t}
}

func (r queryReader) valuesArm() *query {
	t := r.Next()
	var rows []*fragment
	for {
		r.Expect("(")
		exprs := r.exprs()
		r.Expect(")")
		if len(rows) == 0 {
			exprs = append([]*fragment{r.call("v", &Values{Pos: t.Pos})}, exprs...)
		}
		rows = append(rows, join(raw("row("), list(exprs), closing))
		if !r.Accept(",") {
			return &query{body: join(raw("values "), list(rows)), first: t}
		}
	}
}
