package dialect

func (r exprReader) caseExpr() *fragment {
	t := r.Next()
	text := []*fragment{raw("case")}
	add := func(word string) {
		e := r.expr(precLowest)
		text = append(text, raw(word), e)
	}
	if !r.NextIs("when") {
		add(" ")
	}
	for when := true; when; when = r.NextIs("when") {
		r.Expect("when")
		add(" when ")
		r.Expect("then")
		add(" then ")
	}
	if r.Accept("else") {
		add(" else ")
	}
	text = append(text, raw(" end"))
	r.Expect("end")
	return r.native(&At{Pos: t.Pos}, text...)
}

func (r exprReader) exists() *fragment {
	t := r.Next()
	q := r.subquery()
	return r.native(&At{Pos: t.Pos}, raw("exists ("), q.text(r.rewriter), closing)
}

func (r exprReader) row() *fragment {
	t := r.Next()
	m := &Row{Explicit: true, Pos: t.Pos}
	if r.Accept("(", ")") {
		return r.rowOf(m, nil)
	}
	return r.rowOf(m, r.exprsInParens())
}

// rowOf is a row constructor of fields.
func (r exprReader) rowOf(m *Row, fields []*fragment) *fragment {
	row := r.call("x", m, fields...)
	row.row, row.fields = m, len(fields)
	return row
}

// array reads ARRAY[…] and ARRAY(query).
func (r exprReader) array() *fragment {
	t := r.Next()
	if first := r.Peek(); first.Is("(") {
		q := r.subquery()
		return r.call("x", &Array{Query: true, Pos: t.Pos}, r.scalar(q, first))
	}
	if !r.NextIs("[") {
		panic(r.Unexpected())
	}
	return r.arrayElements(t)
}

// arrayElements reads […], whose elements may be such lists too.
func (r exprReader) arrayElements(first Token) *fragment {
	r.enter()
	defer r.leave()
	r.Next()
	m := &Array{Pos: first.Pos}
	if r.Accept("]") {
		return r.call("x", m)
	}
	nested := r.NextIs("[")
	elements := CommaListTo(r.Cursor, "]", func() *fragment {
		switch {
		case !nested:
			return r.expr(precLowest)
		case !r.NextIs("["):
			panic(r.Unexpected())
		}
		return r.arrayElements(r.Peek())
	})
	return r.call("x", m, elements...)
}

// subscript reads [i], [i:j], [i:], [:j] or [:], as many as there are.
func (r exprReader) subscript(x *fragment) *fragment {
	m, args := &Subscript{}, []*fragment{x}
	for r.NextIs("[") {
		b := Bounds{Pos: r.Next().Pos}
		if b.Lower = !r.NextIs(":"); b.Lower {
			args = append(args, r.expr(precLowest))
		}
		b.Slice = r.Accept(":")
		if b.Upper = b.Slice && !r.NextIs("]"); b.Upper {
			args = append(args, r.expr(precLowest))
		}
		r.Expect("]")
		if m.Bounds = append(m.Bounds, b); len(m.Bounds) > maxDepth {
			panic(tooComplex(b.Pos))
		}
	}
	return r.call("x", m, args...)
}

// indirection reads the subscripts of an array and fields of rows, where there are some behind x.
func (r exprReader) indirection(x *fragment) *fragment {
	for {
		switch t := r.Peek(); {
		case t.Is("["):
			x = r.subscript(x)
		case t.Is("."):
			x = r.field(x)
		default:
			return x
		}
	}
}

// field reads .name or .*.
func (r exprReader) field(row *fragment) *fragment {
	r.Next()
	m := &Field{}
	if m.Star = r.Accept("*"); m.Star {
		r.endOfName()
	} else {
		m.Name = r.Label()
	}
	return r.call("x", m, row)
}

// endOfName refuses more of a name behind its star.
func (r exprReader) endOfName() {
	if !r.NextIs(".") {
		return
	}
	for r.Accept(".") {
		if !r.Accept("*") {
			r.Label()
		}
	}
	panic(r.wrong("improper use of \"*\""))
}

// parenValue makes an expression of parentheses: a scalar subquery, a row, or
// the one expression within.
func (r exprReader) parenValue(p parenthesis, first Token) *fragment {
	switch {
	case p.query != nil:
		return r.indirection(r.scalar(p.query, first))
	case len(p.exprs) > 1:
		return r.indirection(r.rowOf(&Row{Pos: first.Pos}, p.exprs))
	}
	return r.indirection(p.exprs[0])
}
