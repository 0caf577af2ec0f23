package dialect

import "strings"

// tail reads ORDER BY, LIMIT, OFFSET, FETCH and FOR.
func (r queryReader) tail(q *query) {
	if r.NextIs("order") {
		t := r.PeekAt(2)
		keys := r.orderBy()
		if q.orderBy != nil {
			panic(syntaxError(t, "multiple ORDER BY clauses not allowed"))
		}
		q.orderBy = keys
	}
	for limit, offset := false, false; ; {
		t := r.Peek()
		switch {
		case t.IsOneOf("limit", "fetch") && !limit:
			limit = true
			r.limit(q)
		case t.Is("offset") && !offset:
			offset = true
			r.offset(q)
		case t.Is("for"):
			r.locking(q)
		default:
			return
		}
	}
}

// orderBy reads ORDER BY and its keys.
func (r *rewriter) orderBy() *fragment {
	return list(r.sortKeys())
}

// limit reads LIMIT n, LIMIT ALL, or FETCH FIRST n ROWS ONLY.
func (r queryReader) limit(q *query) {
	t := r.Next()
	m := &Limit{}
	first := r.Peek()
	var count []*fragment
	if t.Is("fetch") {
		first = r.PeekAt(1)
		count = r.fetch(q, m)
	} else {
		count = r.limitCount(t)
	}
	if q.limit != nil {
		panic(syntaxError(first, "multiple LIMIT clauses not allowed"))
	}
	q.limit, q.limits = r.call("x", m, count...), m
}

// limitCount reads what follows LIMIT.
func (r queryReader) limitCount(t Token) []*fragment {
	var count []*fragment
	if !r.Accept("all") {
		count = append(count, r.expr(precLowest))
	}
	if r.Accept(",") {
		r.expr(precLowest)
		panic(syntaxError(t, "LIMIT #,# syntax is not supported"))
	}
	return count
}

// fetch reads what follows FETCH.
func (r queryReader) fetch(q *query, m *Limit) []*fragment {
	if !r.Accept("first") {
		r.Expect("next")
	}
	t := r.Peek()
	var count *fragment
	if t.IsOneOf("row", "rows") && r.PeekAt(1).IsOneOf("only", "with") {
		r.Next()
		count = r.value(&Literal{Kind: IntegerValue, Text: "1", Pos: t.Pos})
	} else {
		count = r.fetchCount()
		if !r.acceptRows() {
			panic(r.Unexpected())
		}
	}
	if r.Accept("only") {
		return []*fragment{count}
	}
	m.Ties = true
	r.Expect("with", "ties")
	if q.orderBy == nil {
		panic(syntaxError(t, "WITH TIES cannot be specified without ORDER BY clause"))
	}
	return []*fragment{count}
}

func (r queryReader) acceptRows() bool { return r.Accept("row") || r.Accept("rows") }

// fetchCount reads a primary, or a number with a sign.
func (r queryReader) fetchCount() *fragment {
	if r.Peek().IsOneOf("+", "-") {
		if k := r.PeekAt(1).Kind; k != Integer && k != Decimal {
			r.Next()
			panic(r.Unexpected())
		}
		return r.expr(precUnary)
	}
	return r.primary()
}

// offset reads OFFSET n, or OFFSET n ROWS where n is a primary or a number with
// a sign.
func (r queryReader) offset(q *query) {
	r.Next()
	first, second, at := r.Peek(), r.PeekAt(1), r.at
	e := r.operand(false)
	if next := r.Peek(); next.IsOneOf("row", "rows") {
		signed := first.IsOneOf("+", "-") && (second.Kind == Integer || second.Kind == Decimal)
		if isPrefix(first) && !(signed && r.at == at+2) {
			panic(r.Unexpected())
		}
		r.Next()
	} else {
		e = r.exprFrom(e, precLowest, false)
	}
	if q.offset != nil {
		panic(syntaxError(first, "multiple OFFSET clauses not allowed"))
	}
	q.offset = e
}

// lockStrengths are what may stand behind FOR.
var lockStrengths = []string{"update", "no key update", "share", "key share"}

// locking reads FOR READ ONLY, which says nothing, or FOR UPDATE and its kin.
func (r queryReader) locking(q *query) {
	t := r.Next()
	if r.Accept("read") {
		r.Expect("only")
		return
	}
	lock := RowLock{Pos: t.Pos}
	for _, strength := range lockStrengths {
		if r.Accept(strings.Fields(strength)...) {
			lock.Strength = strength
		}
	}
	if lock.Strength == "" {
		panic(r.Unexpected())
	}
	for more := r.Accept("of"); more; more = r.Accept(",") {
		lock.Of = append(lock.Of, r.Ident())
	}
	switch {
	case r.Accept("nowait"):
		lock.Wait = "nowait"
	case r.Accept("skip", "locked"):
		lock.Wait = "skip locked"
	}
	q.locks, r.Locks = append(q.locks, lock), true
}
