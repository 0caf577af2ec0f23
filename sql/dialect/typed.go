package dialect

// typedLiteral reads type 'text' from a token on.
func (r *rewriter) typedLiteral(start int) (*piece, error) {
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

// constantTypes are the keywords for types that may stand before a string.
var constantTypes = wordSet(`int integer smallint bigint real float double decimal dec numeric
boolean bit char character varchar national nchar time timestamp interval json`)

// typedOrColumn reads a constant whose type is a keyword, or a column of the
// same name.
func (r *rewriter) typedOrColumn() (*piece, error) {
	start, t, next := r.at, r.Peek(), r.PeekAt(1)
	if t.Is("interval") {
		if next.Kind == String || next.Is("(") {
			return r.interval()
		}
		return r.nameExpr()
	}
	if t.Is("double") && !next.Is("precision") || t.Is("national") && !next.IsOneOf("char", "character") {
		return r.nameExpr()
	}
	if _, err := r.simpleType(); err != nil {
		return nil, err
	}
	if r.Peek().Kind == String {
		return r.typedLiteral(start)
	}
	if r.at > start+1 {
		return nil, r.Unexpected()
	}
	r.at = start
	return r.nameExpr()
}

// interval reads interval '…' fields, or interval(p) '…'.
func (r *rewriter) interval() (*piece, error) {
	typ := TypeName{Name: "interval", Pos: r.Next().Pos}
	precise := r.NextIs("(")
	if err := r.optionalPrecision(&typ); err != nil {
		return nil, err
	}
	t := r.Peek()
	if t.Kind != String {
		return nil, r.Unexpected()
	}
	r.Next()
	if !precise {
		if err := r.intervalFields(&typ); err != nil {
			return nil, err
		}
	}
	return r.value(&TypedLiteral{Type: typ, Text: t.Text, TextPos: t.Pos, Pos: typ.Pos}), nil
}
