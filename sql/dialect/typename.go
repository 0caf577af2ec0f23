package dialect

import "strconv"

// TypeName is a type as written.
type TypeName struct {
	Name  string   // words in lower case with one blank between
	Path  []string // the parts of a name that is no keyword of the grammar
	Args  []int
	Field string // of an interval: "day", "year to month"
	Array bool
	Pos   int
}

// TypeName reads a type.
func (c *Cursor) TypeName() TypeName {
	if t := c.Peek(); t.Is("setof") {
		panic(Unsupported(t, "SETOF is"))
	}
	interval := c.NextIs("interval")
	typ := c.simpleType()
	if interval && typ.Args == nil {
		c.intervalFields(&typ)
	}
	c.arrayBounds(&typ)
	return typ
}

// arrayBounds reads [] and ARRAY.
func (c *Cursor) arrayBounds(typ *TypeName) {
	if c.Accept("array") {
		typ.Array = true
		if !c.NextIs("[") {
			return
		}
		c.Next()
		if c.Peek().Kind != Integer {
			panic(c.Unexpected())
		}
		c.Next()
		c.Expect("]")
		return
	}
	for c.Accept("[") {
		typ.Array = true
		if c.Peek().Kind == Integer {
			c.Next()
		}
		c.Expect("]")
	}
}

// simpleType reads a type without fields of an interval and array bounds.
func (c *Cursor) simpleType() TypeName {
	t := c.Peek()
	if t.Kind == Word {
		switch t.Text {
		case "int", "integer", "smallint", "bigint", "real", "boolean", "json":
			return c.words(t.Text)
		case "float":
			typ := c.words(t.Text)
			c.optionalPrecision(&typ)
			return typ
		case "double":
			if c.PeekAt(1).Is("precision") {
				return c.words("double precision")
			}
		case "decimal", "dec", "numeric":
			typ := c.words(t.Text)
			c.modifiers(&typ)
			return typ
		case "bit", "char", "character", "nchar", "varchar", "national":
			return c.characterType(t)
		case "time", "timestamp":
			return c.timeType(t)
		case "interval":
			typ := c.words(t.Text)
			c.optionalPrecision(&typ)
			return typ
		}
	}
	return c.genericType()
}

// words takes as many tokens as name has words.
func (c *Cursor) words(name string) TypeName {
	typ := TypeName{Name: name, Pos: c.Next().Pos}
	for i := range len(name) {
		if name[i] == ' ' {
			c.Next()
		}
	}
	return typ
}

// characterType reads BIT, CHARACTER and their kin.
func (c *Cursor) characterType(t Token) TypeName {
	typ := TypeName{Name: t.Text, Pos: t.Pos}
	c.Next()
	if t.Is("national") {
		if !c.Peek().IsOneOf("char", "character") {
			panic(c.Unexpected())
		}
		typ.Name = "national " + c.Next().Text
	}
	if !t.Is("varchar") && c.Accept("varying") {
		typ.Name += " varying"
	}
	if t.Is("bit") {
		c.modifiers(&typ)
		return typ
	}
	c.optionalPrecision(&typ)
	return typ
}

// timeType reads TIME and TIMESTAMP [(p)] [WITH|WITHOUT TIME ZONE].
func (c *Cursor) timeType(t Token) TypeName {
	typ := c.words(t.Text)
	c.optionalPrecision(&typ)
	for _, word := range []string{"with", "without"} {
		if c.NextIs(word, "time") {
			c.Next()
			c.Next()
			typ.Name += " " + word + " time zone"
			c.Expect("zone")
			return typ
		}
	}
	return typ
}

// genericType reads a type that is no keyword of the grammar.
func (c *Cursor) genericType() TypeName {
	t := c.Peek()
	typ := TypeName{Pos: t.Pos}
	if !t.isTypeOrFunction() {
		panic(c.Unexpected())
	}
	name := c.qualified(c.ident())
	if len(name) == 2 && name[0].Name == "pg_catalog" {
		name = name[1:]
	}
	for i, id := range name {
		typ.Path = append(typ.Path, id.Name)
		if i > 0 {
			typ.Name += "."
		}
		typ.Name += quotedUnlessPlain(id.Name)
	}
	c.modifiers(&typ)
	return typ
}

// quotedUnlessPlain quotes a part of a type's name unless it reads back as it
// is: "char" is not the type that char is.
func quotedUnlessPlain(name string) string {
	if class := Keyword(name); IsPlain(name) && (class <= Unreserved || class == TypeOrFunctionName) {
		return name
	}
	return QuoteIdent(name)
}

// optionalPrecision reads (n).
func (c *Cursor) optionalPrecision(typ *TypeName) {
	if !c.NextIs("(") {
		return
	}
	c.precision(typ)
}

func (c *Cursor) precision(typ *TypeName) {
	c.Expect("(")
	typ.Args = append(typ.Args, int(c.Int()))
	c.Expect(")")
}

// modifiers reads (n, …).
func (c *Cursor) modifiers(typ *TypeName) {
	if !c.Accept("(") {
		return
	}
	args := CommaListTo(c, ")", c.modifier)
	typ.Args = append(typ.Args, args...)
}

// modifier reads an expression, of which only numbers are supported.
func (c *Cursor) modifier() int {
	t, sign, start := c.Peek(), "", c.at
	if t.Is("-") {
		sign = "-"
	}
	c.rewriter().expr(precLowest)
	last := c.toks[c.at-1]
	n, err := strconv.ParseInt(sign+last.Text, 10, 32)
	if err != nil || last.Kind != Integer || c.at != start+1+len(sign) {
		panic(Unsupported(t, "a type modifier that is not a number is"))
	}
	return int(n)
}

// intervalFields reads DAY, YEAR TO MONTH and so on.
func (c *Cursor) intervalFields(typ *TypeName) {
	t := c.Peek()
	if !t.IsOneOf("year", "month", "day", "hour", "minute", "second") {
		return
	}
	c.Next()
	typ.Field = t.Text
	if c.NextIs("to") {
		c.Next()
		last := c.Peek()
		if !last.IsOneOf(intervalEnds[t.Text]...) {
			panic(c.Unexpected())
		}
		c.Next()
		typ.Field += " to " + last.Text
		t = last
	}
	if t.Is("second") {
		c.optionalPrecision(typ)
		return
	}
}

// intervalEnds are the fields that an interval from a field may go to.
var intervalEnds = map[string][]string{
	"year":   {"month"},
	"day":    {"hour", "minute", "second"},
	"hour":   {"minute", "second"},
	"minute": {"second"},
}

// Cast is `xN`(x).
type Cast struct {
	Type TypeName
	Pos  int
}

// TypedLiteral is type 'text': :lN
type TypedLiteral struct {
	Type    TypeName
	Text    string
	TextPos int
	Pos     int
}

// typedLiteral reads type 'text' from a token on.
func (r callReader) typedLiteral(start int) *fragment {
	r.at = start
	typ := r.simpleType()
	t := r.Peek()
	if t.Kind != String {
		panic(r.Unexpected())
	}
	r.Next()
	return r.value(&TypedLiteral{Type: typ, Text: t.Text, TextPos: t.Pos, Pos: typ.Pos})
}
