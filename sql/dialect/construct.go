package dialect

func (r *rewriter) caseExpr() (*fragment, error) {
	t := r.Next()
	text := []*fragment{raw("case")}
	add := func(word string) error {
		e, err := r.expr(precLowest)
		text = append(text, raw(word), e)
		return err
	}
	if !r.NextIs("when") {
		if err := add(" "); err != nil {
			return nil, err
		}
	}
	for when := true; when; when = r.NextIs("when") {
		if err := r.Expect("when"); err != nil {
			return nil, err
		}
		if err := add(" when "); err != nil {
			return nil, err
		}
		if err := r.Expect("then"); err != nil {
			return nil, err
		}
		if err := add(" then "); err != nil {
			return nil, err
		}
	}
	if r.Accept("else") {
		if err := add(" else "); err != nil {
			return nil, err
		}
	}
	text = append(text, raw(" end"))
	return r.native(&At{Pos: t.Pos}, text...), r.Expect("end")
}

func (r *rewriter) exists() (*fragment, error) {
	t := r.Next()
	q, err := r.subquery()
	if err != nil {
		return nil, err
	}
	return r.native(&At{Pos: t.Pos}, raw("exists ("), q.text(r), closing), nil
}

func (r *rewriter) row() (*fragment, error) {
	t := r.Next()
	m := &Row{Explicit: true, Pos: t.Pos}
	if r.Accept("(", ")") {
		return r.call("x", m), nil
	}
	exprs, err := r.exprsInParens()
	if err != nil {
		return nil, err
	}
	return r.call("x", m, exprs...), nil
}

// array reads ARRAY[…] and ARRAY(query).
func (r *rewriter) array() (*fragment, error) {
	t := r.Next()
	if first := r.Peek(); first.Is("(") {
		q, err := r.subquery()
		if err != nil {
			return nil, err
		}
		return r.call("x", &Array{Query: true, Pos: t.Pos}, r.scalar(q, first)), nil
	}
	if !r.NextIs("[") {
		return nil, r.Unexpected()
	}
	return r.arrayElements(t)
}

// arrayElements reads […], whose elements may be such lists too.
func (r *rewriter) arrayElements(first Token) (*fragment, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	defer r.leave()
	r.Next()
	m := &Array{Pos: first.Pos}
	if r.Accept("]") {
		return r.call("x", m), nil
	}
	nested := r.NextIs("[")
	elements, err := CommaListTo(r.Cursor, "]", func() (*fragment, error) {
		switch {
		case !nested:
			return r.expr(precLowest)
		case !r.NextIs("["):
			return nil, r.Unexpected()
		}
		return r.arrayElements(r.Peek())
	})
	if err != nil {
		return nil, err
	}
	return r.call("x", m, elements...), nil
}

// subscript reads [i], [i:j], [i:], [:j] or [:].
func (r *rewriter) subscript(array *fragment) (*fragment, error) {
	m := &Subscript{Pos: r.Next().Pos}
	args := []*fragment{array}
	bound := func(given *bool) error {
		e, err := r.expr(precLowest)
		*given = true
		args = append(args, e)
		return err
	}
	if !r.NextIs(":") {
		if err := bound(&m.Lower); err != nil {
			return nil, err
		}
	}
	if m.Slice = r.Accept(":"); m.Slice && !r.NextIs("]") {
		if err := bound(&m.Upper); err != nil {
			return nil, err
		}
	}
	return r.call("x", m, args...), r.Expect("]")
}

// indirection reads the subscript of an array, where there is one behind it.
func (r *rewriter) indirection(x *fragment) (*fragment, error) {
	if r.NextIs("[") {
		var err error
		if x, err = r.subscript(x); err != nil {
			return nil, err
		}
	}
	switch t := r.Peek(); {
	case t.Is("["):
		return nil, Unsupported(t, "a subscript of several dimensions is")
	case t.Is("."):
		return nil, Unsupported(t, "a field of a composite value is")
	}
	return x, nil
}

// parenValue makes an expression of parentheses: a scalar subquery, a row, or
// the one expression within.
func (r *rewriter) parenValue(p parenthesis, first Token) (*fragment, error) {
	switch {
	case p.query != nil:
		return r.indirection(r.scalar(p.query, first))
	case len(p.exprs) > 1:
		return r.indirection(r.call("x", &Row{Pos: first.Pos}, p.exprs...))
	}
	return r.indirection(p.exprs[0])
}
