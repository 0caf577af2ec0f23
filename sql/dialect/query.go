package dialect

// query reads [WITH …] arms with set operations [ORDER BY] [LIMIT …].
func (r *rewriter) query() (*query, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	defer r.leave()
	first := r.Peek()
	var with *fragment
	if first.Is("with") {
		var err error
		if with, err = r.with(); err != nil {
			return nil, err
		}
		if err := r.refuseWrite("with WITH"); err != nil {
			return nil, err
		}
	}
	arm, err := r.arm()
	if err != nil {
		return nil, err
	}
	return r.queryFrom(arm, with, first)
}

// queryFrom reads what follows the first arm of a query.
func (r *rewriter) queryFrom(arm *query, with *fragment, first Token) (*query, error) {
	q, err := r.setOps(arm, precUnion)
	if err != nil {
		return nil, err
	}
	if with != nil {
		if q.with != nil {
			return nil, syntaxError(first, "multiple WITH clauses not allowed")
		}
		q.with, q.first = with, first
	}
	return q, r.tail(q)
}

// arm reads SELECT …, VALUES …, TABLE t, or a query in parentheses.
func (r *rewriter) arm() (*query, error) {
	t := r.Peek()
	switch {
	case t.Is("("):
		r.Next()
		q, err := r.query()
		if err != nil {
			return nil, err
		}
		return q, r.Expect(")")
	case t.Is("select"):
		return r.selectArm()
	case t.Is("table"):
		return r.tableArm()
	case t.Is("values"):
		return r.valuesArm()
	}
	return nil, r.Unexpected()
}

// setOps reads set operations that bind at least as tight as prec.
func (r *rewriter) setOps(left *query, prec int) (*query, error) {
	for {
		t := r.Peek()
		p := setOpPrec(t)
		if p < prec || p == 0 {
			return left, nil
		}
		r.Next()
		all := r.Accept("all")
		if !all {
			r.Accept("distinct")
		}
		right, err := r.arm()
		if err != nil {
			return nil, err
		}
		if right, err = r.setOps(right, p+1); err != nil {
			return nil, err
		}
		left = r.setOp(t, all, left, right)
	}
}

func (r *rewriter) setOp(t Token, all bool, left, right *query) *query {
	word := raw(" union ")
	if all {
		word = raw(" union all ")
	}
	m := &SetOp{Kind: t.Text, All: all, Pos: t.Pos}
	arm := join(raw("(select "), r.name("u", m), raw("() from ("), right.text(r), raw(") as `u`)"))
	return &query{
		body:  join(paren(left.text(r)), word, arm),
		first: left.first,
	}
}

// with reads WITH [RECURSIVE] and its common table expressions.
func (r *rewriter) with() (*fragment, error) {
	r.Next()
	word := raw("with ")
	if r.NextIs("recursive") && !r.PeekAt(1).IsOneOf("as", "(") {
		r.Next()
		word = raw("with recursive ")
	}
	ctes, err := CommaList(r.Cursor, r.cte)
	if err != nil {
		return nil, err
	}
	return join(word, list(ctes), raw(" ")), nil
}

func (r *rewriter) cte() (*fragment, error) {
	name, err := r.Ident()
	if err != nil {
		return nil, err
	}
	m := &CTE{Name: name}
	if r.NextIs("(") {
		if m.Columns, err = r.Idents(); err != nil {
			return nil, err
		}
	}
	if err := r.Expect("as"); err != nil {
		return nil, err
	}
	if r.Accept("not") {
		m.Materialized = new(bool)
		if err := r.Expect("materialized"); err != nil {
			return nil, err
		}
	} else if r.Accept("materialized") {
		yes := true
		m.Materialized = &yes
	}
	q, err := r.subquery()
	if err != nil {
		return nil, err
	}
	if t := r.Peek(); t.IsOneOf("search", "cycle") {
		return nil, Unsupported(t, upper(t.Text)+" in WITH is")
	}
	return join(r.name("t", m), raw(" as ("), q.text(r), closing), nil
}

// subquery reads a query in parentheses.
func (r *rewriter) subquery() (*query, error) {
	if err := r.Expect("("); err != nil {
		return nil, err
	}
	if err := r.refuseWrite("in a query"); err != nil {
		return nil, err
	}
	q, err := r.query()
	if err != nil {
		return nil, err
	}
	return q, r.Expect(")")
}

// refuseWrite refuses a statement that writes where a query stands.
func (r *rewriter) refuseWrite(where string) error {
	if t := r.Peek(); t.IsOneOf("insert", "update", "delete", "merge") {
		return Unsupported(t, upper(t.Text)+" "+where+" is")
	}
	return nil
}

func (r *rewriter) tableArm() (*query, error) {
	t := r.Next()
	table, err := r.relation()
	if err != nil {
		return nil, err
	}
	body := join(raw("select "), r.call("s", &Select{Pos: t.Pos}), comma,
		r.name("c", &Star{Pos: t.Pos}), raw(".* from "),
		table, raw(" as "), r.name("a", &Alias{}))
	return &query{body: body, isSelect: true, first: t}, nil
}

func (r *rewriter) valuesArm() (*query, error) {
	t := r.Next()
	var rows []*fragment
	for {
		if err := r.Expect("("); err != nil {
			return nil, err
		}
		exprs, err := r.exprs()
		if err != nil {
			return nil, err
		}
		if err := r.Expect(")"); err != nil {
			return nil, err
		}
		if len(rows) == 0 {
			exprs = append([]*fragment{r.call("v", &Values{Pos: t.Pos})}, exprs...)
		}
		rows = append(rows, join(raw("row("), list(exprs), closing))
		if !r.Accept(",") {
			return &query{body: join(raw("values "), list(rows)), first: t}, nil
		}
	}
}
