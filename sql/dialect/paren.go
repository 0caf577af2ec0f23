package dialect

// parenthesis reads parentheses. Where they open more parentheses before a
// query, only what follows those shows whether all is a query or an
// expression of one. Several expressions are an error unless many are allowed.
func (r *rewriter) parenthesis(many bool) (parenthesis, error) {
	if err := r.enter(); err != nil {
		return parenthesis{}, err
	}
	defer r.leave()
	if !r.NextIs("(") {
		return parenthesis{}, r.Unexpected()
	}
	first := r.Peek()
	nested := r.beforeQuery()
	r.Next()
	switch {
	case !nested:
		return r.restOfList(nil, many)
	case !r.NextIs("("):
		q, err := r.query()
		if err != nil {
			return parenthesis{}, err
		}
		return parenthesis{query: q}, r.Expect(")")
	}
	inner := r.Peek()
	p, err := r.parenthesis(true)
	if err != nil {
		return parenthesis{}, err
	}
	if p.query != nil && r.continuesQuery() {
		if p.query, err = r.queryFrom(p.query, nil, first); err != nil {
			return parenthesis{}, err
		}
		return p, r.Expect(")")
	}
	e, err := r.parenValue(p, inner)
	if err != nil {
		return parenthesis{}, err
	}
	if e, err = r.exprFrom(e, precLowest, false); err != nil {
		return parenthesis{}, err
	}
	return r.restOfList(e, many)
}

// restOfList reads the expressions of a list, the first of which may be read
// already, and the closing parenthesis.
func (r *rewriter) restOfList(first *fragment, many bool) (parenthesis, error) {
	var p parenthesis
	if first == nil {
		var err error
		if first, err = r.expr(precLowest); err != nil {
			return p, err
		}
	}
	p.exprs = append(p.exprs, first)
	if many && r.Accept(",") {
		more, err := r.exprs()
		if err != nil {
			return p, err
		}
		p.exprs = append(p.exprs, more...)
	}
	return p, r.Expect(")")
}

// parenExpr reads parentheses as an expression.
func (r *rewriter) parenExpr() (*fragment, error) {
	first := r.Peek()
	p, err := r.parenthesis(true)
	if err != nil {
		return nil, err
	}
	return r.parenValue(p, first)
}
