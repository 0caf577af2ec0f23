package dialect

// rewriter reads one query or expression and writes its intermediate SQL. It holds what all
// readers share. Each reader embeds the one below it, so that it calls methods of itself and
// of those below; grammar leads back from a call to its arguments and from an expression to a
// query.
type rewriter struct {
	*Cursor
	placeholders []Placeholder
	start        int // token

	item         int // depth of the expression that is a select item
	substringArg int // depth of the expression that is SUBSTRING's first

	grammar grammar
}

// The readers, from the lowest to the highest.
type (
	callReader  struct{ *rewriter }   // calls, with the syntax that some have of their own
	exprReader  struct{ callReader }  // operators and their operands
	tableReader struct{ exprReader }  // FROM
	queryReader struct{ tableReader } // queries and their clauses
)

// grammar are the readers that those below them need.
type grammar struct {
	expr      func(min int, restricted bool) *fragment
	query     func() *query
	queryFrom func(arm *query, with *fragment, first Token) *query
}

// expr reads an expression whose operators bind at least as tight as min.
func (r *rewriter) expr(min int) *fragment { return r.exprIn(min, false) }

// exprIn reads an expression. A restricted one is PostgreSQL's b_expr, where
// AND, NOT, IN, LIKE, BETWEEN and IS NULL are not operators.
func (r *rewriter) exprIn(min int, restricted bool) *fragment {
	return r.grammar.expr(min, restricted)
}

// exprs reads expressions between commas.
func (r *rewriter) exprs() []*fragment {
	return CommaList(r.Cursor, func() *fragment { return r.expr(precLowest) })
}

func (r *rewriter) exprsInParens() []*fragment {
	r.Expect("(")
	exprs := r.exprs()
	r.Expect(")")
	return exprs
}

func (r *rewriter) sortKeys() []*fragment {
	r.Expect("order", "by")
	return CommaList(r.Cursor, r.sortKey)
}

func (r *rewriter) sortKey() *fragment {
	e := r.expr(precLowest)
	m := &SortKey{}
	switch t := r.Peek(); {
	case r.Accept("desc"):
		m.Desc = true
	case r.Accept("asc"):
	case t.Is("using"):
		panic(Unsupported(t, "ORDER BY … USING is"))
	}
	switch {
	case r.Accept("nulls", "first"):
		m.Nulls = NullsFirst
	case r.Accept("nulls", "last"):
		m.Nulls = NullsLast
	}
	return r.call("x", m, e)
}

// subquery reads a query in parentheses.
func (r *rewriter) subquery() *query {
	r.Expect("(")
	r.refuseWrite("in a query")
	q := r.grammar.query()
	r.Expect(")")
	return q
}

// refuseWrite refuses a statement that writes where a query stands.
func (r *rewriter) refuseWrite(where string) {
	if t := r.Peek(); t.IsOneOf("insert", "update", "delete", "merge") {
		panic(Unsupported(t, upper(t.Text)+" "+where+" is"))
	}
}

// continuesQuery reports whether what follows a query in parentheses belongs to
// a query around it, or ends that.
func (r *rewriter) continuesQuery() bool {
	t := r.Peek()
	return setOpPrec(t) > 0 || t.IsOneOf(")", "order", "limit", "offset", "fetch", "for")
}
