package dialect

// parenthesis reads parentheses. Where they open more parentheses before a
// query, only what follows those shows whether all is a query or an
// expression of one. Several expressions are an error unless many are allowed.
func (r exprReader) parenthesis(many bool) parenthesis {
	r.enter()
	defer r.leave()
	if !r.NextIs("(") {
		panic(r.Unexpected())
	}
	first := r.Peek()
	nested := r.beforeQuery()
	r.Next()
	switch {
	case !nested:
		return r.restOfList(nil, many)
	case !r.NextIs("("):
		q := r.grammar.query()
		r.Expect(")")
		return parenthesis{query: q}
	}
	inner := r.Peek()
	p := r.parenthesis(true)
	if p.query != nil && r.continuesQuery() {
		p.query = r.grammar.queryFrom(p.query, nil, first)
		r.Expect(")")
		return p
	}
	e := r.parenValue(p, inner)
	e = r.exprFrom(e, precLowest, false)
	return r.restOfList(e, many)
}

// restOfList reads the expressions of a list, the first of which may be read
// already, and the closing parenthesis.
func (r exprReader) restOfList(first *fragment, many bool) parenthesis {
	var p parenthesis
	if first == nil {
		first = r.expr(precLowest)
	}
	p.exprs = append(p.exprs, first)
	if many && r.Accept(",") {
		more := r.exprs()
		p.exprs = append(p.exprs, more...)
	}
	r.Expect(")")
	return p
}

// parenExpr reads parentheses as an expression.
func (r exprReader) parenExpr() *fragment {
	first := r.Peek()
	return r.parenValue(r.parenthesis(true), first)
}
