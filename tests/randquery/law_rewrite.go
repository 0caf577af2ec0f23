package randquery

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
