package randquery

// checkRewritten compares the subject with one in which some expressions, sources and
// queries are replaced by equivalent ones.
func checkRewritten(c *Case, ask Ask) error {
	w := &rewriter{seed: c.Seed, percent: 15}
	other := w.query(c.Query.clone())
	if w.changes == 0 {
		return errNoSubject
	}
	want, err := ask(c.Query.SQL(), false)
	if err != nil {
		return err
	}
	got, err := ask(other.SQL(), false)
	if err != nil {
		return err
	}
	for i := range got.Columns { // an expression without a name has that of what it is
		got.Columns[i].Name = want.Columns[i].Name
	}
	return compare("the equivalent query", got, want, c.Query.Ordered() && other.Ordered(), err)
}

// isSet reports whether no row is twice in the answer.
func (q *Query) isSet() bool {
	return q.op == "" && q.distinct || q.op == "UNION" || q.op == "INTERSECT" || q.op == "EXCEPT"
}

// unnamed reports whether a column cannot be named.
func (q *Query) unnamed() bool {
	for _, c := range q.outputs() {
		if c.Name == "" {
			return true
		}
	}
	return false
}

// derived selects all from a query.
func (w *rewriter) derived(q *Query) *Query {
	s := &source{alias: w.alias(), query: q}
	d := &Query{from: []*source{s}, limit: -1, offset: -1}
	for _, c := range q.outputs() {
		d.items = append(d.items, item{columnLeaf(s.alias+"."+c.Name, c.Kind), c.Name})
	}
	return d
}
