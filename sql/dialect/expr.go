package dialect

// nested reads an expression, one level deeper than what holds it.
func (r exprReader) nested(min int, restricted bool) *fragment {
	r.enter()
	defer r.leave()
	return r.exprFrom(r.operand(restricted), min, restricted)
}

// exprFrom reads the operators that follow an operand.
func (r exprReader) exprFrom(left *fragment, min int, restricted bool) *fragment {
	if err := r.mayGoOn(); err != nil {
		panic(err)
	}
	for {
		op := r.infix(restricted)
		if op.prec == precLowest || op.prec < min || min == precLowest && r.atEnd() {
			return left
		}
		left = op.read(left, op.prec, restricted)
	}
}

// atEnd reports whether a keyword that could be an operator ends the expression:
// as the alias of a select item, whose end follows, or in SUBSTRING … SIMILAR.
func (r exprReader) atEnd() bool {
	t, next := r.Peek(), r.PeekAt(1)
	if t.Is("similar") && r.depth == r.substringArg {
		return !next.Is("to")
	}
	return r.depth == r.item && t.Kind == Word && t.isBareLabel() && endsItem(next)
}

// isPrefix reports whether an expression that begins here has a prefix operator.
func isPrefix(t Token) bool {
	return t.IsOneOf("not", "+", "-") || t.isGenericOperator()
}

// operand reads what stands before the first infix operator: prefix operators
// and what they apply to.
func (r exprReader) operand(restricted bool) *fragment {
	t := r.Peek()
	switch {
	case t.Is("not") && !restricted:
		r.Next()
		x := r.expr(precNot)
		return r.native(&At{Pos: t.Pos}, raw("not "), x)
	case t.IsOneOf("+", "-"):
		r.Next()
		x := r.exprIn(precUnary, restricted)
		if t.Is("+") { // Vitess drops it
			return r.call("o", &Operator{Symbol: "+", Pos: t.Pos}, x)
		}
		return r.native(&At{Pos: t.Pos}, raw("- "), paren(x))
	case t.isGenericOperator(), t.Is("operator") && r.PeekAt(1).Is("("):
		symbol := r.operatorName()
		x := r.exprIn(precOperator+1, restricted)
		return r.call("o", &Operator{Symbol: symbol, Pos: t.Pos}, x)
	}
	return r.primary()
}

// operatorName reads an operator, or OPERATOR(pg_catalog.op).
func (r exprReader) operatorName() string {
	t := r.Next()
	if t.Kind == Symbol {
		return t.Text
	}
	r.Expect("(")
	for r.Peek().IsName() {
		s := r.Next()
		r.Expect(".")
		if s.Text != "pg_catalog" {
			panic(Unsupported(s, "an operator of schema \""+s.Text+"\" is"))
		}
	}
	op := r.Peek()
	if op.Kind != Symbol || !isOperatorByte(op.Text[0]) || op.Text == "=>" {
		panic(r.Unexpected())
	}
	r.Next()
	r.Expect(")")
	return op.Text
}

// native operators have the same meaning in MySQL when in parentheses.
var nativeOperators = wordSet("+ - * / % = <> < > <= >=")

// nonassociative fails when an operator of the same precedence follows.
func (r exprReader) nonassociative(prec int, restricted bool) {
	if r.infix(restricted).prec == prec {
		panic(r.Unexpected())
	}
}
