package dialect

// from reads the list behind FROM.
func (r tableReader) from() *fragment {
	return list(CommaList(r.Cursor, r.tableRef))
}

// tableRef reads a table with its joins.
func (r tableReader) tableRef() *fragment {
	r.enter()
	defer r.leave()
	return r.joins(r.table())
}

// joins reads the joins whose left side is read.
func (r tableReader) joins(left *fragment) *fragment {
	for {
		m := r.joinKind()
		if m == nil {
			return left
		}
		left = r.join(left, m)
	}
}

// joinKind reads the words up to JOIN; nil when there is no join here.
func (r tableReader) joinKind() *Join {
	m := &Join{Kind: "inner", Pos: r.Peek().Pos}
	if r.Accept("cross") {
		m.Kind = "cross"
		r.Expect("join")
		return m
	}
	m.Natural = r.Accept("natural")
	switch t := r.Peek(); {
	case t.IsOneOf("left", "right", "full"):
		r.Next()
		r.Accept("outer")
		m.Kind = t.Text
		r.Expect("join")
		return m
	case r.Accept("inner"):
		r.Expect("join")
		return m
	case r.Accept("join"):
		return m
	case m.Natural:
		panic(r.Unexpected())
	}
	return nil
}

// join reads the right side and the condition. Without a condition of its own
// to wait for, a join takes but one table at its right.
func (r tableReader) join(left *fragment, m *Join) *fragment {
	qualified := m.Kind != "cross" && !m.Natural
	read := r.table
	if qualified {
		read = r.tableRef
	}
	right := read()
	var cond []*fragment
	if qualified {
		cond = r.joinCondition(m)
	}
	word := " join "
	if m.Kind == "left" || m.Kind == "right" {
		word = " " + m.Kind + " join "
	}
	p := join(open, left, raw(word), right, raw(" on "), r.call("j", m, cond...), closing)
	p.joined = true
	return p
}

func (r tableReader) joinCondition(m *Join) []*fragment {
	if r.Accept("on") {
		return []*fragment{r.expr(precLowest)}
	}
	r.Expect("using")
	m.Using = r.Idents()
	if r.Accept("as") {
		m.Alias = r.Ident()
	}
	return nil
}

// table reads one table, subquery, function, file, or join in parentheses.
func (r tableReader) table() *fragment {
	t := r.Peek()
	switch {
	case t.Is("("):
		return r.parenTable()
	case t.Is("lateral"):
		r.Next()
		if next := r.Peek(); next.Is("(") {
			q := r.subquery()
			return r.derived("lateral (", q, next)
		}
		return r.tableFunction("lateral (")
	case r.atRowsFrom():
		return r.tableFunction("(")
	case t.Kind == String:
		r.Next()
		return r.named(r.name("t", &File{Path: t.Text, Pos: t.Pos}))
	case t.IsOneOf("xmltable", "json_table"):
		panic(Unsupported(t, upper(t.Text)+" is"))
	case t.Is("cast"):
		panic(Unsupported(t, "CAST in FROM is"))
	case r.atCall(), r.special(t, r.PeekAt(1)) != nil:
		return r.tableFunction("(")
	}
	if !t.IsName() && t.isTypeOrFunction() {
		r.Next()
		panic(r.Unexpected())
	}
	return r.named(r.relation())
}

// named reads the alias of a table or file.
func (r tableReader) named(table *fragment) *fragment {
	m := r.alias()
	table = join(table, raw(" as "), r.name("a", &m))
	if r.Accept("tablesample") {
		return r.sample(table)
	}
	return table
}

// derived reads the alias of a subquery.
func (r tableReader) derived(opening string, q *query, first Token) *fragment {
	m := r.alias()
	return join(raw(opening), q.text(r.rewriter), raw(") as "),
		r.name("a", &Derived{Alias: m, Pos: first.Pos}))
}

