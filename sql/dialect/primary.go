package dialect

import "strconv"

// primary reads an expression without operators.
func (r exprReader) primary() *fragment {
	t := r.Peek()
	switch t.Kind {
	case Integer:
		return r.literal(IntegerValue)
	case Decimal:
		return r.literal(DecimalValue)
	case String:
		return r.literal(StringValue)
	case Bits:
		panic(Unsupported(t, "a bit string is"))
	case Param:
		return r.param()
	case Quoted:
		return r.nameExpr()
	case Word:
		return r.word()
	case Symbol:
		if t.Is("(") {
			return r.parenExpr()
		}
	}
	panic(r.Unexpected())
}

// maxParam is the highest parameter that the protocol can bind.
const maxParam = 65535

func (r exprReader) param() *fragment {
	t := r.Next()
	n, err := strconv.Atoi(t.Text)
	if err != nil || n < 1 || n > maxParam {
		panic(syntaxError(t, "there is no parameter $%s", clip(t.Text)))
	}
	return r.indirection(r.value(&Parameter{Index: n, Pos: t.Pos}))
}

// word reads an expression that begins with a word.
func (r exprReader) word() *fragment {
	t, next := r.Peek(), r.PeekAt(1)
	switch t.Text {
	case "true", "false":
		return r.literal(Bool)
	case "null":
		return r.literal(Null)
	case "default":
		return r.literal(DefaultValue)
	case "case":
		return r.caseExpr()
	case "array":
		return r.array()
	case "row":
		if next.Is("(") {
			return r.row()
		}
	case "exists":
		if next.Is("(") {
			return r.exists()
		}
	case "unique":
		panic(Unsupported(t, "the UNIQUE predicate is"))
	}
	if read := r.special(t, next); read != nil {
		return read()
	}
	if constantTypes[t.Text] {
		return r.typedOrColumn()
	}
	if t.Class >= Reserved {
		panic(r.Unexpected())
	}
	return r.nameExpr()
}

// nameExpr reads a column, a function call, or a constant with a type's name.
func (r exprReader) nameExpr() *fragment {
	first := r.Peek()
	start := r.at
	name := []Ident{r.ident()}
	if first.IsName() {
		for r.NextIs(".") && !r.PeekAt(1).Is("*") {
			r.Next()
			name = append(name, r.Label())
		}
	}
	t := r.Peek()
	callable := len(name) > 1 || first.isTypeOrFunction()
	switch {
	case t.Is("(") && callable:
		return r.functionCall(name, start)
	case t.Kind == String && callable:
		return r.typedLiteral(start)
	case !first.IsName():
		panic(r.Unexpected())
	case t.Is("."):
		r.Next()
		r.Expect("*")
		r.endOfName()
		return r.call("x", &Star{Qualifier: name, Pos: first.Pos})
	}
	return r.indirection(r.name("c", &Column{Name: name}))
}

// typedOrColumn reads a constant whose type is a keyword, or a column of the
// same name.
func (r exprReader) typedOrColumn() *fragment {
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
	r.simpleType()
	if r.Peek().Kind == String {
		return r.typedLiteral(start)
	}
	if r.at > start+1 {
		panic(r.Unexpected())
	}
	r.at = start
	return r.nameExpr()
}

// constantTypes are the keywords for types that may stand before a string.
var constantTypes = wordSet(`int integer smallint bigint real float double decimal dec numeric
boolean bit char character varchar national nchar time timestamp interval json`)

// interval reads interval '…' fields, or interval(p) '…'.
func (r exprReader) interval() *fragment {
	typ := TypeName{Name: "interval", Pos: r.Next().Pos}
	precise := r.NextIs("(")
	r.optionalPrecision(&typ)
	t := r.Peek()
	if t.Kind != String {
		panic(r.Unexpected())
	}
	r.Next()
	if !precise {
		r.intervalFields(&typ)
	}
	return r.value(&TypedLiteral{Type: typ, Text: t.Text, TextPos: t.Pos, Pos: typ.Pos})
}
