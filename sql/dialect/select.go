package dialect

import "github.com/cubeloom/cubeloom/sql/sqlstate"

// selectArm reads SELECT … up to its set operations or ORDER BY.
func (r queryReader) selectArm() *query {
	first := r.Next()
	body := []*fragment{raw("select ")}
	var head []*fragment
	if r.Accept("distinct") {
		body = append(body, raw("distinct "))
		if r.Accept("on") {
			on := r.exprsInParens()
			head = append(head, r.call("x", &Clause{Kind: DistinctOnClause}, on...))
		}
		if r.endsSelectList() {
			panic(r.Unexpected())
		}
	} else {
		r.Accept("all")
	}
	takes := r.TakesInto
	r.TakesInto = false
	items := r.items()
	if r.NextIs("into") {
		r.into(takes)
	}
	clauses, more := r.clauses()
	head = append(head, more...)
	items = append([]*fragment{r.call("s", &Select{Pos: first.Pos}, head...)}, items...)
	body = append(body, list(items), clauses)
	return &query{body: join(body...), isSelect: true, first: first}
}

// into reads INTO and the table that it names.
func (r queryReader) into(taken bool) {
	r.Next()
	into := &Into{}
	switch {
	case r.Accept("local", "temporary"), r.Accept("local", "temp"), r.Accept("temporary"), r.Accept("temp"):
		into.Temporary = true
	case r.NextIs("unlogged") && !endsItem(r.PeekAt(1)):
		r.Next()
	}
	r.Accept("table")
	at := r.Peek()
	into.Name = r.QualifiedName()
	if !taken {
		panic(sqlstate.ErrorAt(at.Pos, sqlstate.Syntax, "SELECT ... INTO is not allowed here"))
	}
	r.Into = into
}

// endsSelectList reports whether what comes next ends a select list, so that it
// may be empty, or a keyword before it is an alias.
func (r queryReader) endsSelectList() bool { return endsItem(r.Peek()) && !r.NextIs(",") }

// items reads the select list, which may be empty.
func (r queryReader) items() []*fragment {
	if r.endsSelectList() {
		return nil
	}
	return CommaList(r.Cursor, r.selectItem)
}

// selectItem reads *, t.*, or an expression with an optional alias.
func (r queryReader) selectItem() *fragment {
	start := r.at
	if star := r.star(); star != nil {
		if t := r.Peek(); star.Qualifier == nil || endsItem(t) || !t.isLabel() && !t.Is(".") && r.infix(false).prec == 0 {
			return join(r.name("c", star), raw(".*"))
		}
		r.at = start // a whole row in an expression
	}
	outer := r.item
	r.item = r.depth + 1
	e := r.expr(precLowest)
	r.item = outer
	t := r.Peek()
	switch {
	case t.Is("as"):
		r.Next()
		if !r.Peek().isLabel() {
			panic(r.Unexpected())
		}
	case t.isBareLabel():
	default:
		return e
	}
	return join(e, raw(" as "), r.name("a", &Alias{Name: r.ident()}))
}

// star reads * or t.*, or nothing.
func (r queryReader) star() *Star {
	if t := r.Peek(); t.Is("*") {
		r.Next()
		return &Star{Pos: t.Pos}
	}
	n := 0
	for first := true; r.PeekAt(n + 1).Is("."); first = false {
		if t := r.PeekAt(n); first && !t.IsName() || !t.isLabel() {
			return nil
		}
		n += 2
	}
	if n == 0 || !r.PeekAt(n).Is("*") {
		return nil
	}
	m := &Star{Pos: r.Peek().Pos}
	for range n / 2 {
		m.Qualifier = append(m.Qualifier, r.ident())
		r.Next()
	}
	r.Next()
	return m
}

// clauses reads FROM … QUALIFY. The second result are the clauses that the
// head of the SELECT carries.
func (r queryReader) clauses() (body *fragment, head []*fragment) {
	var parts []*fragment
	clause := func(text string, begins bool, read func() *fragment) {
		if begins {
			parts = append(parts, raw(text), read())
		}
	}
	condition := func() *fragment { return r.expr(precLowest) }
	clause(" from ", r.Accept("from"), r.from)
	clause(" where ", r.Accept("where"), condition)
	clause(" group by ", r.NextIs("group"), r.groupBy)
	clause(" having ", r.Accept("having"), condition)
	if r.Accept("window") {
		head = r.windowDefs()
	}
	if r.Accept("qualify") {
		head = append(head, r.call("x", &Clause{Kind: QualifyClause}, condition()))
	}
	return join(parts...), head
}
