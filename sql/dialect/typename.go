package dialect

import "strconv"

// TypeName is a type as written.
type TypeName struct {
	Name  string // words in lower case with one blank between
	Args  []int
	Field string // of an interval: "day", "year to month"
	Array bool
	Pos   int
}

// TypeName reads a type.
func (c *Cursor) TypeName() (TypeName, error) {
	if t := c.Peek(); t.Is("setof") {
		return TypeName{}, Unsupported(t, "SETOF is")
	}
	interval := c.NextIs("interval")
	typ, err := c.simpleType()
	if err != nil {
		return typ, err
	}
	if interval && typ.Args == nil {
		if err := c.intervalFields(&typ); err != nil {
			return typ, err
		}
	}
	return typ, c.arrayBounds(&typ)
}

// arrayBounds reads [] and ARRAY.
func (c *Cursor) arrayBounds(typ *TypeName) error {
	if c.Accept("array") {
		typ.Array = true
		if !c.NextIs("[") {
			return nil
		}
		c.Next()
		if c.Peek().Kind != Integer {
			return c.Unexpected()
		}
		c.Next()
		return c.Expect("]")
	}
	for c.Accept("[") {
		typ.Array = true
		if c.Peek().Kind == Integer {
			c.Next()
		}
		if err := c.Expect("]"); err != nil {
			return err
		}
	}
	return nil
}

// simpleType reads a type without fields of an interval and array bounds.
func (c *Cursor) simpleType() (TypeName, error) {
	t := c.Peek()
	if t.Kind == Word {
		switch t.Text {
		case "int", "integer", "smallint", "bigint", "real", "boolean", "json":
			return c.words(t.Text), nil
		case "float":
			typ := c.words(t.Text)
			return typ, c.optionalPrecision(&typ)
		case "double":
			if c.PeekAt(1).Is("precision") {
				return c.words("double precision"), nil
			}
		case "decimal", "dec", "numeric":
			typ := c.words(t.Text)
			return typ, c.modifiers(&typ)
		case "bit", "char", "character", "nchar", "varchar", "national":
			return c.characterType(t)
		case "time", "timestamp":
			return c.timeType(t)
		case "interval":
			typ := c.words(t.Text)
			return typ, c.optionalPrecision(&typ)
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
func (c *Cursor) characterType(t Token) (TypeName, error) {
	typ := TypeName{Name: t.Text, Pos: t.Pos}
	c.Next()
	if t.Is("national") {
		if !c.Peek().IsOneOf("char", "character") {
			return typ, c.Unexpected()
		}
		typ.Name = "national " + c.Next().Text
	}
	if !t.Is("varchar") && c.Accept("varying") {
		typ.Name += " varying"
	}
	if t.Is("bit") {
		return typ, c.modifiers(&typ)
	}
	return typ, c.optionalPrecision(&typ)
}

// timeType reads TIME and TIMESTAMP [(p)] [WITH|WITHOUT TIME ZONE].
func (c *Cursor) timeType(t Token) (TypeName, error) {
	typ := c.words(t.Text)
	if err := c.optionalPrecision(&typ); err != nil {
		return typ, err
	}
	for _, word := range []string{"with", "without"} {
		if c.NextIs(word, "time") {
			c.Next()
			c.Next()
			typ.Name += " " + word + " time zone"
			return typ, c.Expect("zone")
		}
	}
	return typ, nil
}

// genericType reads a type that is no keyword of the grammar.
func (c *Cursor) genericType() (TypeName, error) {
	t := c.Peek()
	typ := TypeName{Pos: t.Pos}
	if !t.isTypeOrFunction() {
		return typ, c.Unexpected()
	}
	name, err := c.qualified(c.ident())
	if err != nil {
		return typ, err
	}
	if len(name) == 2 && name[0].Name == "pg_catalog" {
		name = name[1:]
	}
	for i, id := range name {
		if i > 0 {
			typ.Name += "."
		}
		typ.Name += quotedUnlessPlain(id.Name)
	}
	return typ, c.modifiers(&typ)
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
func (c *Cursor) optionalPrecision(typ *TypeName) error {
	if !c.NextIs("(") {
		return nil
	}
	return c.precision(typ)
}

func (c *Cursor) precision(typ *TypeName) error {
	if err := c.Expect("("); err != nil {
		return err
	}
	t := c.Peek()
	if t.Kind != Integer {
		return c.Unexpected()
	}
	n, err := strconv.ParseInt(t.Text, 10, 32)
	if err != nil {
		return c.Unexpected()
	}
	c.Next()
	typ.Args = append(typ.Args, int(n))
	return c.Expect(")")
}

// modifiers reads (n, …).
func (c *Cursor) modifiers(typ *TypeName) error {
	if !c.Accept("(") {
		return nil
	}
	args, err := CommaListTo(c, ")", c.modifier)
	typ.Args = append(typ.Args, args...)
	return err
}

// modifier reads an expression, of which only numbers are supported.
func (c *Cursor) modifier() (int, error) {
	t, sign, start := c.Peek(), "", c.at
	if t.Is("-") {
		sign = "-"
	}
	if _, err := c.rewriter().expr(precLowest); err != nil {
		return 0, err
	}
	last := c.toks[c.at-1]
	n, err := strconv.ParseInt(sign+last.Text, 10, 32)
	if err != nil || last.Kind != Integer || c.at != start+1+len(sign) {
		return 0, Unsupported(t, "a type modifier that is not a number is")
	}
	return int(n), nil
}

// intervalFields reads DAY, YEAR TO MONTH and so on.
func (c *Cursor) intervalFields(typ *TypeName) error {
	t := c.Peek()
	if !t.IsOneOf("year", "month", "day", "hour", "minute", "second") {
		return nil
	}
	c.Next()
	typ.Field = t.Text
	if c.NextIs("to") {
		c.Next()
		last := c.Peek()
		if !last.IsOneOf(intervalEnds[t.Text]...) {
			return c.Unexpected()
		}
		c.Next()
		typ.Field += " to " + last.Text
		t = last
	}
	if t.Is("second") {
		return c.optionalPrecision(typ)
	}
	return nil
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
func (r *rewriter) typedLiteral(start int) (*fragment, error) {
	r.at = start
	typ, err := r.simpleType()
	if err != nil {
		return nil, err
	}
	t := r.Peek()
	if t.Kind != String {
		return nil, r.Unexpected()
	}
	r.Next()
	return r.value(&TypedLiteral{Type: typ, Text: t.Text, TextPos: t.Pos, Pos: typ.Pos}), nil
}
