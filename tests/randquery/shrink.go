package randquery

// Shrink makes a query smaller while differs holds, and returns the smallest
// that it finds. It asks differs at most budget times. The query itself stays as
// it is.
func Shrink(q *Query, budget int, differs func(*Query) bool) *Query {
	best := q
	for improved := true; improved && budget > 0; {
		improved = false
		for at := 0; budget > 0; {
			smaller, found := best.smaller(at)
			if !found {
				break
			}
			budget--
			if differs(smaller) {
				best, improved = smaller, true
			} else {
				at++
			}
		}
	}
	return best
}

// smaller returns the query after step number n of those that make it smaller;
// not every one of them leaves a valid query.
func (q *Query) smaller(n int) (*Query, bool) {
	s := &step{left: n}
	c := s.query(q.clone())
	return c, s.done
}

// A step walks over a query and carries out one of the changes that it comes
// by.
type step struct {
	left int // changes to pass by before
	done bool
}

// here reports whether the change at hand is the one to carry out.
func (s *step) here() bool {
	if s.done {
		return false
	}
	s.done = s.left == 0
	s.left--
	return s.done
}

func (s *step) query(q *Query) *Query {
	if q.op != "" {
		for _, side := range []*Query{q.left, q.right} {
			if s.here() {
				side.with = append(q.with, side.with...)
				return side
			}
		}
	}
	for _, nested := range q.nested() {
		if s.here() {
			nested.with = append(q.with, nested.with...)
			return nested
		}
	}
	q.with = dropOne(s, q.with, 0)
	if len(q.order) > 0 && q.limit < 0 && q.offset < 0 && s.here() {
		q.order = nil
	}
	if q.sortBy != nil && s.here() {
		q.sortBy = nil
	}
	if q.limit >= 0 && s.here() {
		q.limit = -1
	}
	if q.offset >= 0 && s.here() {
		q.offset = -1
	}
	for _, w := range q.with {
		w.query = s.query(w.query)
	}
	if q.op != "" {
		q.left, q.right = s.query(q.left), s.query(q.right)
		return q
	}
	s.clauses(q)
	return q
}

// nested lists the derived tables and the subqueries of a query.
func (q *Query) nested() []*Query {
	var found []*Query
	for _, x := range q.from {
		found = append(found, x.nested()...)
	}
	for _, it := range q.items {
		found = append(found, it.expr.nested()...)
	}
	return append(append(found, q.where.nested()...), q.having.nested()...)
}

func (s *source) nested() []*Query {
	switch {
	case s.query != nil:
		return []*Query{s.query}
	case s.join != "":
		return append(append(s.left.nested(), s.right.nested()...), s.on.nested()...)
	}
	return nil
}

func (e *Expr) nested() []*Query {
	if e == nil {
		return nil
	}
	var found []*Query
	if e.query != nil {
		found = append(found, e.query)
	}
	for _, kid := range e.kids {
		found = append(found, kid.nested()...)
	}
	return found
}

func (s *step) clauses(q *Query) {
	if q.distinct && s.here() {
		q.distinct = false
	}
	if q.distinctOn > 0 && s.here() {
		q.distinctOn = 0
	}
	if q.distinctSets && s.here() {
		q.distinctSets = false
	}
	if q.having != nil && s.here() {
		q.having = nil
	}
	if q.where != nil && s.here() {
		q.where = nil
	}
	for i := range q.items {
		if len(q.items) > 1 && s.here() {
			q.dropItem(i)
			break
		}
	}
	q.from = dropOne(s, q.from, 1)
	q.group = dropOne(s, q.group, 0)
	for i := range q.from {
		q.from[i] = s.source(q.from[i])
	}
	for i := range q.group {
		q.group[i] = s.group(q.group[i])
	}
	for i := range q.items {
		s.item(&q.items[i].expr)
	}
	s.expr(&q.where)
	s.expr(&q.having)
	s.expr(&q.sortBy)
	q.windows = dropOne(s, q.windows, 0)
	for _, w := range q.windows {
		for i := range w.kids {
			s.expr(&w.kids[i])
		}
	}
}

// dropItem removes an item and what refers to it by number.
func (q *Query) dropItem(i int) {
	q.items = append(q.items[:i], q.items[i+1:]...)
	var order []orderKey
	for _, k := range q.order {
		if k.column > i+1 {
			k.column--
		} else if k.column == i+1 {
			continue
		}
		order = append(order, k)
	}
	q.order = order
	for _, list := range exprLists(q.group) {
		for _, x := range *list {
			if x.ordinal > i+1 {
				x.ordinal--
			} else if x.ordinal == i+1 {
				x.ordinal = 0
			}
		}
	}
}

// dropOne removes an element of a list that keeps at least least.
func dropOne[T any](s *step, list []T, least int) []T {
	for i := range list {
		if len(list) > least && s.here() {
			return append(list[:i], list[i+1:]...)
		}
	}
	return list
}

func (s *step) source(x *source) *source {
	if x.query != nil {
		x.query = s.query(x.query)
	}
	if x.lateral && s.here() {
		x.lateral = false
	}
	if x.join == "" {
		return x
	}
	for _, side := range []*source{x.left, x.right} {
		if s.here() {
			return side
		}
	}
	if x.join != "JOIN" && x.join != "CROSS JOIN" && s.here() {
		x.join = "JOIN"
	}
	s.expr(&x.on)
	x.left, x.right = s.source(x.left), s.source(x.right)
	return x
}

func (s *step) group(e *groupElement) *groupElement {
	for _, x := range e.exprs {
		if x.ordinal > 0 && s.here() {
			x.ordinal = 0
		}
	}
	for _, inner := range e.elements {
		if s.here() {
			return inner
		}
	}
	e.elements = dropOne(s, e.elements, 1)
	if e.construct != "" || e.parens {
		e.exprs = dropOne(s, e.exprs, 0)
	}
	for i := range e.elements {
		e.elements[i] = s.group(e.elements[i])
	}
	for i := range e.exprs {
		s.expr(&e.exprs[i])
	}
	return e
}

// expr replaces an expression by one inside it of the same kind, or by NULL.
func (s *step) expr(slot **Expr) {
	if *slot == nil {
		return
	}
	for _, inner := range (*slot).inner((*slot).kind) {
		if s.here() {
			*slot = inner
			return
		}
	}
	if (len((*slot).kids) > 0 || (*slot).query != nil) && !(*slot).column && s.here() {
		*slot = leaf((*slot).kind, "CAST(NULL AS "+(*slot).kind.typeName()+")")
		return
	}
	for i := range (*slot).kids {
		s.expr(&(*slot).kids[i])
	}
	if (*slot).query != nil {
		(*slot).query = s.query((*slot).query)
	}
}

// inner lists the expressions of a kind below e that lie in no other of the
// kind.
func (e *Expr) inner(k Kind) []*Expr {
	var found []*Expr
	for _, kid := range e.kids {
		if kid.kind == k {
			found = append(found, kid)
		} else {
			found = append(found, kid.inner(k)...)
		}
	}
	return found
}

// item replaces an item by one of its operands, of whatever kind.
func (s *step) item(slot **Expr) {
	for _, kid := range (*slot).kids {
		if isType(kid.kind) && s.here() {
			*slot = kid
			return
		}
	}
	s.expr(slot)
}
