package dialect

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// text returns the intermediate SQL of the whole query. A set operation or VALUES
// with clauses is wrapped, since Vitess loses some of theirs in subqueries.
func (q *query) text(r *rewriter) *fragment {
	if q.with == nil && q.orderBy == nil && q.limit == nil && q.offset == nil && q.locks == nil {
		return q.body
	}
	if q.limit == nil && (q.offset != nil || q.locks != nil) {
		q.limits = &Limit{}
		q.limit = r.call("x", q.limits)
	}
	if q.locks != nil {
		q.limits.Locks = q.locks
	}
	var parts []*fragment
	if q.with != nil {
		parts = append(parts, q.with)
	}
	if q.isSelect {
		parts = append(parts, q.body)
	} else {
		parts = append(parts, raw("select "), r.name("q", &Query{Pos: q.first.Pos}),
			raw("() from ("), q.body, raw(") as `q`"))
	}
	if q.orderBy != nil {
		parts = append(parts, raw(" order by "), q.orderBy)
	}
	if q.limit != nil {
		parts = append(parts, raw(" limit "), q.limit)
	}
	if q.offset != nil {
		parts = append(parts, raw(" offset "), q.offset)
	}
	return join(parts...)
}

// parenthesis is what stands between parentheses: a query, or expressions.
type parenthesis struct {
	query *query
	exprs []*fragment
}

func setOpPrec(t Token) int {
	switch {
	case t.Is("union"), t.Is("except"):
		return precUnion
	case t.Is("intersect"):
		return precIntersect
	}
	return 0
}

// The precedences of set operations.
const (
	precUnion     = 1
	precIntersect = 2
)

// The precedences of PostgreSQL's operators, loosest first.
const (
	precLowest = iota
	precOr
	precAnd
	precNot
	precIs
	precCompare // does not associate
	precMatch   // BETWEEN, IN, LIKE: does not associate
	precOperator
	precAdd
	precMultiply
	precPower
	precAt
	precCollate
	precUnary
	precCast
)

// infix is an operator behind its left operand.
type infix struct {
	prec int
	read func(left *fragment, prec int, restricted bool) *fragment
}

func endsItem(t Token) bool {
	return t.Kind == End || t.IsOneOf(",", ")", ";", "from", "into", "where", "group", "having",
		"window", "union", "intersect", "except", "order", "limit", "offset", "fetch", "for", "with")
}

func upper(word string) string { return strings.ToUpper(word) }

// literal takes the token as a constant.
func (r *rewriter) literal(kind LiteralKind) *fragment {
	t := r.Next()
	return r.value(&Literal{Kind: kind, Text: t.Text, Pos: t.Pos})
}

// relation reads a table's name, with ONLY or *.
func (r tableReader) relation() *fragment {
	name, only := r.Relation()
	return r.name("t", &Table{Name: name, Only: only})
}

// scalar writes a query as an expression.
func (r *rewriter) scalar(q *query, first Token) *fragment {
	return r.native(&At{Pos: first.Pos}, paren(q.text(r)))
}

// expr reads an expression whose operators bind at least as tight as min.
func (r *rewriter) expr(min int) *fragment { return r.exprIn(min, false) }

// exprIn reads an expression. A restricted one is PostgreSQL's b_expr, where
// AND, NOT, IN, LIKE, BETWEEN and IS NULL are not operators.
func (r *rewriter) exprIn(min int, restricted bool) *fragment {
	return r.grammar.expr(min, restricted)
}

// exprs reads expressions between commas.
func (r *rewriter) exprs() []*fragment {
	return CommaList(r.Cursor, func() *fragment { return r.expr(precLowest) })
}

func (r *rewriter) exprsInParens() []*fragment {
	r.Expect("(")
	exprs := r.exprs()
	r.Expect(")")
	return exprs
}

func (r *rewriter) sortKeys() []*fragment {
	r.Expect("order", "by")
	return CommaList(r.Cursor, r.sortKey)
}

func (r *rewriter) sortKey() *fragment {
	e := r.expr(precLowest)
	m := &SortKey{}
	switch {
	case r.Accept("desc"):
		m.Desc = true
	case r.Accept("asc"):
	case r.Accept("using"):
		m.Desc = r.sortOperator()
	}
	switch {
	case r.Accept("nulls", "first"):
		m.Nulls = NullsFirst
	case r.Accept("nulls", "last"):
		m.Nulls = NullsLast
	}
	return r.call("x", m, e)
}

// sortOperator reads the operator of ORDER BY … USING, and reports whether it is >.
func (r *rewriter) sortOperator() bool {
	t := r.Next()
	if t.IsOneOf("=", "<=", ">=", "<>", "!=") {
		e := sqlstate.ErrorAt(t.Pos, sqlstate.WrongObjectType, "operator %s is not a valid ordering operator", t.Text)
		e.Hint = `Ordering operators must be "<" or ">" members of btree operator families.`
		panic(e)
	}
	if !t.IsOneOf("<", ">") {
		panic(Unsupported(t, "ORDER BY USING "+t.Text+" is"))
	}
	return t.Is(">")
}

// subquery reads a query in parentheses.
func (r *rewriter) subquery() *query {
	r.Expect("(")
	r.refuseWrite("in a query")
	q := r.grammar.query()
	r.Expect(")")
	return q
}

// refuseWrite refuses a statement that writes where a query stands.
func (r *rewriter) refuseWrite(where string) {
	if t := r.Peek(); isWrite(t) {
		panic(Unsupported(t, upper(t.Text)+" "+where+" is"))
	}
}

// continuesQuery reports whether what follows a query in parentheses belongs to
// a query around it, or ends that.
func (r *rewriter) continuesQuery() bool {
	t := r.Peek()
	return setOpPrec(t) > 0 || t.IsOneOf(")", "order", "limit", "offset", "fetch", "for")
}
