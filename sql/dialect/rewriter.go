package dialect

import (
	"strconv"
	"strings"
)

// rewriter reads one query or expression and writes its intermediate SQL. It holds what all
// readers share. Each reader embeds the one below it, so that it calls methods of itself and
// of those below; grammar leads back from a call to its arguments and from an expression to a
// query.
type rewriter struct {
	*Cursor
	placeholders []Placeholder
	start        int // token

	item         int // depth of the expression that is a select item
	substringArg int // depth of the expression that is SUBSTRING's first

	grammar grammar
}

// The readers, from the lowest to the highest.
type (
	callReader  struct{ *rewriter }   // calls, with the syntax that some have of their own
	exprReader  struct{ callReader }  // operators and their operands
	tableReader struct{ exprReader }  // FROM
	queryReader struct{ tableReader } // queries and their clauses
)

// grammar are the readers that those below them need.
type grammar struct {
	expr      func(min int, restricted bool) *fragment
	query     func() *query
	queryFrom func(arm *query, with *fragment, first Token) *query
}

// query is a query whose clauses may still come: those behind parentheses go
// to the query within, as in PostgreSQL.
type query struct {
	body     *fragment
	isSelect bool // body is a SELECT that takes the clauses
	with     *fragment
	orderBy  *fragment
	limit    *fragment
	limits   *Limit // what limit stands for
	locks    []RowLock
	offset   *fragment
	first    Token
}

// intermediate joins the text. The depth bounds the recursion here and that of
// walks over the parsed tree.
func (r *rewriter) intermediate(p *fragment) Intermediate {
	if p.depth > maxDepth {
		panic(tooComplex(r.toks[r.start].Pos))
	}
	var b strings.Builder
	p.write(&b)
	return Intermediate{Text: b.String(), Placeholders: r.placeholders, Check: r.check}
}

// number records a placeholder and returns its number.
func (r *rewriter) number(m Placeholder) string {
	r.placeholders = append(r.placeholders, m)
	return strconv.Itoa(len(r.placeholders) - 1)
}

// name is an intermediate SQL name: a letter that helps readers of intermediate SQL, and
// the number of the placeholder.
func (r *rewriter) name(letter string, m Placeholder) *fragment {
	return raw("`" + letter + r.number(m) + "`")
}

// value is a bind argument that stands for a constant.
func (r *rewriter) value(m Placeholder) *fragment { return raw(":l" + r.number(m)) }

// call is an intermediate SQL call.
func (r *rewriter) call(letter string, m Placeholder, args ...*fragment) *fragment {
	return join(r.name(letter, m), open, list(args), closing)
}

// native marks what MySQL's own syntax says: (…) collate `oN`.
func (r *rewriter) native(m Placeholder, parts ...*fragment) *fragment {
	return join(open, join(parts...), raw(") collate "), r.name("o", m))
}

// selectOf is a SELECT of items.
func (r *rewriter) selectOf(first Token, items ...*fragment) *fragment {
	head := r.call("s", &Select{Pos: first.Pos})
	return join(raw("select "), list(append([]*fragment{head}, items...)))
}