// tableFunction reads a function call, or ROWS FROM several, and its alias.
func (r tableReader) tableFunction(opening string) *fragment {
	call := r.tableCalls()
	ordinality := r.Accept("with", "ordinality")
	m := &TableFunction{Ordinality: ordinality}
	if r.NextIs("as", "(") || r.definesColumns() {
		r.definedColumns(m)
	} else {
		m.Alias = r.alias()
	}
	return join(raw(opening+"select "), call, raw(") as "), r.name("a", m))
}

// definesColumns reports whether an alias with columns and their types follows.
func (r tableReader) definesColumns() bool {
	n := 0
	if r.Peek().Is("as") {
		n = 1
	}
	return r.PeekAt(n).IsName() && r.PeekAt(n+1).Is("(") && r.PeekAt(n+2).IsName() &&
		!r.PeekAt(n+3).IsOneOf(",", ")") && r.PeekAt(n+3).Kind != End
}

// alias reads [AS] name [(columns)].
func (r tableReader) alias() Alias {
	var m Alias
	t := r.Peek()
	switch {
	case r.Accept("as"):
		m.Name = r.Ident()
	case !t.IsName() || r.atQualify():
		return m
	case t.IsOneOf("semi", "anti", "asof") && r.PeekAt(1).Is("join"):
		panic(Unsupported(t, upper(t.Text)+" JOIN is"))
	default:
		m.Name = r.ident()
	}
	if r.NextIs("(") {
		m.Columns = r.Idents()
	}
	return m
}

// atQualify reports whether the word qualify that comes next opens a clause,
// where PostgreSQL would take it for an alias and fail at the next token.
func (r tableReader) atQualify() bool {
	if !r.NextIs("qualify") {
		return false
	}
	t := r.PeekAt(1)
	switch t.Kind {
	case Word:
		return t.IsName() || t.IsOneOf("not", "case", "cast", "true", "false", "null")
	case Quoted, String, Integer, Decimal, Param:
		return true
	}
	return false
}

// parenTable reads what an opening parenthesis in FROM begins: a subquery, or
// a join.
func (r tableReader) parenTable() *fragment {
	first := r.Peek()
	q, table := r.queryOrJoin()
	if q != nil {
		return r.derived("(", q, first)
	}
	return r.joinAlias(table, first)
}

// joinAlias reads the alias of a join in parentheses, if one follows: it is a lateral subquery of
// all columns then, so that its tables' names are hidden, and it sees the tables before it.
func (r tableReader) joinAlias(table *fragment, first Token) *fragment {
	if t := r.Peek(); !t.Is("as") && (!t.IsName() || r.atQualify()) {
		return table
	}
	body := join(raw("select "), r.call("s", &Select{Pos: first.Pos}), comma,
		r.name("c", &Star{Pos: first.Pos}), raw(".* from "), table)
	return r.derived("lateral (", &query{body: body, isSelect: true, first: first}, first)
}

// queryOrJoin reads a parenthesis in FROM up to its end. Of one before another
// only what follows the inner one says which it is.
func (r tableReader) queryOrJoin() (*query, *fragment) {
	r.enter()
	defer r.leave()
	first := r.Peek()
	nested := r.beforeQuery()
	r.Next()
	if !nested {
		return r.joinInParens()
	}
	if !r.NextIs("(") {
		q := r.grammar.query()
		r.Expect(")")
		return q, nil
	}
	inner := r.Peek()
	q, table := r.queryOrJoin()
	if q != nil && r.continuesQuery() {
		q = r.grammar.queryFrom(q, nil, first)
		r.Expect(")")
		return q, nil
	}
	if q != nil {
		table = r.derived("(", q, inner)
	} else {
		table = r.joinAlias(table, inner)
	}
	return r.joinFrom(table)
}

func (r tableReader) joinInParens() (*query, *fragment) {
	return r.joinFrom(r.table())
}

// joinFrom reads the joins of a table within parentheses, of which there must
// be one unless the table is such a join already.
func (r tableReader) joinFrom(table *fragment) (*query, *fragment) {
	joined := r.joins(table)
	if joined == table && !table.joined {
		panic(r.Unexpected())
	}
	r.Expect(")")
	return nil, joined
}
