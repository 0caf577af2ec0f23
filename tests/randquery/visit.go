package randquery

import "strings"

// visit calls f with the expression and all inside it, also within its subqueries.
// f may change what it is given.
func (e *Expr) visit(f func(*Expr)) {
	if e == nil {
		return
	}
	f(e)
	for _, kid := range e.kids {
		kid.visit(f)
	}
	e.query.visit(f)
}

// visit calls f with every expression of the query and of those inside it.
func (q *Query) visit(f func(*Expr)) {
	if q == nil {
		return
	}
	for _, w := range q.with {
		w.query.visit(f)
	}
	q.left.visit(f)
	q.right.visit(f)
	for _, s := range q.from {
		s.visit(f)
	}
	for _, it := range q.items {
		it.expr.visit(f)
	}
	for _, list := range exprLists(q.group) {
		for _, e := range *list {
			e.visit(f)
		}
	}
	for _, e := range append([]*Expr{q.where, q.having, q.sortBy}, q.windows...) {
		e.visit(f)
	}
}

func (s *source) visit(f func(*Expr)) {
	if s == nil {
		return
	}
	s.query.visit(f)
	s.left.visit(f)
	s.right.visit(f)
	s.on.visit(f)
}

// isWindow reports whether an expression is a call over a window.
func (e *Expr) isWindow() bool {
	return len(e.parts) > 1 && strings.HasPrefix(e.parts[1], " OVER ")
}
