package dialect

// functionCall reads the arguments of a function, and the clauses behind
// them; or, where a string follows, a constant of a type with modifiers.
func (r callReader) functionCall(name []Ident, start int) *fragment {
	m := &Call{Name: name, Pos: name[0].Pos}
	r.Next()
	placeholders := len(r.placeholders)
	args, ordered := r.arguments(m)
	if r.Peek().Kind == String && len(args) > 0 {
		r.placeholders = r.placeholders[:placeholders]
		return r.typedLiteral(start)
	}
	clauses := r.callClauses(m, ordered)
	return r.call("f", m, append(args, clauses...)...)
}

// arguments reads up to the closing parenthesis. The second result says
// whether they end with ORDER BY.
func (r callReader) arguments(m *Call) (args []*fragment, ordered bool) {
	if r.Accept(")") {
		return nil, false
	}
	if r.Accept("*") {
		m.Star = true
		r.Expect(")")
		return nil, false
	}
	m.Distinct = r.Accept("distinct")
	all := m.Distinct || r.Accept("all")
	for {
		m.Variadic = !all && r.Accept("variadic")
		args = append(args, r.argument())
		if m.Variadic || !r.Accept(",") {
			break
		}
	}
	if r.NextIs("order") {
		keys := r.sortKeys()
		args = append(args, r.call("x", &Clause{Kind: OrderByClause}, keys...))
		ordered = true
	}
	r.Expect(")")
	return args, ordered
}

// argument reads an expression, or name => expression.
func (r callReader) argument() *fragment {
	if r.Peek().isTypeOrFunction() && r.PeekAt(1).IsOneOf("=>", ":=") {
		m := &Argument{Name: r.ident()}
		r.Next()
		return r.call("x", m, r.expr(precLowest))
	}
	return r.expr(precLowest)
}

// callClauses reads WITHIN GROUP, FILTER and OVER.
func (r callReader) callClauses(m *Call, ordered bool) []*fragment {
	var clauses []*fragment
	if t := r.Peek(); t.Is("within") {
		switch {
		case ordered:
			panic(syntaxError(t, "cannot use multiple ORDER BY clauses with WITHIN GROUP"))
		case m.Distinct:
			panic(syntaxError(t, "cannot use DISTINCT with WITHIN GROUP"))
		}
		keys := r.withinGroup()
		clauses = append(clauses, r.call("x", &Clause{Kind: WithinGroupClause}, keys...))
	}
	if r.NextIs("filter") {
		e := r.filter()
		clauses = append(clauses, r.call("x", &Clause{Kind: FilterClause}, e))
	}
	if r.Accept("over") {
		clauses = append(clauses, r.over())
	}
	return clauses
}

func (r callReader) withinGroup() []*fragment {
	r.Expect("within", "group", "(")
	keys := r.sortKeys()
	r.Expect(")")
	return keys
}

func (r callReader) filter() *fragment {
	r.Expect("filter", "(", "where")
	e := r.expr(precLowest)
	r.Expect(")")
	return e
}
