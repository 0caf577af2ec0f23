package dialect

// rewriter reads one query or expression and writes its intermediate SQL.
type rewriter struct {
	*Cursor
	marks []Mark
	start int // token

	item         int // depth of the expression that is a select item
	substringArg int // depth of the expression that is SUBSTRING's first
}

func (c *Cursor) rewriter() *rewriter { return &rewriter{Cursor: c, start: c.at} }

// Query reads a query with its clauses, as it stands in CREATE VIEW or as a
// statement. The intermediate SQL is a statement.
func (c *Cursor) Query() (Intermediate, error) {
	r := c.rewriter()
	q, err := r.query()
	if err != nil {
		return Intermediate{}, err
	}
	return r.intermediate(q.text(r))
}
