package dialect

import (
	"sort"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Cursor walks over the tokens of a text. Its methods that read queries,
// expressions and types move behind what they read, and panic with an error that sqlstate.Try returns.
type Cursor struct {
	text string
	toks []Token // ends with End or Invalid
	at   int
	err  *sqlstate.Error // of the Invalid token
	cut  []CutName

	check func() error
	calls int // of mayGoOn

	// Locks says that a locking clause has been read.
	Locks bool
	// Write reads a statement that changes rows, as WITH may have it; what it returns becomes
	// CTE.Write.
	Write func() any
	// TakesInto says that the next SELECT may have INTO; Into is what that named, nil for none.
	TakesInto bool
	Into      *Into

	depth   int
	queries []bool // per token: an opening parenthesis before a query

	closings []int // of closing, by token; nil until it is asked for
}

// Into is the table that SELECT INTO makes.
type Into struct {
	Name      []Ident
	Temporary bool
}

// NewCursor cuts a text into tokens. It fails only for bytes that are not
// UTF-8, and when check does; what else the lexer cannot read is an error where the
// parser meets it. Check, which may be nil, is called now and then while the text is
// cut and parsed, which its error ends.
func NewCursor(text string, check func() error) (*Cursor, error) {
	if err := checkEncoding(text); err != nil {
		return nil, err
	}
	l, err := lex(text, check)
	if err != nil {
		return nil, err
	}
	return &Cursor{text: text, toks: l.toks, err: l.err, cut: l.cut, check: check}, nil
}

// mayGoOn calls check at one of many calls.
func (c *Cursor) mayGoOn() error {
	if c.calls++; c.check == nil || c.calls%checkTokens != 0 {
		return nil
	}
	return c.check()
}

// Cut are the names that were too long between two byte offsets.
func (c *Cursor) Cut(from, to int) []CutName {
	first := sort.Search(len(c.cut), func(i int) bool { return c.cut[i].Pos >= from })
	behind := sort.Search(len(c.cut), func(i int) bool { return c.cut[i].Pos >= to })
	return c.cut[first:behind]
}

// Peek returns the next token.
func (c *Cursor) Peek() Token { return c.toks[c.at] }

// PeekAt returns the token n behind the next one.
func (c *Cursor) PeekAt(n int) Token {
	if c.at+n < len(c.toks) {
		return c.toks[c.at+n]
	}
	return c.toks[len(c.toks)-1]
}

// Next takes the next token. The last one stays.
func (c *Cursor) Next() Token {
	t := c.toks[c.at]
	if c.at < len(c.toks)-1 {
		c.at++
	}
	return t
}

// Text returns the text between two byte offsets.
func (c *Cursor) Text(from, to int) string { return c.text[from:to] }

// NextIs reports whether these keywords or symbols come next.
func (c *Cursor) NextIs(texts ...string) bool {
	for i, s := range texts {
		if !c.PeekAt(i).Is(s) {
			return false
		}
	}
	return true
}

// Accept takes these keywords or symbols if all of them come next.
func (c *Cursor) Accept(texts ...string) bool {
	if !c.NextIs(texts...) {
		return false
	}
	c.at += len(texts)
	return true
}

// Expect takes these keywords or symbols, or fails at the first other token.
func (c *Cursor) Expect(texts ...string) {
	for _, s := range texts {
		if !c.Accept(s) {
			panic(c.Unexpected())
		}
	}
}

// Unexpected is the syntax error at the next token.
func (c *Cursor) Unexpected() error { return c.wrong("syntax error") }

// wrong is an error of the grammar that shows at the next token.
func (c *Cursor) wrong(what string) error {
	t := c.Peek()
	switch t.Kind {
	case Invalid:
		return c.err
	case End:
		return sqlstate.ErrorAt(t.Pos, sqlstate.Syntax, "%s at end of input", what)
	}
	return sqlstate.ErrorAt(t.Pos, sqlstate.Syntax, "%s at or near \"%s\"", what, clip(c.text[t.Pos:t.End]))
}

// Unsupported refuses a construct that PostgreSQL has, at a token.
func Unsupported(t Token, what string) error {
	return sqlstate.ErrorAt(t.Pos, sqlstate.FeatureNotSupported, "%s not supported", what)
}

// syntaxError is an error of the grammar with words of its own.
func syntaxError(t Token, format string, args ...any) error {
	return sqlstate.ErrorAt(t.Pos, sqlstate.Syntax, format, args...)
}

// Ident is an identifier and where it stands.
type Ident struct {
	Name string
	Pos  int
}

// Ident reads a column or table name.
func (c *Cursor) Ident() Ident {
	if !c.Peek().IsName() {
		panic(c.Unexpected())
	}
	return c.ident()
}

// Label reads a name for which any keyword serves.
func (c *Cursor) Label() Ident {
	if !c.Peek().isLabel() {
		panic(c.Unexpected())
	}
	return c.ident()
}

func (c *Cursor) ident() Ident {
	t := c.Next()
	return Ident{Name: t.Text, Pos: t.Pos}
}

// QualifiedName reads a table's name with its qualifiers.
func (c *Cursor) QualifiedName() []Ident {
	id := c.Ident()
	name := c.qualified(id)
	if len(name) > 3 {
		parts := lists.Map(name, func(p Ident) string { return p.Name })
		panic(sqlstate.ErrorAt(id.Pos, sqlstate.Syntax,
			"improper qualified name (too many dotted names): %s", strings.Join(parts, ".")))
	}
	return name
}

// Relation reads a table's name, and whether it is that table only: ONLY stands before it. A * behind
// it says that its children are meant, too, as they are without.
func (c *Cursor) Relation() (name []Ident, only bool) {
	only = c.Accept("only")
	inner := only && c.Accept("(")
	name = c.QualifiedName()
	switch {
	case inner:
		c.Expect(")")
	case !only:
		c.Accept("*")
	}
	return name, only
}

// Int reads an integer of 32 bits without a sign.
func (c *Cursor) Int() int64 {
	t := c.Peek()
	n, err := strconv.ParseInt(t.Text, 10, 32)
	if t.Kind != Integer || err != nil {
		panic(c.Unexpected())
	}
	c.Next()
	return n
}

// qualified reads what follows the first part of a name.
func (c *Cursor) qualified(first Ident) []Ident {
	name := []Ident{first}
	for c.Accept(".") {
		if c.Accept("*") {
			panic(c.Unexpected())
		}
		name = append(name, c.Label())
	}
	return name
}

// CommaList reads items with commas between them, one at least.
func CommaList[T any](c *Cursor, read func() T) []T {
	var items []T
	for {
		if items = append(items, read()); !c.Accept(",") {
			return items
		}
	}
}

// CommaListTo is CommaList up to a word, such as a closing parenthesis.
func CommaListTo[T any](c *Cursor, end string, read func() T) []T {
	items := CommaList(c, read)
	c.Expect(end)
	return items
}

// Idents reads a list of column names in parentheses.
func (c *Cursor) Idents() []Ident {
	c.Expect("(")
	return CommaListTo(c, ")", c.Ident)
}

// maxNesting bounds the nesting of what the parsers read by recursion:
// parentheses, subqueries, CASE. A chain of operators within maxDepth that is
// written with all its parentheses stays below it.
const maxNesting = 16000

// enter counts a level of nesting; the caller calls leave behind it.
func (c *Cursor) enter() {
	if c.depth++; c.depth > maxNesting {
		panic(tooComplex(c.Peek().Pos))
	}
}

// leave ends a level of nesting.
func (c *Cursor) leave() { c.depth-- }

func tooComplex(pos int) error {
	err := sqlstate.ErrorAt(pos, sqlstate.TooComplex, "statement too complex")
	err.Hint = "The statement nests too deeply, or chains too many operators."
	return err
}

// beforeQuery reports whether the parenthesis that comes next opens a query, or
// other parentheses of which the innermost does.
func (c *Cursor) beforeQuery() bool {
	if c.queries == nil {
		c.queries = make([]bool, len(c.toks))
		for i := len(c.toks) - 2; i >= 0; i-- {
			c.queries[i] = c.toks[i].Is("(") &&
				(c.queries[i+1] || startsQuery(c.toks[i+1], c.toks[min(i+2, len(c.toks)-1)]))
		}
	}
	return c.queries[c.at]
}

// startsQuery reports whether a query can begin with these tokens. VALUES is
// also a column's name.
func startsQuery(t, next Token) bool {
	return t.IsOneOf("select", "with", "table") || t.Is("values") && next.Is("(")
}

// AtQuery reports whether a query comes next, in parentheses or not.
func (c *Cursor) AtQuery() bool {
	return startsQuery(c.Peek(), c.PeekAt(1)) || c.beforeQuery()
}

// LastEnd is the byte offset behind the token that was taken last.
func (c *Cursor) LastEnd() int {
	if c.at == 0 {
		return 0
	}
	return c.toks[c.at-1].End
}

// isWrite reports whether a statement that changes rows begins so.
func isWrite(t Token) bool { return t.IsOneOf("insert", "update", "delete", "merge") }

// writesAfterWith is WritesAfterWith for the token n behind the next one.
func (c *Cursor) writesAfterWith(n int) bool {
	if !c.PeekAt(n).Is("with") {
		return false
	}
	for i := c.at + n + 1; i < len(c.toks)-1 && !c.toks[i].Is(";"); i++ {
		if !c.toks[i].IsOneOf("(", "[") {
			continue
		}
		if i = c.closing(i); i < len(c.toks)-1 && !c.toks[i+1].IsOneOf(",", "as") {
			return isWrite(c.toks[i+1])
		}
	}
	return false
}

// closing is the token that ends the parenthesis or bracket which opens at a token; the last one
// where none does.
func (c *Cursor) closing(at int) int {
	if c.closings == nil {
		c.closings = make([]int, len(c.toks))
		var open []int
		for i, t := range c.toks {
			c.closings[i] = len(c.toks) - 1
			switch last := len(open) - 1; {
			case t.IsOneOf("(", "["):
				open = append(open, i)
			case t.IsOneOf(")", "]") && last >= 0:
				c.closings[open[last]] = i
				open = open[:last]
			}
		}
	}
	return c.closings[at]
}
