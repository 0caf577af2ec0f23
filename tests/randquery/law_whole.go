package randquery

import (
	"strings"
)

// query replaces parts of a query, and the query itself.
func (w *rewriter) query(q *Query) *Query {
	if q == nil {
		return nil
	}
	for _, c := range q.with {
		saved := w.plain
		w.plain = w.plain || c.recursive
		c.query = w.query(c.query)
		w.plain = saved
	}
	if q.op != "" {
		q.left, q.right = w.query(q.left), w.query(q.right)
	} else {
		w.clauses(q)
	}
	if w.plain {
		return q
	}
	return w.whole(q)
}

// whole replaces a query as a whole.
func (w *rewriter) whole(q *Query) *Query {
	r, yes := w.chooses("query " + q.SQL())
	if !yes {
		return q
	}
	// The numbers of an order and the names of columns are those of a SELECT that stays.
	if q.Ordered() || q.limit >= 0 || q.offset >= 0 || len(q.with) > 0 || q.unnamed() {
		return q
	}
	if q.op != "" && !strings.HasPrefix(q.op, "EXCEPT") && r.IntN(2) == 0 {
		q.left, q.right = q.right, q.left
		return q
	}
	switch r.IntN(5) {
	case 0:
		return w.derived(q)
	case 1:
		none := w.derived(q.clone())
		none.where = leaf(Bool, pick(r, "false", "(1 = 0)", "CAST(NULL AS boolean)"))
		return &Query{op: pick(r, "UNION ALL", "EXCEPT ALL"), left: q, right: none, limit: -1, offset: -1}
	case 2:
		if q.isSet() {
			d := w.derived(q)
			d.distinct = true
			return d
		}
	case 3:
		if q.isSet() && !q.hasInexact() {
			return &Query{op: pick(r, "UNION", "INTERSECT"), left: q, right: q.clone(), limit: -1, offset: -1}
		}
	default:
		name := w.alias()
		d := w.derived(q)
		d.from[0] = &source{table: name, alias: d.from[0].alias}
		d.with = []*cte{{name: name, query: q}}
		return d
	}
	return q
}

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
