package dialect

// rewriter returns the readers of a query or an expression that begins at the next token.
func (c *Cursor) rewriter() queryReader {
	shared := &rewriter{Cursor: c, start: c.at}
	r := queryReader{tableReader{exprReader{callReader{shared}}}}
	shared.grammar = grammar{expr: r.nested, query: r.query, queryFrom: r.queryFrom}
	return r
}

// What stands in a statement that is no query: each method reads one part, and
// gives intermediate SQL of a SELECT that consists of this part alone.

// With reads WITH and its common table expressions.
func (c *Cursor) With() Intermediate {
	r := c.rewriter()
	first := r.Peek()
	return r.intermediate(join(r.with(), r.selectOf(first)))
}

// From reads the list behind FROM or USING.
func (c *Cursor) From() Intermediate {
	r := c.rewriter()
	first := r.Peek()
	from := r.from()
	return r.intermediate(join(r.selectOf(first), raw(" from "), from))
}

// TableRef reads a table with its joins.
func (c *Cursor) TableRef() Intermediate {
	r := c.rewriter()
	first := r.Peek()
	table := r.tableRef()
	return r.intermediate(join(r.selectOf(first), raw(" from "), table))
}

// Items reads a select list of at least one item.
func (c *Cursor) Items() Intermediate {
	r := c.rewriter()
	first := r.Peek()
	if r.endsSelectList() {
		panic(r.Unexpected())
	}
	items := r.items()
	return r.intermediate(r.selectOf(first, items...))
}

// Expr reads an expression, or DEFAULT. A restricted one is PostgreSQL's b_expr,
// behind which the constraints of a column may stand.
func (c *Cursor) Expr(restricted bool) Intermediate {
	r := c.rewriter()
	first := r.Peek()
	if restricted && first.Is("default") {
		panic(r.Unexpected())
	}
	return r.intermediate(r.selectOf(first, r.exprIn(precLowest, restricted)))
}

// Call reads the call of a function without the clauses of aggregates.
func (c *Cursor) Call() Intermediate {
	r := c.rewriter()
	first := r.Peek()
	return r.intermediate(r.selectOf(first, r.tableCall()))
}

// WritesAfterWith reports whether WITH comes next and INSERT, UPDATE, DELETE or
// MERGE behind its common table expressions.
func (c *Cursor) WritesAfterWith() bool { return c.writesAfterWith(0) }

// Query reads a query with its clauses, as it stands in CREATE VIEW or as a
// statement. The intermediate SQL is a statement.
func (c *Cursor) Query() Intermediate {
	r := c.rewriter()
	return r.intermediate(r.query().text(r.rewriter))
}
