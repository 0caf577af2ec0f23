package dialect

// from reads the list behind FROM.
func (r *rewriter) from() (*fragment, error) {
	tables, err := CommaList(r.Cursor, r.tableRef)
	if err != nil {
		return nil, err
	}
	return list(tables), nil
}

// tableRef reads a table with its joins.
func (r *rewriter) tableRef() (*fragment, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	defer r.leave()
	left, err := r.table()
	if err != nil {
		return nil, err
	}
	return r.joins(left)
}

// joins reads the joins whose left side is read.
func (r *rewriter) joins(left *fragment) (*fragment, error) {
	for {
		m, err := r.joinKind()
		if err != nil {
			return nil, err
		}
		if m == nil {
			return left, nil
		}
		if left, err = r.join(left, m); err != nil {
			return nil, err
		}
	}
}

// joinKind reads the words up to JOIN; nil when there is no join here.
func (r *rewriter) joinKind() (*Join, error) {
	m := &Join{Kind: "inner", Pos: r.Peek().Pos}
	if r.Accept("cross") {
		m.Kind = "cross"
		return m, r.Expect("join")
	}
	m.Natural = r.Accept("natural")
	switch t := r.Peek(); {
	case t.IsOneOf("left", "right", "full"):
		r.Next()
		r.Accept("outer")
		m.Kind = t.Text
		return m, r.Expect("join")
	case r.Accept("inner"):
		return m, r.Expect("join")
	case r.Accept("join"):
		return m, nil
	case m.Natural:
		return nil, r.Unexpected()
	}
	return nil, nil
}

// join reads the right side and the condition. Without a condition of its own
// to wait for, a join takes but one table at its right.
func (r *rewriter) join(left *fragment, m *Join) (*fragment, error) {
	qualified := m.Kind != "cross" && !m.Natural
	read := r.table
	if qualified {
		read = r.tableRef
	}
	right, err := read()
	if err != nil {
		return nil, err
	}
	var cond []*fragment
	if qualified {
		if cond, err = r.joinCondition(m); err != nil {
			return nil, err
		}
	}
	word := " join "
	if m.Kind == "left" || m.Kind == "right" {
		word = " " + m.Kind + " join "
	}
	p := join(open, left, raw(word), right, raw(" on "), r.call("j", m, cond...), closing)
	p.joined = true
	return p, nil
}

func (r *rewriter) joinCondition(m *Join) ([]*fragment, error) {
	if r.Accept("on") {
		e, err := r.expr(precLowest)
		return []*fragment{e}, err
	}
	if err := r.Expect("using"); err != nil {
		return nil, err
	}
	var err error
	if m.Using, err = r.Idents(); err != nil {
		return nil, err
	}
	if t := r.Peek(); t.Is("as") {
		return nil, Unsupported(t, "an alias of USING is")
	}
	return nil, nil
}

// table reads one table, subquery, function, file, or join in parentheses.
func (r *rewriter) table() (*fragment, error) {
	t := r.Peek()
	switch {
	case t.Is("("):
		return r.parenTable()
	case t.Is("lateral"):
		r.Next()
		if next := r.Peek(); next.Is("(") {
			q, err := r.subquery()
			if err != nil {
				return nil, err
			}
			return r.derived("lateral (", q, next)
		}
		return r.tableFunction("lateral (")
	case t.Is("rows") && r.PeekAt(1).Is("from") && r.PeekAt(2).Is("("):
		return nil, Unsupported(t, "ROWS FROM is")
	case t.Kind == String:
		r.Next()
		return r.named(r.name("t", &File{Path: t.Text, Pos: t.Pos}))
	case t.IsOneOf("xmltable", "json_table"):
		return nil, Unsupported(t, upper(t.Text)+" is")
	case t.Is("cast"):
		return nil, Unsupported(t, "CAST in FROM is")
	case r.atCall(), r.special(t, r.PeekAt(1)) != nil:
		return r.tableFunction("(")
	}
	if !t.IsName() && t.isTypeOrFunction() {
		r.Next()
		return nil, r.Unexpected()
	}
	table, err := r.relation()
	if err != nil {
		return nil, err
	}
	return r.named(table)
}

// atCall reports whether a function's name and its parenthesis come next.
func (r *rewriter) atCall() bool {
	t := r.Peek()
	if !t.IsName() && !t.isTypeOrFunction() {
		return false
	}
	n := 1
	for r.PeekAt(n).Is(".") && r.PeekAt(n+1).isLabel() {
		n += 2
	}
	return r.PeekAt(n).Is("(")
}

// named reads the alias of a table or file.
func (r *rewriter) named(table *fragment) (*fragment, error) {
	m, err := r.alias()
	if err != nil {
		return nil, err
	}
	table = join(table, raw(" as "), r.name("a", &m))
	if r.Accept("tablesample") {
		return r.sample(table)
	}
	return table, nil
}

