package dialect

// functionCall reads the arguments of a function, and the clauses behind
// them; or, where a string follows, a constant of a type with modifiers.
func (r *rewriter) functionCall(name []Ident, start int) (*fragment, error) {
	m := &Call{Name: name, Pos: name[0].Pos}
	r.Next()
	placeholders := len(r.placeholders)
	args, ordered, err := r.arguments(m)
	if err != nil {
		return nil, err
	}
	if r.Peek().Kind == String && len(args) > 0 {
		r.placeholders = r.placeholders[:placeholders]
		return r.typedLiteral(start)
	}
	clauses, err := r.callClauses(m, ordered)
	if err != nil {
		return nil, err
	}
	return r.call("f", m, append(args, clauses...)...), nil
}

// arguments reads up to the closing parenthesis. The second result says
// whether they end with ORDER BY.
func (r *rewriter) arguments(m *Call) (args []*fragment, ordered bool, err error) {
	if r.Accept(")") {
		return nil, false, nil
	}
	if r.Accept("*") {
		m.Star = true
		return nil, false, r.Expect(")")
	}
	switch t := r.Peek(); {
	case r.Accept("all"):
	case r.Accept("distinct"):
		m.Distinct = true
	case t.Is("variadic"):
		return nil, false, Unsupported(t, "VARIADIC is")
	}
	for {
		arg, err := r.argument()
		if err != nil {
			return nil, false, err
		}
		args = append(args, arg)
		if !r.Accept(",") {
			break
		}
		if t := r.Peek(); t.Is("variadic") {
			return nil, false, Unsupported(t, "VARIADIC is")
		}
	}
	if r.NextIs("order") {
		keys, err := r.sortKeys()
		if err != nil {
			return nil, false, err
		}
		args = append(args, r.call("x", &Clause{Kind: OrderByClause}, keys...))
		ordered = true
	}
	return args, ordered, r.Expect(")")
}

// argument reads an expression, or name => expression.
func (r *rewriter) argument() (*fragment, error) {
	if r.Peek().isTypeOrFunction() && r.PeekAt(1).IsOneOf("=>", ":=") {
		m := &Argument{Name: r.ident()}
		r.Next()
		e, err := r.expr(precLowest)
		if err != nil {
			return nil, err
		}
		return r.call("x", m, e), nil
	}
	return r.expr(precLowest)
}

// callClauses reads WITHIN GROUP, FILTER and OVER.
func (r *rewriter) callClauses(m *Call, ordered bool) ([]*fragment, error) {
	var clauses []*fragment
	if t := r.Peek(); t.Is("within") {
		switch {
		case ordered:
			return nil, syntaxError(t, "cannot use multiple ORDER BY clauses with WITHIN GROUP")
		case m.Distinct:
			return nil, syntaxError(t, "cannot use DISTINCT with WITHIN GROUP")
		}
		keys, err := r.withinGroup()
		if err != nil {
			return nil, err
		}
		clauses = append(clauses, r.call("x", &Clause{Kind: WithinGroupClause}, keys...))
	}
	if r.NextIs("filter") {
		e, err := r.filter()
		if err != nil {
			return nil, err
		}
		clauses = append(clauses, r.call("x", &Clause{Kind: FilterClause}, e))
	}
	if r.Accept("over") {
		w, err := r.over()
		if err != nil {
			return nil, err
		}
		clauses = append(clauses, w)
	}
	return clauses, nil
}

func (r *rewriter) withinGroup() ([]*fragment, error) {
	if err := r.Expect("within", "group", "("); err != nil {
		return nil, err
	}
	keys, err := r.sortKeys()
	if err != nil {
		return nil, err
	}
	return keys, r.Expect(")")
}

func (r *rewriter) filter() (*fragment, error) {
	if err := r.Expect("filter", "(", "where"); err != nil {
		return nil, err
	}
	e, err := r.expr(precLowest)
	if err != nil {
		return nil, err
	}
	return e, r.Expect(")")
}
