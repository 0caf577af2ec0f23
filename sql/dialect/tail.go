package dialect

import "strings"

// tail reads ORDER BY, LIMIT, OFFSET, FETCH and FOR.
func (r *rewriter) tail(q *query) error {
	if r.NextIs("order") {
		t := r.PeekAt(2)
		keys, err := r.orderBy()
		if err != nil {
			return err
		}
		if q.orderBy != nil {
			return syntaxError(t, "multiple ORDER BY clauses not allowed")
		}
		q.orderBy = keys
	}
	for limit, offset := false, false; ; {
		t := r.Peek()
		var err error
		switch {
		case t.IsOneOf("limit", "fetch") && !limit:
			limit = true
			err = r.limit(q)
		case t.Is("offset") && !offset:
			offset = true
			err = r.offset(q)
		case t.Is("for"):
			err = r.locking(q)
		default:
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// orderBy reads ORDER BY and its keys.
func (r *rewriter) orderBy() (*fragment, error) {
	keys, err := r.sortKeys()
	if err != nil {
		return nil, err
	}
	return list(keys), nil
}

func (r *rewriter) sortKeys() ([]*fragment, error) {
	if err := r.Expect("order", "by"); err != nil {
		return nil, err
	}
	return CommaList(r.Cursor, r.sortKey)
}

func (r *rewriter) sortKey() (*fragment, error) {
	e, err := r.expr(precLowest)
	if err != nil {
		return nil, err
	}
	m := &SortKey{}
	switch t := r.Peek(); {
	case r.Accept("desc"):
		m.Desc = true
	case r.Accept("asc"):
	case t.Is("using"):
		return nil, Unsupported(t, "ORDER BY … USING is")
	}
	switch {
	case r.Accept("nulls", "first"):
		m.Nulls = NullsFirst
	case r.Accept("nulls", "last"):
		m.Nulls = NullsLast
	}
	return r.call("x", m, e), nil
}

// limit reads LIMIT n, LIMIT ALL, or FETCH FIRST n ROWS ONLY.
func (r *rewriter) limit(q *query) error {
	t := r.Next()
	m := &Limit{}
	first := r.Peek()
	var count []*fragment
	var err error
	if t.Is("fetch") {
		first = r.PeekAt(1)
		count, err = r.fetch(q, m)
	} else {
		count, err = r.limitCount(t)
	}
	if err != nil {
		return err
	}
	if q.limit != nil {
		return syntaxError(first, "multiple LIMIT clauses not allowed")
	}
	q.limit, q.limits = r.call("x", m, count...), m
	return nil
}

// limitCount reads what follows LIMIT.
func (r *rewriter) limitCount(t Token) ([]*fragment, error) {
	var count []*fragment
	if !r.Accept("all") {
		e, err := r.expr(precLowest)
		if err != nil {
			return nil, err
		}
		count = append(count, e)
	}
	if r.Accept(",") {
		if _, err := r.expr(precLowest); err != nil {
			return nil, err
		}
		return nil, syntaxError(t, "LIMIT #,# syntax is not supported")
	}
	return count, nil
}

// fetch reads what follows FETCH.
func (r *rewriter) fetch(q *query, m *Limit) ([]*fragment, error) {
	if !r.Accept("first") {
		if err := r.Expect("next"); err != nil {
			return nil, err
		}
	}
	t := r.Peek()
	var count *fragment
	if t.IsOneOf("row", "rows") && r.PeekAt(1).IsOneOf("only", "with") {
		r.Next()
		count = r.value(&Literal{Kind: IntegerValue, Text: "1", Pos: t.Pos})
	} else {
		var err error
		if count, err = r.fetchCount(); err != nil {
			return nil, err
		}
		if !r.acceptRows() {
			return nil, r.Unexpected()
		}
	}
	if r.Accept("only") {
		return []*fragment{count}, nil
	}
	m.Ties = true
	if err := r.Expect("with", "ties"); err != nil {
		return nil, err
	}
	if q.orderBy == nil {
		return nil, syntaxError(t, "WITH TIES cannot be specified without ORDER BY clause")
	}
	return []*fragment{count}, nil
}

func (r *rewriter) acceptRows() bool { return r.Accept("row") || r.Accept("rows") }

// fetchCount reads a primary, or a number with a sign.
func (r *rewriter) fetchCount() (*fragment, error) {
	if r.Peek().IsOneOf("+", "-") {
		if k := r.PeekAt(1).Kind; k != Integer && k != Decimal {
			r.Next()
			return nil, r.Unexpected()
		}
		return r.expr(precUnary)
	}
	return r.primary()
}

// offset reads OFFSET n, or OFFSET n ROWS where n is a primary or a number with
// a sign.
func (r *rewriter) offset(q *query) error {
	r.Next()
	first, second, at := r.Peek(), r.PeekAt(1), r.at
	e, err := r.operand(false)
	if err != nil {
		return err
	}
	if next := r.Peek(); next.IsOneOf("row", "rows") {
		signed := first.IsOneOf("+", "-") && (second.Kind == Integer || second.Kind == Decimal)
		if isPrefix(first) && !(signed && r.at == at+2) {
			return r.Unexpected()
		}
		r.Next()
	} else if e, err = r.exprFrom(e, precLowest, false); err != nil {
		return err
	}
	if q.offset != nil {
		return syntaxError(first, "multiple OFFSET clauses not allowed")
	}
	q.offset = e
	return nil
}

// lockStrengths are what may stand behind FOR.
var lockStrengths = []string{"update", "no key update", "share", "key share"}

// locking reads FOR READ ONLY, which says nothing, or FOR UPDATE and its kin.
func (r *rewriter) locking(q *query) error {
	t := r.Next()
	if r.Accept("read") {
		return r.Expect("only")
	}
	lock := RowLock{Pos: t.Pos}
	for _, strength := range lockStrengths {
		if r.Accept(strings.Fields(strength)...) {
			lock.Strength = strength
		}
	}
	if lock.Strength == "" {
		return r.Unexpected()
	}
	for more := r.Accept("of"); more; more = r.Accept(",") {
		name, err := r.Ident()
		if err != nil {
			return err
		}
		lock.Of = append(lock.Of, name)
	}
	switch {
	case r.Accept("nowait"):
		lock.Wait = "nowait"
	case r.Accept("skip", "locked"):
		lock.Wait = "skip locked"
	}
	q.locks, r.Locks = append(q.locks, lock), true
	return nil
}