// derived reads the alias of a subquery.
func (r *rewriter) derived(opening string, q *query, first Token) (*fragment, error) {
	m, err := r.alias()
	if err != nil {
		return nil, err
	}
	return join(raw(opening), q.text(r), raw(") as "),
		r.name("a", &Derived{Alias: m, Pos: first.Pos})), nil
}

// tableFunction reads a function call and its alias.
func (r *rewriter) tableFunction(opening string) (*fragment, error) {
	if !r.atCall() && r.special(r.Peek(), r.PeekAt(1)) == nil {
		return nil, r.noCall()
	}
	call, err := r.tableCall()
	if err != nil {
		return nil, err
	}
	ordinality := r.Accept("with", "ordinality")
	m := &TableFunction{Ordinality: ordinality}
	if r.NextIs("as", "(") || r.definesColumns() {
		err = r.definedColumns(m)
	} else {
		m.Alias, err = r.alias()
	}
	if err != nil {
		return nil, err
	}
	return join(raw(opening+"select "), call, raw(") as "), r.name("a", m)), nil
}

// definesColumns reports whether an alias with columns and their types follows.
func (r *rewriter) definesColumns() bool {
	n := 0
	if r.Peek().Is("as") {
		n = 1
	}
	return r.PeekAt(n).IsName() && r.PeekAt(n+1).Is("(") && r.PeekAt(n+2).IsName() &&
		!r.PeekAt(n+3).IsOneOf(",", ")") && r.PeekAt(n+3).Kind != End
}

// alias reads [AS] name [(columns)].
func (r *rewriter) alias() (Alias, error) {
	var m Alias
	var err error
	t := r.Peek()
	switch {
	case r.Accept("as"):
		if m.Name, err = r.Ident(); err != nil {
			return m, err
		}
	case !t.IsName() || r.atQualify():
		return m, nil
	case t.IsOneOf("semi", "anti", "asof") && r.PeekAt(1).Is("join"):
		return m, Unsupported(t, upper(t.Text)+" JOIN is")
	default:
		m.Name = r.ident()
	}
	if r.NextIs("(") {
		m.Columns, err = r.Idents()
	}
	return m, err
}

// atQualify reports whether the word qualify that comes next opens a clause,
// where PostgreSQL would take it for an alias and fail at the next token.
func (r *rewriter) atQualify() bool {
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
func (r *rewriter) parenTable() (*fragment, error) {
	first := r.Peek()
	q, table, err := r.queryOrJoin()
	switch {
	case err != nil:
		return nil, err
	case q != nil:
		return r.derived("(", q, first)
	}
	if t := r.Peek(); t.Is("as") || t.IsName() && !r.atQualify() {
		return nil, Unsupported(t, "an alias of a join is")
	}
	return table, nil
}

// queryOrJoin reads a parenthesis in FROM up to its end. Of one before another
// only what follows the inner one says which it is.
func (r *rewriter) queryOrJoin() (*query, *fragment, error) {
	if err := r.enter(); err != nil {
		return nil, nil, err
	}
	defer r.leave()
	first := r.Peek()
	nested := r.beforeQuery()
	r.Next()
	if !nested {
		return r.joinInParens()
	}
	if !r.NextIs("(") {
		q, err := r.query()
		if err != nil {
			return nil, nil, err
		}
		return q, nil, r.Expect(")")
	}
	inner := r.Peek()
	q, table, err := r.queryOrJoin()
	if err != nil {
		return nil, nil, err
	}
	if q != nil && r.continuesQuery() {
		if q, err = r.queryFrom(q, nil, first); err != nil {
			return nil, nil, err
		}
		return q, nil, r.Expect(")")
	}
	if q != nil {
		if table, err = r.derived("(", q, inner); err != nil {
			return nil, nil, err
		}
	}
	return r.joinFrom(table)
}

// continuesQuery reports whether what follows a query in parentheses belongs to
// a query around it, or ends that.
func (r *rewriter) continuesQuery() bool {
	t := r.Peek()
	return setOpPrec(t) > 0 || t.IsOneOf(")", "order", "limit", "offset", "fetch", "for")
}

func (r *rewriter) joinInParens() (*query, *fragment, error) {
	table, err := r.table()
	if err != nil {
		return nil, nil, err
	}
	return r.joinFrom(table)
}

// joinFrom reads the joins of a table within parentheses, of which there must
// be one unless the table is such a join already.
func (r *rewriter) joinFrom(table *fragment) (*query, *fragment, error) {
	joined, err := r.joins(table)
	if err != nil {
		return nil, nil, err
	}
	if joined == table && !table.joined {
		return nil, nil, r.Unexpected()
	}
	return nil, joined, r.Expect(")")
}
